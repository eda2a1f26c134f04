"""Stopped by ctrl-C, by a kill or by a reader that leaves: nothing is lost, and nothing asked twice."""

import os
import pty
import random
import signal
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from benchmarks.engine import write_golden

from tests.e2e.court import Court
from tests.e2e.program import Program
from tests.e2e.test_commodity import model, results, rows_of
from tests.e2e.waiting import by_rules, interrupt, wait_for, wait_for_requests
from tests.server import Fault, Server
from tests.server.actions import FaultKind
from trialkit.runfile import RunFile


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupt_finishes_writing_and_says_how_to_resume(
    trialkit: Program, server: Server, court: Court, how: signal.Signals
) -> None:
    server.hold(after=2)
    process = trialkit.start("run", "commodity", *by_rules(server), "--max-concurrency", "2")
    wait_for_requests(server, 4, process)
    text = interrupt(process, server, how)
    assert process.returncode == 130, text
    assert text.splitlines()[-1].endswith(f"trialkit resume {trialkit.last_run().relative_to(trialkit.folder)}")
    assert court.analyses == 4
    done = trialkit("resume", str(trialkit.last_run()))
    assert done.status == 0, done.err
    assert court.analyses == 10  # what was on its way when interrupted was waited for
    assert [row["Model Outcome"] for row in results(trialkit)].count("") == 0
    assert len(list(trialkit.results.iterdir())) == 2  # closed: one run file and its CSV, no journal


def test_an_interrupt_that_comes_with_the_last_reply_stops_nothing(trialkit: Program, server: Server) -> None:
    server.hold(after=0)
    process = trialkit.start("run", "commodity", *by_rules(server), "--ids", "S01")
    wait_for_requests(server, 1, process)
    text = interrupt(process, server)
    assert process.returncode == 0, text
    assert "resume" not in text


def test_a_reader_that_leaves_does_not_stop_the_run(trialkit: Program, server: Server, court: Court) -> None:
    """`trialkit run … 2>&1 | head`: what the run says is lost, the run and its exit status are not."""
    server.latency = 0.1
    process = trialkit.start("run", "commodity", *by_rules(server), "--max-concurrency", "1", "--min-pass", "1")
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(100) == 1
    assert court.analyses == 10
    assert len(results(trialkit)) == 10


def test_an_interrupt_right_at_the_beginning_says_how_to_resume(trialkit: Program, server: Server) -> None:
    server.hold()
    process = trialkit.start("run", "commodity", *by_rules(server))
    assert process.stdout is not None
    process.stdout.readline()  # the run file is there, but no trial may have begun
    text = interrupt(process, server)
    assert process.returncode == 130
    assert "trialkit resume" in text.splitlines()[-1]
    assert trialkit("resume", str(trialkit.last_run())).status == 0
    assert len(list(trialkit.results.iterdir())) == 2


def test_a_retry_that_was_interrupted_is_left_open(trialkit: Program, server: Server, court: Court) -> None:
    court.judge = Fault(kind="bad_request")
    assert trialkit("run", "commodity", *model(server), "--ids", "S01,S02").status == 3
    court.judge = None
    server.hold()
    seen = len(server.requests)
    process = trialkit.start("resume", "--errors", str(trialkit.last_run()))
    wait_for_requests(server, seen + 1, process)
    process.kill()
    process.communicate()
    server.release()
    done = trialkit("resume", str(trialkit.last_run()))
    assert done.status == 0, done.err
    assert court.analyses == 2
    assert trialkit("replay", str(trialkit.last_run())).status == 0


def test_a_csv_that_a_kill_left_behind_is_not_taken_for_an_edited_one(trialkit: Program, server: Server) -> None:
    server.hold(after=1)
    process = trialkit.start("run", "commodity", *by_rules(server), "--max-concurrency", "1")
    wait_for_requests(server, 2, process)
    interrupt(process, server)  # writes a CSV of what there is
    assert [row["Model Outcome"] for row in results(trialkit)].count("") == 8
    server.hold(after=2)
    process = trialkit.start("resume", str(trialkit.last_run()))
    wait_for_requests(server, 5, process)
    process.kill()  # the run file has two trials more than that CSV
    process.communicate()
    server.release()
    done = trialkit("resume", str(trialkit.last_run()))
    assert done.status == 0, done.err
    assert "was edited" not in done.err
    assert [row["Model Outcome"] for row in results(trialkit)].count("") == 0
    assert len(list(trialkit.results.iterdir())) == 2


