"""The report as Markdown: tables that hold whatever models say."""

from pathlib import Path

from tests.reports.runs import case, conversation, ended, verdict, write_run
from trialkit.reports import summarize
from trialkit.reports.markdown import markdown_report
from trialkit.runfile import RunFile


def report_of(path: Path) -> str:
    with RunFile(path) as run:
        return markdown_report(summarize(run))


def test_figures_and_the_suites_tables(tmp_path: Path) -> None:
    trials = [conversation("pass"), conversation("fail")]
    text = report_of(write_run(tmp_path / "r.trial", [(case("0"), trials)], suite="tau-bench/retail"))
    for line in (
        "| pass^1 | 50.0%",
        "| pass^2 | 0.0%",
        "| Average reward | 0.500",
        "### Leaderboard: tau-bench/retail",
    ):
        assert line in text
    assert "| missing\\_write | 1 |" in text


def test_every_table_has_as_many_cells_in_each_row(tmp_path: Path) -> None:
    trials = [ended(verdict("fail", "a|b\n| c `d` <e>"))]
    text = report_of(write_run(tmp_path / "r.trial", [(case("x|y"), trials)], suite="tau-bench/retail"))
    for table in text.split("\n\n"):
        rows = [line.replace("\\|", "") for line in table.splitlines() if line.startswith("|")]
        assert len({row.count("|") for row in rows}) <= 1


def test_one_trial_a_case_needs_no_pass_hat_k(tmp_path: Path) -> None:
    assert "pass^" not in report_of(write_run(tmp_path / "r.trial", [(case("x"), [ended(verdict("pass"))])]))
