"""What is no file, or too large, is refused by every command that reads one, at once and before anything is written."""

import os
from pathlib import Path

import pytest

from tests.e2e.program import Program
from tests.suites.tau.domains import write_plain

COMMODITY = ("run", "commodity", "--ids", "S01", "--judge", "rules")


@pytest.fixture
def run(trialkit: Program) -> str:
    assert trialkit(*COMMODITY, "--model", "baseline").status == 0
    return str(trialkit.last_run())


def test_a_pipe_is_refused_wherever_a_file_belongs(trialkit: Program, run: str, tmp_path: Path) -> None:
    home = str(write_plain(tmp_path / "home"))
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "analyzer_prompts").mkdir()
    os.mkfifo(tmp_path / "analyzer_prompts" / "mine.txt")
    (tmp_path / "labels.csv").symlink_to("pipe")
    tau = ("run", "tau-bench/retail", "--data-dir", home, "--agent", "oracle", "--end-index", "1")
    for arguments in (
        (*COMMODITY, "--model", "baseline", "--csv", "pipe"),
        (*COMMODITY, "--model", "scripted:pipe"),
        (*COMMODITY, "--model", "openai/gpt-4o", "--analyzer-prompt", "mine"),
        (*tau, "--user-script", "pipe"),
        ("import", "pipe"),
        ("import", "labels.csv", "--run", run),
        ("compare", run, "labels.csv"),
        ("report", "pipe"),
    ):
        done = trialkit(*arguments)
        assert done.status == 2, arguments
        assert "a pipe, not a" in done.err, (arguments, done.err)
    prices = trialkit("plan", "commodity", "--model", "openai/x", env={"TRIALKIT_PRICES": "pipe"})
    assert prices.status == 2
    assert "a pipe, not a file" in prices.err
    (Path(home) / "retail" / "wiki.md").unlink()
    os.mkfifo(Path(home) / "retail" / "wiki.md")
    assert "a pipe, not a file" in trialkit(*tau).err
    assert len(trialkit.run_files()) == 1


def test_what_never_ends_and_what_is_too_large(trialkit: Program, tmp_path: Path) -> None:
    with (tmp_path / "large.csv").open("wb") as file:
        file.truncate(3_000_000_000)  # it takes no room
    done = trialkit(*COMMODITY, "--model", "baseline", "--csv", "large.csv")
    assert done.status == 2
    assert "large.csv: too large (3 GB; files of up to 1 GB are read); give the path of a CSV file" in done.err
    done = trialkit("import", "/dev/zero")
    assert done.status == 2
    assert "/dev/zero: a device, not a file; save what it gives to a file, and name that" in done.err