@pytest.mark.parametrize("kind", ["rate_limit", "overloaded"])
def test_an_interrupt_does_not_wait_for_a_place(trialkit: Program, server: Server, kind: FaultKind) -> None:
    """The server asks for two minutes' pause: nothing is on its way, so there is nothing to wait for."""
    server.behave(Fault(kind=kind, headers={"Retry-After": "120"}))
    process = trialkit.start("run", "commodity", *by_rules(server))
    wait_for(lambda: len(server.requests) >= 1)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=100)
    assert process.returncode == 130


def test_second_interrupt_does_not_wait(trialkit: Program, server: Server) -> None:
    server.hold()
    process = trialkit.start("run", "commodity", *by_rules(server))
    wait_for_requests(server, 1, process)
    process.send_signal(signal.SIGINT)
    wait_for(lambda: process.stdout is not None and "interrupt again" in process.stdout.readline())
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=100)
    assert process.returncode == 130
    server.release()


def test_a_terminal_that_is_closed_loses_no_call(trialkit: Program, server: Server, court: Court) -> None:
    """The system tells the end of a terminal to whoever runs in it, and whatever is written to it then fails."""
    server.hold()
    ours, terminal = pty.openpty()
    command = trialkit.command("run", "commodity", *by_rules(server), "--max-concurrency", "4")
    process = subprocess.Popen(
        ["setsid", "--ctty", "--wait", *command],
        cwd=trialkit.folder, env=trialkit.env, stdin=terminal, stdout=terminal, stderr=terminal,
    )  # fmt: skip
    os.close(terminal)
    wait_for(lambda: len(server.requests) >= 4 or process.poll() is not None)
    os.close(ours)  # whoever runs there is told by the time that this returns
    server.release()
    assert process.wait(100) == 130
    assert 4 <= court.analyses < 10
    assert len(recorded_calls(trialkit.last_run())) == court.analyses
    assert trialkit("resume", str(trialkit.last_run())).status == 0
    assert court.analyses == 10


def test_a_terminal_that_tells_its_end_twice_is_told_once(trialkit: Program, server: Server, court: Court) -> None:
    server.hold()
    process = trialkit.start("run", "commodity", *by_rules(server), "--max-concurrency", "2")
    wait_for_requests(server, 2, process)
    process.send_signal(signal.SIGHUP)
    wait_for(lambda: process.stdout is not None and "interrupt again" in process.stdout.readline())
    process.send_signal(signal.SIGHUP)
    server.release()
    process.communicate(timeout=100)
    assert process.returncode == 130
    assert len(recorded_calls(trialkit.last_run())) == court.analyses == 2


def test_what_nohup_ignores_stops_nothing(trialkit: Program, server: Server) -> None:
    server.hold()
    command = trialkit.command("run", "commodity", *by_rules(server), "--ids", "S01")
    process = subprocess.Popen(["nohup", *command], cwd=trialkit.folder, env=trialkit.env, stdout=subprocess.DEVNULL)
    wait_for(lambda: len(server.requests) == 1)
    process.send_signal(signal.SIGHUP)
    server.release()
    assert process.wait(100) == 0


def test_who_goes_on_interrupting_is_told_how_to_resume(trialkit: Program, server: Server) -> None:
    server.hold(after=2)
    process = trialkit.start("run", "commodity", *by_rules(server))
    wait_for_requests(server, 4, process)

    def ended() -> bool:
        process.send_signal(signal.SIGINT)
        return process.poll() is not None

    wait_for(ended)
    text = process.communicate()[0]
    assert process.returncode == 130, text
    assert "Traceback" not in text
    assert "to finish: trialkit resume" in text.splitlines()[-1]
    server.release()
    assert trialkit("resume", str(trialkit.last_run())).status == 0


INTERRUPTED = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n"
IN_A_FINALIZER = (
    "import os, signal\nclass A:\n    def __del__(self):\n        signal.raise_signal(signal.SIGINT)\nA()\n"
)


