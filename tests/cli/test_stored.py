"""A run that was answered from stored replies says so wherever it is shown."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.e2e.court import Court
from tests.e2e.waiting import by_rules
from tests.server import Server


@pytest.fixture
def runs(trialkit: Command, tmp_path: Path) -> list[Path]:
    """A run, the same again, and the same with one more trial of each case."""
    with Server(Court()) as server:
        once = ["run", "commodity", *by_rules(server), "--ids", "S01,S02"]
        for trials in ("2", "2", "3"):
            assert trialkit(*once, "--trials", trials).status == 0
    return sorted((tmp_path / "eval_results").glob("*.trial"))


def test_a_repeated_run_is_told_to_be_no_new_evidence(trialkit: Command, runs: list[Path]) -> None:
    first, again, more = runs
    none, some = "NO NEW EVIDENCE: the answers of all 4 trials", "NOT ALL IS NEW EVIDENCE: the answers of 4 of 6 trials"
    for form in ("console", "md", "html"):
        assert "EVIDENCE" not in trialkit("report", first, "--format", form).out
        assert none in trialkit("report", again, "--format", form).out
        assert some in trialkit("report", more, "--format", form).out
    found = [json.loads(trialkit("report", run, "--format", "json").out) for run in runs]
    assert [data["metrics"]["stored_trials"]["value"] for data in found] == [0, 4, 4]


@pytest.mark.parametrize("command", ["runs", "trend"])
def test_lists_of_runs_have_a_column_for_it(trialkit: Command, runs: list[Path], command: str) -> None:
    page = " ".join(trialkit(command).out.split())
    assert "Stored: trials answered by stored replies of an earlier run" in page
    stored = [run["stored"] for run in json.loads(trialkit(command, "--format", "json").out)]
    assert sorted(stored) == [0, 4, 4]
    for run in runs[1:]:
        run.unlink()
    assert "Stored" not in trialkit(command).out


def test_compare_says_whose_replies_they_are(trialkit: Command, runs: list[Path]) -> None:
    first, again, more = runs
    assert "\nB'S REPLIES ARE A'S: all its 4 trials" in trialkit("compare", first, again).out
    assert "\nA'S REPLIES ARE B'S: all its 4 trials" in trialkit("compare", again, first).out
    assert "\nSOME OF B'S REPLIES ARE A'S: 4 of its 6 trials" in trialkit("compare", first, more).out
    several = trialkit("compare", first, again, more).out
    assert several.count("REPLIES ARE") == 3
    with Server(Court()) as server:
        asked = ["run", "commodity", *by_rules(server), "--ids", "S01,S02", "--trials", "2", "--no-cache"]
        assert trialkit(*asked).status == 0
    assert "REPLIES" not in trialkit("compare", first, "latest").out
    assert "REPLIES" not in trialkit("compare", first, again.with_suffix(".csv")).out
