import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.suites.commodity.samples import RESPONSE, ROW, changed, golden, row, scenario
from trialkit.errors import InputError
from trialkit.suites.commodity.rows import COLUMNS, read_golden
from trialkit.suites.commodity.scenarios import INPUT_COLUMNS, Scenario, StrictTruth
from trialkit.text.csvfile import write_rows

POSITIONS, PRICES, TRUTH = ROW["Positions JSON"], ROW["Prices JSON"], ROW["Ground Truth"]


def _problems(path: Path) -> list[str]:
    with pytest.raises(InputError) as error:
        read_golden(path)
    return str(error.value).splitlines()


def test_a_row_is_read(tmp_path: Path) -> None:
    criteria = row(
        Scenario_ID="S02", Eval_Type=" Criteria ", Ground_Truth="must suggest stop-loss | threshold below 4.5"
    )
    done = {"Model_Response": RESPONSE, "Model_Outcome": " PASS ", "Human_Outcome": "Fail", "Team": "=blue"}
    first, second = read_golden(golden(tmp_path, criteria, row(**done)))
    assert first.scenario.truth == ("must suggest stop-loss", "threshold below 4.5")
    assert first.raw["Eval Type"] == " Criteria "
    assert (first.response, first.outcome, first.human_outcome, first.trial) == (None,) * 4
    assert isinstance(second.scenario.truth, StrictTruth)
    assert second.scenario.truth.price_max == 4.25
    assert second.response is not None
    assert [str(one) for one in second.response.suggestions] == ["CORN below 4.1"]
    assert (second.outcome, second.human_outcome, second.extra) == ("pass", "fail", {"Team": "=blue"})
    assert set(second.raw) == set(INPUT_COLUMNS)


def test_the_order_of_columns_is_free(tmp_path: Path) -> None:
    path = tmp_path / "golden.csv"
    columns = sorted(ROW)
    path.write_text(write_rows(columns, [[ROW[name] for name in columns]]), newline="")
    assert read_golden(path)[0].id == "S01"


def test_blank_rows_are_skipped(tmp_path: Path) -> None:
    path = golden(tmp_path, row())
    path.write_text(path.read_text() + "\n" + "," * 11 + "\n \n")
    assert len(read_golden(path)) == 1


def test_all_problems_come_at_once_with_their_lines(tmp_path: Path) -> None:
    path = golden(
        tmp_path,
        row(Description="two\nlines", Eval_Type="loose"),
        row(Scenario_ID="S02", Prices_JSON="[", Ground_Truth=""),
        row(Scenario_ID="S02", Human_Outcome="pass"),
    )
    problems = _problems(path)
    assert [problem.removeprefix(f"{path}:").split(": value ")[0] for problem in problems] == [
        '2: column "Eval Type"',
        '4: column "Prices JSON"',
        '4: column "Ground Truth"',
        '5: column "Human Outcome"',
        '5: column "Scenario ID"',
    ]
    assert "value loose: must be strict or criteria" in problems[0]
    assert "value (empty): is empty; write e.g." in problems[2]
    assert "stands on line 4 already" in problems[4]