@pytest.mark.parametrize(
    ("module", "source", "said"),
    [
        ("click", INTERRUPTED, "trialkit: interrupted\n"),
        ("pydantic", INTERRUPTED, "\ntrialkit: interrupted\n"),
        ("pydantic", IN_A_FINALIZER, ""),
    ],
)
def test_an_interrupt_while_it_is_loaded_ends_it(trialkit: Program, module: str, source: str, said: str) -> None:
    """Interrupted by the module that is being loaded just then."""
    (trialkit.folder / f"{module}.py").write_text(source)
    done = subprocess.run(
        trialkit.command("run", "commodity", "--model", "baseline"),
        cwd=trialkit.folder,
        env={**trialkit.env, "PYTHONPATH": str(trialkit.folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (130, said)


def recorded_calls(path: Path) -> set[tuple[int, str]]:
    with closing(sqlite3.connect(path)) as db:
        return set(db.execute("SELECT trial_id, request_key FROM calls WHERE reply IS NOT NULL"))


def test_killed_twenty_times_and_resumed(trialkit: Program, server: Server, court: Court) -> None:
    """The final results are those of an undisturbed run, and no recorded call is made twice."""
    write_golden(trialkit.folder / "golden.csv", 300)
    server.latency = 0.05
    arguments = [*model(server), "--csv", "golden.csv", "--max-concurrency", "8", "--no-cache"]
    calm = trialkit("run", "commodity", *arguments, "--output-dir", "calm", "--max-concurrency", "40")
    assert calm.status == 0, calm.err
    (expected,) = (trialkit.folder / "calm").glob("*.csv")
    calls_needed, server.requests[:] = len(server.requests), []
    draw = random.Random(7)
    process = trialkit.start("run", "commodity", *arguments)
    in_flight = 0
    for _ in range(20):
        wait_for_requests(server, len(server.requests) + draw.randrange(1, 25), process)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        wait_for(lambda: server.active == 0)
        in_flight += 8
        recorded = recorded_calls(trialkit.last_run())
        assert len(recorded) >= len(server.requests) - in_flight
        process = trialkit.start("resume", str(trialkit.last_run()))
    text = process.communicate(timeout=100)[0]
    assert process.returncode == 0, text
    assert len(server.requests) - calls_needed <= in_flight  # only calls that were on their way are made again
    with closing(sqlite3.connect(trialkit.last_run())) as db:
        twice = db.execute(
            "SELECT count(*) FROM calls GROUP BY trial_id, request_key, nth HAVING count(*) > 1"
        ).fetchall()
    assert twice == []
    timeless = ("Latency s", "Answer Latency s")
    got, wanted = results(trialkit), rows_of(expected)
    assert [{k: v for k, v in row.items() if k not in timeless} for row in got] == [
        {k: v for k, v in row.items() if k not in timeless} for row in wanted
    ]


def test_a_run_that_goes_on_can_be_read_but_not_resumed(trialkit: Program, server: Server) -> None:
    server.hold(after=1)
    process = trialkit.start("run", "commodity", *by_rules(server), "--max-concurrency", "1", alone=True)
    wait_for_requests(server, 2, process)
    read = trialkit("report", str(trialkit.last_run()))
    assert read.status == 0
    assert "not run" in read.out
    elsewhere = {"TRIALKIT_CACHE_DIR": str(trialkit.folder / "other")}
    for command in ("resume", "replay", "rejudge"):
        refused = trialkit(command, str(trialkit.last_run()), env=elsewhere)
        assert refused.status == 2
        assert f"another process (process {process.pid} on " in refused.err
    interrupt(process, server)
    assert [path.name for path in trialkit.results.iterdir() if path.name.startswith(".")] == []


def test_a_trial_under_way_can_be_watched_and_a_kill_keeps_what_happened(
    trialkit: Program, server: Server, court: Court
) -> None:
    def happened() -> list[str]:
        with RunFile(trialkit.last_run()) as run:
            return [event.kind for event in run.transcript(1)]

    server.hold(after=1)  # the judge does not answer
    process = trialkit.start("run", "commodity", *model(server), "--ids", "S01")
    wait_for_requests(server, 2, process)
    wait_for(lambda: happened() == ["message", "reply", "message"])
    with RunFile(trialkit.last_run()) as run:
        assert run.transcript(1)[1].data["text"] == "The long position is large. It is at risk if the price falls."
        assert (run.counts().open, run.trial(1).ended) == (1, None)
    process.kill()
    process.communicate()
    server.release()
    assert happened() == ["message", "reply", "message"]
    assert trialkit("resume", str(trialkit.last_run())).status == 0
    assert happened() == ["message", "reply"] * 2
    assert court.analyses == 1


def test_an_interrupt_stops_all_runs_and_each_can_be_resumed(trialkit: Program, server: Server) -> None:
    server.hold(after=2)
    process = trialkit.start("run", "commodity", *by_rules(server), "--model", "openai/other", "--max-concurrency", "2")
    wait_for_requests(server, 4, process)
    text = interrupt(process, server)
    assert process.returncode == 130, text
    resume = [f"to finish: trialkit resume {path.relative_to(trialkit.folder)}" for path in trialkit.run_files()]
    assert len(resume) == 2
    assert all(line in text for line in resume)
    assert text.count("interrupt again") == 1
    for path in trialkit.run_files():
        assert trialkit("resume", str(path)).status == 0
    assert len(server.requests) == 20
