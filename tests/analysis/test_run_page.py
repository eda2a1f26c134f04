"""The report in a terminal: aligned at 80 columns, nothing wrapped into garbage, no critique over two lines."""

from pathlib import Path

import pytest

from tests.run_files import case, conversation, ended, verdict, write_run
from trialkit.analysis.run_formats import console_report, markdown_report
from trialkit.runfile import RunFile, TrialRecord
from trialkit.vocabulary import Measure

LONG = "The database is not as it should be: " + "order #W1 is pending instead of cancelled; " * 20


@pytest.fixture(params=[80, 120])
def width(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setenv("COLUMNS", str(request.param))
    monkeypatch.setenv("NO_COLOR", "1")
    return int(request.param)


def shown(path: Path) -> list[str]:
    """Without the page's title."""
    with RunFile(path) as run:
        return console_report(run).splitlines()[1:]


def head(lines: list[str]) -> list[str]:
    """Of the table of cases or trials."""
    return next(line.split() for line in lines if line.endswith(" Critique"))


def rows(lines: list[str]) -> list[str]:
    """Its rows; below them may stand the result once more."""
    first = next(number for number, line in enumerate(lines) if line.endswith(" Critique"))
    return [*lines[first + 2 :], ""][: [*lines[first + 2 :], ""].index("")]


def value(lines: list[str], name: str) -> str:
    return next(line.strip().removeprefix(name).strip() for line in lines if line.strip().startswith(f"{name} "))


def test_no_line_is_wider_than_the_terminal_or_ends_in_blanks(tmp_path: Path, width: int) -> None:
    trials = [conversation("pass"), conversation("fail", failure="wrong_arguments"), ended(error=LONG)]
    path = write_run(tmp_path / "r.trial", [(case(str(n)), trials) for n in range(30)], suite="tau-bench/retail")
    lines = shown(path)
    assert max(map(len, lines)) <= width
    assert all(line == line.rstrip() for line in lines)


def test_a_long_critique_is_cut_after_two_lines(tmp_path: Path, width: int) -> None:
    path = write_run(tmp_path / "r.trial", [(case("a"), [ended(verdict("fail", LONG))])])
    table = rows(shown(path))
    assert len(table) == 2
    assert table[0].split()[:2] == ["a", "fail"]
    assert table[1].endswith("…")
    assert len(table[1]) <= width


def test_a_word_as_long_as_the_column_is_cut_as_well(tmp_path: Path, width: int) -> None:
    path = write_run(tmp_path / "r.trial", [(case("a" * 60), [ended(verdict("fail", "x" * 500))])])
    table = rows(shown(path))
    assert len(table) == 2
    assert max(map(len, table)) <= width


def test_markup_in_what_models_say_is_text(tmp_path: Path, width: int) -> None:
    path = write_run(tmp_path / "r.trial", [(case("[red]a"), [ended(verdict("fail", "[bold]no[/bold]"))])])
    assert "[red]a" in rows(shown(path))[0]
    assert "[bold]no[/bold]" in rows(shown(path))[0]


def test_pass_hat_k_is_shown_where_cases_have_several_trials(tmp_path: Path, width: int) -> None:
    won, lost = ended(verdict("pass")), ended(verdict("fail"))
    lines = shown(write_run(tmp_path / "r.trial", [(case("a"), [won, won]), (case("b"), [won, lost])]))
    assert not any("pass^1 " in line for line in lines)  # it is the pass rate
    assert value(lines, "pass^2").startswith("50.0% [")
    single = shown(write_run(tmp_path / "s.trial", [(case("a"), [won])]))
    assert not any("pass^" in line for line in single)


def test_a_k_that_errors_put_out_of_reach_is_told(tmp_path: Path, width: int) -> None:
    won, error = ended(verdict("pass")), ended(error="timed out")
    cases = [(case("a"), [won] * 3), (case("b"), [won, error, error]), (case("c"), [error] * 3)]
    lines = shown(write_run(tmp_path / "r.trial", cases))
    assert value(lines, "pass^1").endswith("over 2 of 3 cases")
    assert value(lines, "pass^2..3") == "— (a case has only 1 verdict so far)"


def test_a_suite_with_facts_gets_a_row_per_trial(tmp_path: Path, width: int) -> None:
    trials = [conversation("pass", turns=2, steps=5), conversation("fail"), None]
    path = write_run(tmp_path / "r.trial", [(case("7"), trials)], suite="tau-bench/retail")
    lines = shown(path)
    assert head(lines) == ["Case", "Trial", "Outcome", "Reward", "Steps", "Turns", "Success", "turn", "Critique"]
    table = rows(lines)
    assert table[0].split()[:6] == ["7", "1", "pass", "1", "5", "2"]
    assert table[1].split()[:6] == ["7", "2", "fail", "0", "9", "3"]
    assert table[2].split()[:4] == ["7", "3", "not", "run"]


def test_a_fact_that_no_row_has_takes_no_room(tmp_path: Path, width: int) -> None:
    lines = shown(write_run(tmp_path / "r.trial", [(case("7"), [conversation("fail")])], suite="tau-bench/retail"))
    assert head(lines) == ["Case", "Outcome", "Reward", "Steps", "Turns", "Critique"]


def test_many_trials_of_a_case_are_one_row(tmp_path: Path, width: int) -> None:
    trials = [conversation("pass"), conversation("fail"), conversation("fail")]
    cases = [(case(str(n)), trials) for n in range(20)]
    lines = shown(write_run(tmp_path / "r.trial", cases, suite="tau-bench/retail"))
    assert head(lines) == ["Case", "Passed", "Critique"]
    firsts = [row.split()[:4] for row in rows(lines) if row[1] != " "]
    assert firsts == [[str(n), "1/3", "trial", "2:"] for n in range(20)]


def test_a_run_that_did_not_begin_has_no_table(tmp_path: Path) -> None:
    lines = shown(write_run(tmp_path / "r.trial", [(case("a"), [None, None])]))
    assert not any("Critique" in line for line in lines)
    assert value(lines, "not run").startswith("2 ")


def test_a_case_without_a_verdict_has_no_share(tmp_path: Path) -> None:
    error = ended(error="timed out")
    path = write_run(tmp_path / "r.trial", [(case("a"), [error] * 2), (case("b"), [ended(verdict("pass")), error])])
    assert [row.split()[:4] for row in rows(shown(path))] == [
        ["a", "2", "errors", "trial"],
        ["b", "1/1", "+1", "error"],
    ]


def test_a_long_run_shows_what_did_not_pass(tmp_path: Path, width: int) -> None:
    cases = [(case(str(n)), [conversation("fail" if n % 2 else "pass")]) for n in range(120)]
    *found, note = rows(shown(write_run(tmp_path / "r.trial", cases, suite="tau-bench/retail")))
    assert len(found) == 25
    assert {row.split()[1] for row in found} == {"fail"}
    assert note == " 25 of 120 trials shown: those that did not pass, the worst first"


def test_of_many_cases_with_several_trials_the_worst_stand_first(tmp_path: Path, width: int) -> None:
    won, lost = ended(verdict("pass")), ended(verdict("fail"))
    cases = [(case(str(n)), [lost, lost if n % 3 == 2 else won]) for n in range(60)]
    *found, _ = rows(shown(write_run(tmp_path / "r.trial", cases)))
    assert [row.split()[1] for row in found] == ["0/2"] * 20 + ["1/2"] * 5


def test_a_long_run_without_a_fault_says_so(tmp_path: Path) -> None:
    cases = [(case(str(n)), [ended(verdict("pass"))]) for n in range(51)]
    assert "all 51 cases passed" in shown(write_run(tmp_path / "r.trial", cases))


def test_the_groups_are_a_column_only_where_there_are_several(tmp_path: Path, width: int) -> None:
    won = [ended(verdict("pass"))]
    one = shown(write_run(tmp_path / "r.trial", [(case("a", "x"), won), (case("b", "x"), won)]))
    two = shown(write_run(tmp_path / "s.trial", [(case("a", "x"), won), (case("b", "y"), won)]))
    assert "Type" not in head(one)
    assert "Type" in head(two)
    assert value(two, "y").startswith("100.0%")


def test_the_suites_tables_follow(tmp_path: Path, width: int) -> None:
    path = write_run(tmp_path / "r.trial", [(case("0"), [conversation("fail")] * 2)], suite="tau-bench/airline")
    text = "\n".join(shown(path))
    for title in ("Pass@turn", "Leaderboard: tau-bench/airline", "Why trials failed", "How conversations ended"):
        assert f"\n{title}\n" in text
    assert "TC (claude-3-5-sonnet-20241022)" in text


def test_of_several_trials_only_what_did_not_pass_is_explained(tmp_path: Path) -> None:
    passed, failed = ended(verdict("pass", "Fine.")), ended(verdict("fail", "Too wide."))
    path = write_run(tmp_path / "r.trial", [(case("a"), [passed, passed]), (case("b"), [passed, failed])])
    assert [line.split(maxsplit=2) for line in rows(shown(path))] == [["a", "2/2"], ["b", "1/2", "trial 2: Too wide."]]


TONE, LENGTH = Measure(name="tone", low=1, high=5), Measure(name="length", higher_is_better=False, unit="words")


def scored(tone: float, length: float, critique: str = "Polite.") -> TrialRecord:
    return ended(verdict("scored", critique, score=tone, scores={"length": length}))


def write_scores(path: Path, cases: list[list[TrialRecord]]) -> Path:
    return write_run(path, [(case(f"C{n}"), trials) for n, trials in enumerate(cases)], measures=(TONE, LENGTH))


def test_a_run_that_is_scored_shows_its_measures(tmp_path: Path, width: int) -> None:
    cases = [[scored(4, 20)], [scored(2.5, 41.25)], [ended(error="timed out")]]
    lines = shown(write_scores(tmp_path / "r.trial", cases))
    assert head(lines) == ["Case", "Outcome", "Tone", "Length", "(words)", "Critique"]
    assert [row.split()[:4] for row in rows(lines)] == [
        ["C0", "scored", "4", "20"],
        ["C1", "scored", "2.5", "41.25"],
        ["C2", "error", "—", "—"],
    ]
    assert value(lines, "average tone").startswith("3.25 [")
    assert value(lines, "average tone").endswith("] over 2 trials")
    assert value(lines, "average length").startswith("30.62 words [")
    assert not any("pass" in line for line in lines)


def test_of_a_case_with_several_scores_the_mean_is_shown_and_the_worst_is_explained(tmp_path: Path) -> None:
    trials = [scored(4, 20, "Kind."), scored(1, 20, "Rude."), scored(5, 20, "Warm.")]
    with RunFile(write_scores(tmp_path / "r.trial", [trials])) as run:
        text = markdown_report(run)
    assert "| C0 | 3/3 | 3.33 | 20.00 | trial 2: Rude. |" in text


def test_of_a_long_run_the_worst_scores_are_shown(tmp_path: Path) -> None:
    cases = [[scored(1 + n % 5, n)] for n in range(60)]
    *found, note = rows(shown(write_scores(tmp_path / "r.trial", cases)))
    assert [row.split()[2] for row in found] == ["1"] * 12 + ["2"] * 12 + ["3"]
    assert note == " 25 of 60 trials shown: the worst"


def test_the_result_stands_first_and_of_a_long_report_in_a_terminal_at_the_end_too(
    tmp_path: Path, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"LINES": "25", "TTY_COMPATIBLE": "1", "NO_COLOR": "1", "TERM": "dumb"}.items():
        monkeypatch.setenv(name, value)
    few, many = ([(case(str(n)), [ended(verdict("fail"))]) for n in range(size)] for size in (2, 60))
    short, long = shown(write_run(tmp_path / "r.trial", few)), shown(write_run(tmp_path / "s.trial", many))
    assert short[1].startswith("  pass rate  0/2 = 0.0% [")
    assert sum("pass rate" in line for line in short) == 1
    assert long[1].startswith("  pass rate  0/60 = 0.0% [")
    assert long[-1] == long[1]


def test_what_is_wrong_with_the_result_stands_below_it(tmp_path: Path, width: int) -> None:
    trials = [ended(verdict("pass")), ended(error="timed out"), None]
    lines = shown(write_run(tmp_path / "r.trial", [(case("a"), trials)]))
    assert [line[:15].strip() for line in lines[1:5]] == ["pass rate", "with errors", "errors", "not run"]