@pytest.mark.parametrize(
    ("column", "cell", "said"),
    [
        ("Scenario ID", "  ", "is empty"),
        ("Eval Type", "", "must be strict or criteria"),
        ("Positions JSON", "[{]", r"is not JSON: .* \(line 1, character 3\)"),
        ("Positions JSON", "[" * 100_000, "nested too deeply"),
        ("Positions JSON", "[" + "9" * 5000 + "]", "is not JSON that can be read"),
        ("Positions JSON", '{"a": 1}', "must be an array of positions"),
        ("Positions JSON", "[]", "there are no positions"),
        ("Positions JSON", "[7]", "position 1: must be an object with .*, not 7"),
        ("Positions JSON", '[{"commodity_code": "CORN", "commodity_code": "CORN"}]', "stands twice"),
        ("Positions JSON", changed(POSITIONS, 0, "note", to=1), '"note" is not one of its fields'),
        ("Positions JSON", POSITIONS.replace('"volume": 50000, ', ""), 'position 1: "volume" is missing'),
        ("Positions JSON", changed(POSITIONS, 0, "direction", to="Long"), '"direction" must be "long" or "short"'),
        ("Positions JSON", changed(POSITIONS, 0, "volume", to=0), '"volume" must be a finite number above 0, not 0'),
        ("Positions JSON", changed(POSITIONS, 0, "volume", to=True), '"volume" must be a number, not true'),
        ("Positions JSON", changed(POSITIONS, 0, "volume", to="5"), '"volume" must be a number, not "5"'),
        ("Positions JSON", changed(POSITIONS, 0, "volume", to=10**400), '"volume" must be a finite number'),
        ("Positions JSON", changed(POSITIONS, 0, "entry_price", to=float("nan")), "above 0, not NaN"),
        ("Positions JSON", POSITIONS.replace("4.5", "1e999"), "above 0, not Infinity"),
        ("Positions JSON", changed(POSITIONS, 0, "commodity_code", to=" CORN"), "a code without spaces around it"),
        ("Prices JSON", changed(PRICES, 0, "price", to=-4.25), '"price" must be a finite number above 0, not -4.25'),
        ("Prices JSON", changed(PRICES, 0, "commodity_code", to="WHEAT"), 'no price for "CORN"'),
        ("Prices JSON", json.dumps(json.loads(PRICES) * 2), 'more than one price for "CORN"'),
        ("Ground Truth", "[1]", "must be an object"),
        ("Ground Truth", changed(TRUTH, "price_min", to=5), '"price_min" 5 is above "price_max" 4.25'),
        ("Ground Truth", changed(TRUTH, "expected_condition", to="over"), 'must be "above" or "below"'),
        ("Ground Truth", changed(TRUTH, "commodity_code", to="RICE"), '"RICE" is not among the positions; write one'),
        ("Ground Truth", '{"commodity_code": "CORN"}', '"price_max" is missing'),
        ("Model Response", "not json", "is not JSON"),
        ("Model Response", '{"reasoning": "x"}', '"suggestions" is missing'),
        ("Model Response", '{"reasoning": 1, "suggestions": {}}', '"suggestions" must be an array'),
        ("Model Response", '{"reasoning": "", "suggestions": [{}]}', 'suggestion 1: "commodity_code" is missing'),
        ("Model Outcome", "maybe", "must be pass, fail, error or empty"),
        ("Human Outcome", "error", "must be pass, fail, unsure or empty"),
        ("Human Outcome", "pass", "a label without the answer"),
        ("Description", "a\0b", "holds a NUL character"),
    ],
)
def test_a_bad_cell_is_named(tmp_path: Path, column: str, cell: str, said: str) -> None:
    path = golden(tmp_path, ROW | {column: cell})
    (problem,) = _problems(path)
    assert problem.startswith(f'{path}:2: column "{column}": value ')
    assert re.search(said, problem)
    assert len(problem) < len(str(path)) + 500


@pytest.mark.parametrize(("rules", "said"), [("", "is empty"), ("a||b", "rule 2 of 3 is empty"), ("a|", "rule 2 of 2")])
def test_criteria_need_rules(tmp_path: Path, rules: str, said: str) -> None:
    (problem,) = _problems(golden(tmp_path, row(Eval_Type="criteria", Ground_Truth=rules)))
    assert said in problem


def test_the_header_must_have_all_columns_once(tmp_path: Path) -> None:
    path = tmp_path / "golden.csv"
    path.write_text(",".join(["Team", "Team", *COLUMNS[2:]]) + "\n")
    assert _problems(path) == [
        f'{path}:1: the column "Scenario ID" is missing; add it to the header',
        f'{path}:1: the column "Description" is missing; add it to the header',
        f'{path}:1: the column "Team" stands there twice; rename or remove one',
    ]


def test_a_column_that_is_only_written_otherwise_is_named(tmp_path: Path) -> None:
    path = golden(tmp_path, row())
    path.write_text(path.read_text().replace("Scenario ID,", "scenario id ,", 1))
    assert _problems(path) == [f'{path}:1: the column "Scenario ID" is missing; rename "scenario id "']


def test_empty_columns_of_a_spreadsheet_are_dropped(tmp_path: Path) -> None:
    path = golden(tmp_path, row(), row(Scenario_ID="S02"))
    path.write_bytes(path.read_bytes().replace(b"\r\n", b",,\r\n"))
    assert [(one.id, one.extra) for one in read_golden(path)] == [("S01", {}), ("S02", {})]
    path.write_bytes(path.read_bytes().replace(b",,\r\n", b",,note\r\n").replace(b",,note", b",,", 1))
    assert [problem.split("; ")[0] for problem in _problems(path)] == [
        f"{path}:{line}: the row has 14 cells, the header names 12 columns" for line in (2, 3)
    ]


def test_a_column_without_a_name_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "golden.csv"
    path.write_text(",".join(["", "Team", *COLUMNS]) + "\n")
    assert _problems(path) == [f"{path}:1: column 1 of 14 has no name; name or remove it"]


def test_another_delimiter_is_one_problem(tmp_path: Path) -> None:
    path = tmp_path / "golden.csv"
    path.write_text(";".join(COLUMNS) + "\n")
    (problem,) = _problems(path)
    assert "separated by semicolons" in problem


