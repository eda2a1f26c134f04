"""From the rows of a golden CSV to the trials of a run, and back to the rows of the results."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.suites.commodity.samples import RESPONSE, golden, row
from trialkit.runfile import Header, RunFile, create_run
from trialkit.suites import Content
from trialkit.suites.commodity import SUITE, CommoditySettings
from trialkit.suites.commodity.results import results_csv
from trialkit.text.csvfile import read_table

ANSWERED = {"Model_Response": RESPONSE}
KEPT = {**ANSWERED, "Model_Outcome": "fail", "Model_Critique": "no", "Judge": "llm:m@v1"}


def loaded(table: Path, **settings: Any) -> Content:
    return SUITE.content(CommoditySettings(csv=table, model="baseline", **settings))


def results(folder: Path, *rows: dict[str, str], **settings: Any) -> list[dict[str, str]]:
    """Of a run in which nothing has happened yet but what the rows brought along."""
    material = loaded(golden(folder, *rows), **settings)
    path = folder / "a.trial"
    header = Header(suite="commodity", subject="s", settings={}, versions={}, prompts=(), models=())
    create_run(path, header, material.cases, material.trials)
    with RunFile(path) as run:
        (folder / "results.csv").write_text(results_csv(run), encoding="utf-8", newline="")
    table = read_table(folder / "results.csv")
    return [dict(zip(table.columns, line.cells, strict=True)) for line in table.rows]


def trials(material: Content) -> list[tuple[str, int]]:
    return [(trial.case_id, trial.number) for trial in material.trials]


def test_the_rows_say_which_trials_there_are(tmp_path: Path) -> None:
    table = golden(tmp_path, row(Trial="200000"), row(Scenario_ID="S02", Trial="2"))
    assert trials(loaded(table)) == [("S01", 200000), ("S02", 2)]


def test_asking_for_trials_adds_those_that_are_lacking(tmp_path: Path) -> None:
    table = golden(tmp_path, row(Trial="5"), row(Scenario_ID="S02", Trial="2"))
    assert trials(loaded(table, trials=2)) == [("S01", 1), ("S01", 2), ("S01", 5), ("S02", 1), ("S02", 2)]
    assert trials(loaded(golden(tmp_path, row()))) == [("S01", 1)]
    assert trials(loaded(golden(tmp_path, row()), trials=2)) == [("S01", 1), ("S01", 2)]


def test_a_case_is_only_what_the_scenario_is(tmp_path: Path) -> None:
    (case,) = loaded(golden(tmp_path, row(**KEPT, Human_Outcome="pass"))).cases
    assert set(case.data) == {"raw", "extras"}
    assert "It may fall." not in json.dumps(case.data)


def test_each_row_keeps_its_own_further_columns(tmp_path: Path) -> None:
    rows = [row(Trial="1", Team="blue", Note="first"), row(Trial="2", Team="red", Note="")]
    got = results(tmp_path, *rows, trials=3)
    assert [(one["Trial"], one["Team"], one["Note"]) for one in got] == [
        ("1", "blue", "first"),
        ("2", "red", ""),
        ("3", "", ""),
    ]
    assert list(got[0])[-2:] == ["Team", "Note"]


def test_without_trials_the_further_columns_are_the_scenarios(tmp_path: Path) -> None:
    got = results(tmp_path, row(Team="blue", **ANSWERED, Human_Critique="hm"), trials=2)
    assert [(one["Team"], one["Human Critique"]) for one in got] == [("blue", "hm"), ("blue", "")]


def test_a_verdict_is_kept_with_its_second_judge_and_another_rows_is_not_taken_over(tmp_path: Path) -> None:
    ruled = {"Rules_Outcome": "pass", "Rules_Critique": "all met", "Judges_Agree": "no"}
    cleared = {**ANSWERED, **ruled, "Judge": "llm:m@v1"}
    first, second = results(tmp_path, row(Trial="1", **KEPT, **ruled), row(Trial="2", **cleared))
    assert (first["Model Outcome"], first["Model Critique"], first["Judge"]) == ("fail", "no", "llm:m@v1")
    assert (first["Rules Outcome"], first["Rules Critique"], first["Judges Agree"]) == ("pass", "all met", "no")
    own = ("Model Outcome", "Judge", "Rules Outcome", "Rules Critique", "Judges Agree")
    assert [second[column] for column in own] == [""] * 5
    assert second["Model Response"]


def test_a_critique_without_an_outcome_stays_in_its_row(tmp_path: Path) -> None:
    rows = [row(Trial="1", **ANSWERED, Human_Critique="unsure"), row(Trial="2", **ANSWERED, Human_Outcome="pass")]
    got = results(tmp_path, *rows)
    assert [(one["Human Critique"], one["Human Outcome"]) for one in got] == [("unsure", ""), ("", "pass")]


@pytest.mark.parametrize("held", [KEPT, ANSWERED])
def test_what_an_answer_cost_once_is_not_overwritten(tmp_path: Path, held: dict[str, str]) -> None:
    spent = {"Input_Tokens": "1300", "Output_Tokens": "180", "Cost_USD": "0.012300", "Latency_s": "2.500"}
    first, second, third = results(
        tmp_path, row(Trial="1", **held, **spent), row(Trial="2", **held), row(Trial="3", **spent)
    )
    columns = [name.replace("_", " ") for name in spent]
    assert [first[column] for column in columns] == list(spent.values())
    assert [second[column] for column in columns] == [""] * 4
    assert [third[column] for column in columns] == ["0", "0", "0.000000", "0.000"]  # this one is to be run
