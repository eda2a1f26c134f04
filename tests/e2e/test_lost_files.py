"""A run whose file goes away under it, or whose disk is full: it stops, and nothing that was paid for is lost."""

import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.court import Court
from tests.e2e.program import Program
from tests.e2e.test_interrupts import recorded_calls
from tests.e2e.waiting import by_rules, wait_for_requests
from tests.server import Say, Server


def delete(run: Path) -> None:
    for file in run.parent.iterdir():
        file.unlink()


def replace(run: Path) -> None:
    """By a database, which may not take over what was left in the old one's log."""
    (run.parent / "other").write_bytes(run.read_bytes())
    (run.parent / "other").replace(run)


def remove_folder(run: Path) -> None:
    shutil.rmtree(run.parent)


def move(run: Path) -> None:
    run.rename(run.parent.parent / "elsewhere.trial")


def heard(process: "subprocess.Popen[str]", server: Server) -> str:
    """All that the program says. What the server holds is let go when it has noticed."""
    said = []
    with process:
        for line in process.stdout or ():
            said.append(line)
            if "interrupt again" in line:
                server.release()
    return "".join(said)


@pytest.mark.parametrize("lose", [delete, replace, remove_folder, move])
def test_a_run_that_loses_its_file_stops_and_is_kept(
    trialkit: Program, server: Server, court: Court, tmp_path: Path, lose: Callable[[Path], None]
) -> None:
    (tmp_path / "tmp").mkdir()
    trialkit.env["TMPDIR"] = str(tmp_path / "tmp")
    server.hold(after=2)
    process = trialkit.start("run", "commodity", *by_rules(server), "--max-concurrency", "2")
    wait_for_requests(server, 4, process)
    lose(trialkit.last_run())
    text = heard(process, server)
    assert process.returncode == 2, text
    assert "the run file was deleted, moved or replaced: waiting for the calls of 2 trials" in text
    kept = trialkit.folder / text.split("trialkit resume ")[-1].strip()
    assert kept.is_relative_to(tmp_path / "tmp" if lose is remove_folder else trialkit.results)
    assert len(recorded_calls(kept)) == court.analyses == 4
    assert trialkit("report", str(kept)).status == 0
    assert trialkit("resume", str(kept)).status == 0
    assert court.analyses == 10
    if lose is replace:  # what stands in its place is left alone
        assert recorded_calls(trialkit.run_files()[1]) == set()


def test_judging_again_without_a_file_stops_and_is_kept(trialkit: Program, server: Server, court: Court) -> None:
    assert trialkit("run", "commodity", *by_rules(server), "--ids", "S06,S07,S08").status == 0
    run = trialkit.last_run()
    server.hold(after=1)
    judge = ["--judge", "llm", "--judge-model", "openai/judge", "--judge-api-base", server.openai_base]
    process = trialkit.start("rejudge", str(run), *judge, "--max-concurrency", "1")
    wait_for_requests(server, 5, process)
    delete(run)
    process.send_signal(signal.SIGINT)
    server.release()
    text = process.communicate()[0]
    kept = trialkit.last_run()
    assert (process.returncode, str(kept.relative_to(trialkit.folder)) in text) == (2, True)
    asked = court.judgements
    assert trialkit("rejudge", str(kept), *judge).status == 0
    assert asked < 3 == court.judgements


def test_a_run_on_a_full_disk_can_be_gone_on_with(trialkit: Program, server: Server, court: Court) -> None:
    server.behave(lambda body, protocol: Say(text="x" * 100_000) if court(body, protocol) else Say())
    command = trialkit.command("run", "commodity", *by_rules(server), "--max-concurrency", "1")
    process = subprocess.run(
        ["bash", "-c", 'ulimit -f 500; exec "$@"', "-", *command],
        cwd=trialkit.folder, env=trialkit.env, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert process.returncode == 2, process.stderr
    assert "Traceback" not in process.stderr
    run = str(trialkit.last_run().relative_to(trialkit.folder))
    assert process.stderr.splitlines()[-1].endswith(f"to finish: trialkit resume {run}")
    asked, paid = court.analyses, len(recorded_calls(trialkit.last_run()))
    assert 0 < paid <= asked < 10
    assert trialkit("resume", str(trialkit.last_run())).status == 3  # an answer without an alert is no answer
    assert court.analyses == 10 + asked - paid  # but for the one that could not be written