def test_a_header_alone_is_refused(tmp_path: Path) -> None:
    (problem,) = _problems(golden(tmp_path))
    assert "there are no rows under the header" in problem


def test_rows_of_another_width_and_open_quotes_are_named_with_the_rest(tmp_path: Path) -> None:
    path = golden(tmp_path, row(Eval_Type="loose"))
    path.write_text(path.read_text() + 'S02,short\nS03,"open\n')
    problems = _problems(path)
    assert len(problems) == 3
    assert problems[1].startswith(f"{path}:3: the row has 2 cells, the header names 12 columns")
    assert problems[2].startswith(f"{path}:4: this row cannot be read")


def test_with_trials_the_id_may_repeat(tmp_path: Path) -> None:
    rows = read_golden(golden(tmp_path, row(Trial="1"), row(Trial="2", Error="timeout")))
    assert [(one.id, one.trial, one.cell("Error")) for one in rows] == [("S01", 1, ""), ("S01", 2, "timeout")]
    assert rows[1].extra == {}


@pytest.mark.parametrize(
    ("second", "said"),
    [
        (row(Trial="01"), "stands on line 2 already with the same trial"),
        (row(Trial="x"), "must be a whole number"),
        (row(Trial="0"), "must be a whole number, 1 or more; write"),
        (row(Trial="2", User_Name="Bob"), "is not what line 2 has for another trial"),
    ],
)
def test_trials_are_told_apart_and_share_their_scenario(tmp_path: Path, second: dict[str, str], said: str) -> None:
    (problem,) = _problems(golden(tmp_path, row(Trial="1"), second))
    assert said in problem


def test_a_row_without_a_number_gets_the_next_free_one(tmp_path: Path) -> None:
    cells = [("S01", ""), ("S01", "1"), ("S02", ""), ("S01", "3"), ("S01", " ")]
    rows = read_golden(golden(tmp_path, *(row(Scenario_ID=name, Trial=trial) for name, trial in cells)))
    assert [(one.id, one.trial) for one in rows] == [("S01", 2), ("S01", 1), ("S02", 1), ("S01", 3), ("S01", 4)]


def test_our_own_columns_are_none_of_the_users(tmp_path: Path) -> None:
    own = {"Trial": "1", "Judge": "llm", "Rules_Outcome": "Fail", "Rules_Critique": "why", "Judges_Agree": "no"}
    (one,) = read_golden(golden(tmp_path, row(**own, Cost_USD="0.25", Team="blue")))
    assert (one.cell("Judge"), one.rules_outcome, one.cell("Rules Critique")) == ("llm", "fail", "why")
    assert (one.cell("Cost USD"), one.extra) == ("0.25", {"Team": "blue"})
    (problem,) = _problems(golden(tmp_path, row(**own | {"Rules_Outcome": "perhaps"})))
    assert 'column "Rules Outcome": value perhaps: must be pass, fail, error or empty' in problem


def test_an_error_without_an_answer_is_kept(tmp_path: Path) -> None:
    (one,) = read_golden(golden(tmp_path, row(Model_Outcome="error", Error="the model timed out")))
    assert (one.outcome, one.cell("Error"), one.response) == ("error", "the model timed out", None)


@pytest.mark.parametrize("changes", [{}, {"Eval_Type": " Criteria", "Ground_Truth": "a|b", "Scenario_ID": " S02 "}])
def test_a_scenario_survives_the_run_file(tmp_path: Path, changes: dict[str, str]) -> None:
    (one,) = read_golden(golden(tmp_path, row(**changes)))
    assert Scenario.from_data(json.loads(json.dumps({"raw": one.raw}))) == one.scenario


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_any_cell_is_read_or_refused_as_input(tmp_path_factory: pytest.TempPathFactory, cell: str) -> None:
    folder = tmp_path_factory.mktemp("golden")
    for column in ("Positions JSON", "Ground Truth", "Model Response", "Human Outcome", "Eval Type"):
        path = golden(folder, ROW | {column: cell})
        try:
            (one,) = read_golden(path)
        except InputError as error:
            problems = str(error).splitlines()
        else:
            problems = []
            assert one.raw.get(column, cell) == cell
        assert all(problem.startswith(f'{path}:2: column "') for problem in problems)


def test_what_an_alert_may_be_about() -> None:
    one = scenario()
    assert one.commodities == {"CORN"}
    assert one.price_of(one.positions[0]) == 4.25


@pytest.mark.parametrize("bad", ["S\n01", "\x1b[31mS01"])
def test_an_id_is_one_line_that_steers_no_terminal(tmp_path: Path, bad: str) -> None:
    (problem,) = _problems(golden(tmp_path, row(Scenario_ID=bad)))
    assert "control character" in problem
