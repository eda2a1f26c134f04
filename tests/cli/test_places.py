"""What stands for a run: `latest`, a folder, a pattern."""

import json
import os
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.run_files import case, ended, verdict, write_run
from trialkit.runfile import run_files

OLD, NEW = "20260101T000000.000Z-s-m.trial", "20260301T000000.000Z-s-m.trial"


def write(path: Path, subject: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_run(path, [(case("a"), [ended(verdict("pass"))])], subject=subject)
    return path


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "eval_results"
    write(folder / OLD, "older")
    write(folder / "nightly" / NEW, "newer")
    return folder


def test_the_newest_run_is_found_wherever_it_lies_and_whatever_it_is_called(runs: Path) -> None:
    write(runs / ".hidden" / "20270101T000000.000Z-s-m.trial", "hidden")
    renamed = write(runs / "zzz.trial", "renamed")
    between = 1_770_000_000  # 2026-02-02
    os.utime(renamed, (between, between))
    assert [path.name for path in run_files(runs)] == [NEW, "zzz.trial", OLD]


@pytest.mark.parametrize(
    ("named", "subject"),
    [
        ("latest", "newer"),
        ("eval_results", "newer"),
        ("eval_results/2026*.trial", "older"),
        (f"eval_results/{OLD}", "older"),
    ],
)
def test_what_stands_for_a_run(trialkit: Command, runs: Path, named: str, subject: str) -> None:
    (runs / "nightly" / "20260401T000000.000Z-s-m.trial").touch()  # killed before it began
    done = trialkit("report", named, "--format", "json")
    assert json.loads(done.out)["run"]["subject"] == subject


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("report", "eval_results/**/*.trial"), "eval_results/**/*.trial: matches 2 files, and one run is wanted"),
        (("replay", "gone*"), "gone*: there is no such file"),
        (("label", "empty"), "empty: no run in it or in the folders below"),
        (("compare", "empty", "latest"), "empty: no run in it or in the folders below"),
    ],
)
def test_what_stands_for_none(trialkit: Command, runs: Path, arguments: tuple[str, ...], said: str) -> None:
    (runs.parent / "empty").mkdir()
    done = trialkit(*arguments)
    assert (done.status, said in done.err) == (2, True), done.err


def test_without_any_run_the_latest_is_told_to_be_missing(trialkit: Command) -> None:
    done = trialkit("report", "latest")
    assert (done.status, "eval_results: no such folder" in done.err) == (2, True)


def test_a_file_called_latest_is_meant(trialkit: Command, runs: Path) -> None:
    write(runs.parent / "latest", "called so")
    assert "called so" in trialkit("report", "latest").out


def test_patterns_are_spread_over_all_runs_that_are_compared(trialkit: Command, runs: Path) -> None:
    compared = json.loads(trialkit("compare", "eval_results/**/*.trial", "latest", "--format", "json").out)
    assert [Path(run["file"]).name for run in compared["runs"]] == [OLD, NEW, NEW]


def test_show_takes_patterns_and_the_latest_for_either_run(trialkit: Command, runs: Path) -> None:
    both = trialkit("show", "eval_results/2026*.trial", "latest", "--format", "md")
    assert both.status == 0, both.err
    assert trialkit("show", f"eval_results/{OLD}", f"eval_results/nightly/{NEW}", "--format", "md").out == both.out
    assert trialkit("show", "latest", "a", "--format", "md").status == 0
    assert "gone*: there is no such file" in trialkit("view", "gone*").err


def test_runs_in_folders_below_are_listed_by_when_they_began(trialkit: Command, runs: Path) -> None:
    assert [run["subject"] for run in json.loads(trialkit("runs", "--format", "json").out)] == ["newer", "older"]
