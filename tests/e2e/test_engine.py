"""What the engine promises: nothing paid for is lost or asked twice, and the numbers say what happened."""

import json
import os
import shlex
import shutil
import sqlite3
import subprocess
from contextlib import closing
from typing import Any

import pytest

from tests.e2e.court import ANALYST_TOKENS, Court
from tests.e2e.program import Program, Result
from tests.e2e.test_commodity import model, results, rows_of
from tests.e2e.waiting import by_rules, wait_for_requests
from tests.server import Fault, Hang, Raw, Say, Server
from trialkit.runfile import RunFile

PRICES = {"subject": {"litellm_provider": "openai", "input_cost_per_token": 1e-5, "output_cost_per_token": 1e-4}}
ONE_CALL = 400e-5 + 60e-4  # what the analyst's reply costs at those prices


@pytest.fixture
def priced(trialkit: Program) -> Program:
    path = trialkit.folder / "prices.json"
    path.write_text(json.dumps(PRICES))
    trialkit.env["TRIALKIT_PRICES"] = str(path)
    return trialkit


def figures(trialkit: Program) -> dict[str, Any]:
    done = trialkit("report", str(trialkit.last_run()), "--format", "json")
    assert done.status == 0
    metrics: dict[str, Any] = json.loads(done.out)["metrics"]
    return metrics


def test_trials_are_asked_apart_and_stored_replies_serve_the_next_run(
    trialkit: Program, server: Server, court: Court
) -> None:
    arguments = ["run", "commodity", *by_rules(server), "--ids", "S01,S02", "--trials", "3"]
    assert trialkit(*arguments).status == 0
    assert court.analyses == 6  # trials of one case are independent samples, although they ask the same
    first = rows_of(trialkit.last_run().with_suffix(".csv"))
    assert [row["Trial"] for row in first] == ["1", "2", "3"] * 2
    again = trialkit(*arguments)
    assert court.analyses == 6
    assert "6 stored" in again.out
    assert trialkit(*arguments, "--no-cache").status == 0
    assert court.analyses == 12
    cleared = trialkit(*arguments, "--clear-cache")
    assert "6 stored replies forgotten" in cleared.err
    assert court.analyses == 18
    assert "6 stored replies forgotten" in trialkit(*arguments, "--clear-cache", "--no-cache").err


def test_no_more_than_max_concurrency_at_once(trialkit: Program, server: Server) -> None:
    server.hold()
    process = trialkit.start("run", "commodity", *by_rules(server), "--max-concurrency", "3")
    wait_for_requests(server, 3, process)
    server.release()
    text = process.communicate(timeout=100)[0]
    assert process.returncode == 0, text
    assert server.peak == 3


def test_cost_is_counted_and_max_cost_stops_and_resumes(priced: Program, server: Server, court: Court) -> None:
    limit = 4.5 * ONE_CALL
    stopped = priced("run", "commodity", *by_rules(server), "--max-cost", str(limit), "--max-concurrency", "1")
    assert stopped.status == 130
    assert court.analyses == 4
    assert "--max-cost" in stopped.err
    assert "trialkit resume" in stopped.err.splitlines()[-1]
    advised = shlex.split(stopped.err.splitlines()[-1].split("to finish: trialkit ")[1])
    stopped = priced(*advised)  # as it stands, with twice as much
    assert court.analyses == 9
    advised = shlex.split(stopped.err.splitlines()[-1].split("to finish: trialkit ")[1])
    done = priced(*advised)
    assert done.status == 0, done.err
    assert court.analyses == 10
    cost = figures(priced)["cost_usd"]
    total = pytest.approx(10 * ONE_CALL)
    assert cost == {"value": total, "low": total, "high": total, "n": 10}


def test_max_cost_holds_at_any_concurrency_and_over_sessions(priced: Program, server: Server, court: Court) -> None:
    arguments = ["--max-cost", str(2.5 * ONE_CALL), "--max-concurrency", "10", "--no-cache"]
    assert priced("run", "commodity", *by_rules(server), *arguments).status == 130
    assert court.analyses == 2
    assert priced("resume", str(priced.last_run())).status == 130
    assert court.analyses == 2  # what a call costs is known from the run file


def test_a_budget_stops_where_the_server_counts_no_tokens(priced: Program, server: Server) -> None:
    uncounted = {"choices": [{"message": {"content": "A risk."}, "finish_reason": "stop"}]}
    server.behave(Raw(body=json.dumps(uncounted).encode()))
    done = priced("run", "commodity", *by_rules(server), "--max-cost", "1")
    assert done.status == 130
    assert len(server.requests) == 1
    assert "--max-cost cannot be kept" in done.err


def test_an_answer_that_is_no_reply_is_paid_for(priced: Program, server: Server) -> None:
    empty = Say(empty=True, input_tokens=ANALYST_TOKENS[0], output_tokens=ANALYST_TOKENS[1])
    server.behave(empty)
    budget = ["--max-cost", str(2.5 * ONE_CALL), "--max-concurrency", "1", "--retries", "0"]
    stopped = priced("run", "commodity", *by_rules(server), *budget)
    assert stopped.status == 130
    assert "might go over" in stopped.err
    assert len(server.requests) == 2
    assert figures(priced)["cost_usd"]["value"] == pytest.approx(2 * ONE_CALL)
    assert priced("resume", str(priced.last_run())).status == 130
    assert len(server.requests) == 2  # what it cost is known from the run file
    with RunFile(priced.last_run()) as run:
        first = run.calls()[0]
        assert (first.reply, first.error_kind, first.input_tokens) == (None, "bad_reply", ANALYST_TOKENS[0])
        assert run.trials()[0].cost == pytest.approx(ONE_CALL)
    assert priced("replay", str(priced.last_run())).status == 0


def test_a_budget_without_prices_is_refused(trialkit: Program, server: Server) -> None:
    done = trialkit("run", "commodity", *by_rules(server), "--max-cost", "1")
    assert done.status == 2
    assert "openai/subject" in done.err
    assert not server.requests


def test_passing_faults_are_tried_again(trialkit: Program, server: Server, court: Court) -> None:
    faults = iter([Fault(kind="server"), Fault(kind="rate_limit", headers={"Retry-After": "0"})])
    server.behave(lambda body, protocol: next(faults, None) or court(body, protocol))
    done = trialkit("run", "commodity", *by_rules(server), "--ids", "S01")
    assert done.status == 0, done.err
    assert len(server.requests) == 3


def test_a_trial_without_an_answer_is_an_error_not_a_fail(trialkit: Program, server: Server, court: Court) -> None:
    court.analyst = Fault(kind="context_overflow")
    done = trialkit("run", "commodity", *by_rules(server), "--ids", "S01,S02")
    assert done.status == 3
    assert court.analyses == 2  # never retried
    assert [row["Model Outcome"] for row in results(trialkit)] == ["error", "error"]
    assert figures(trialkit)["pass_rate"] == {"value": None, "low": None, "high": None, "n": 0}


def test_an_empty_answer_is_judged(trialkit: Program, server: Server, court: Court) -> None:
    court.analyst = Say(text=None)
    done = trialkit("run", "commodity", *by_rules(server), "--ids", "S01")
    assert done.status == 0
    assert results(trialkit)[0]["Model Outcome"] == "fail"


@pytest.mark.parametrize(
    ("on", "wanted", "status"), [("point", "1.0", 0), ("low", "0.7", 0), ("low", "0.8", 1), ("point", "1", 0)]
)
def test_the_gate(trialkit: Program, on: str, wanted: str, status: int) -> None:
    """10 of 10 pass: the point estimate is 1, the low end 0.722."""
    done = trialkit("run", "commodity", "--model", "baseline", "--min-pass", wanted, "--min-pass-on", on)
    assert done.status == status, done.text
    assert f"gate {'met' if status == 0 else 'not met'}" in done.text


def test_a_failed_gate_comes_before_errors(trialkit: Program, server: Server, court: Court) -> None:
    court.analyst = Say(text=None)
    done = trialkit("run", "commodity", *by_rules(server), "--ids", "S01", "--min-pass", "0.5")
    assert done.status == 1


def test_what_was_spent_at_an_unknown_price_stays_unknown(trialkit: Program, server: Server, court: Court) -> None:
    court.analyst = Fault(kind="bad_request")
    server.behave(lambda body, protocol: Say(text="risk") if "4.25" in str(body) else court(body, protocol))
    assert trialkit("run", "commodity", *by_rules(server), "--ids", "S01,S02").status == 3
    again = trialkit("resume", "--errors", str(trialkit.last_run()))
    assert "1/1 trials · 0 passed · 0 failed · 1 error · cost unknown" in again.err


def test_an_output_that_cannot_be_written_is_told(trialkit: Program) -> None:
    assert trialkit("run", "commodity", "--model", "baseline", "--ids", "S01").status == 0
    with open("/dev/full", "w") as full:  # noqa: PTH123 - a device
        command = trialkit.command("report", str(trialkit.last_run()), "--format", "json")
        done = subprocess.run(
            command, env=trialkit.env, stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=60
        )
    assert (done.returncode, done.stderr) == (2, "trialkit: [Errno 28] No space left on device\n")


def test_resume_goes_on_with_the_same_model_or_not_at_all(trialkit: Program, server: Server) -> None:
    with Server(Fault(kind="bad_request")) as other:
        trialkit.env["OPENAI_BASE_URL"] = other.openai_base
        assert trialkit("run", "commodity", "--model", "openai/subject", "--judge", "rules", "--ids", "S01").status == 3
    trialkit.env["OPENAI_BASE_URL"] = server.openai_base
    done = trialkit("resume", "--errors", str(trialkit.last_run()))
    assert done.status == 2
    assert other.openai_base in done.err
    assert server.openai_base in done.err
    assert not server.requests


def test_what_led_to_nothing_is_not_stored_for_other_runs(trialkit: Program, server: Server, court: Court) -> None:
    court.judge = Say(text="I would rather not.")
    arguments = ["run", "commodity", *model(server), "--ids", "S01"]
    assert trialkit(*arguments).status == 3
    court.judge = None
    assert trialkit(*arguments).status == 0
    assert (court.analyses, court.judgements) == (1, 3)  # the answer is stored, what the judge said was not


def test_a_trial_that_is_judged_again_keeps_what_happened_before(
    trialkit: Program, server: Server, court: Court
) -> None:
    court.judge = Say(text="I would rather not.")
    assert trialkit("run", "commodity", *model(server), "--ids", "S01").status == 3
    court.judge = None
    assert trialkit("resume", "--errors", str(trialkit.last_run())).status == 0
    with RunFile(trialkit.last_run()) as run:
        said = [event.data["text"] for event in run.transcript(1) if event.kind == "reply"]
    refused = "I would rather not."
    assert said == ["The long position is large. It is at risk if the price falls.", refused, refused, ""]
    assert (court.analyses, court.judgements) == (1, 3)


def test_a_cache_that_cannot_be_used_does_not_stop_a_run(trialkit: Program, server: Server) -> None:
    (trialkit.folder / "cache").write_text("a file where the folder should be")
    done = trialkit("run", "commodity", *by_rules(server), "--ids", "S01")
    assert done.status == 0, done.err
    assert "going on without" in done.err


def test_a_cache_that_breaks_does_not_undo_what_was_paid(trialkit: Program, server: Server, court: Court) -> None:
    folder = trialkit.folder / "cache"
    folder.mkdir()
    with closing(sqlite3.connect(folder / "replies.sqlite")) as db:
        db.execute("CREATE TABLE replies (key TEXT)")  # opens well, takes nothing
    court.judge = Fault(kind="bad_request")
    assert trialkit("run", "commodity", *model(server), "--ids", "S01,S02").status == 3
    (found,) = json.loads(trialkit("runs", "--format", "json").out)
    assert found["state"] == "done"
    shutil.rmtree(folder)
    folder.write_text("a file where the folder should be")
    court.judge = None
    done = trialkit("resume", "--errors", str(trialkit.last_run()))
    assert done.status == 0, done.err
    assert "going on without" in done.err
    assert [row["Model Outcome"] for row in results(trialkit)] == ["pass", "pass"]


def test_resume_leaves_an_edited_csv_alone(trialkit: Program) -> None:
    assert trialkit("run", "commodity", "--model", "baseline", "--ids", "S01").status == 0
    table = trialkit.last_run().with_suffix(".csv")
    text = table.read_bytes() + b"\r\n"
    table.write_bytes(text)
    done = trialkit("resume", str(trialkit.last_run()))
    assert done.status == 0
    assert table.read_bytes() == text
    assert "was edited" in done.err
    assert (table.parent / f"{table.stem}-2.csv").exists()


def test_resume_of_a_run_that_is_done_writes_nothing_but_what_is_not_there(trialkit: Program) -> None:
    assert trialkit("run", "commodity", "--model", "baseline").status == 0
    run, table = trialkit.last_run(), trialkit.last_run().with_suffix(".csv")
    text = table.read_bytes()

    def stand() -> list[tuple[str, int]]:
        return sorted((file.name, file.stat().st_mtime_ns) for file in run.parent.iterdir())

    before = stand()
    again = trialkit("resume", str(run))
    assert (again.status, stand()) == (0, before)
    assert "nothing left to run" in again.err
    assert "10 trials · 10 passed" in again.out
    table.unlink()
    assert trialkit("resume", str(run)).status == 0
    assert table.read_bytes() == text
    assert trialkit("resume", str(run), "--min-pass", "1").out.count("gate met") == 1  # which takes all trials


def test_replay_needs_no_server_and_says_identical(trialkit: Program, court: Court) -> None:
    with Server(court) as server:
        court.judge = None
        assert trialkit("run", "commodity", *model(server), "--judge", "both", "--trials", "2").status == 0
    done = trialkit("replay", str(trialkit.last_run()))
    assert done.status == 0, done.text
    assert "identical: 20 trials, 40 verdicts" in done.out
    assert ".csv file byte for byte" in done.out


def test_replay_repeats_errors(trialkit: Program, server: Server, court: Court) -> None:
    court.analyst = Fault(kind="bad_request")
    assert trialkit("run", "commodity", *model(server), "--ids", "S01").status == 3
    done = trialkit("replay", str(trialkit.last_run()))
    assert (done.status, done.out.split(":")[0]) == (0, "identical")


def test_replay_of_a_changed_recording_differs(trialkit: Program, server: Server) -> None:
    assert trialkit("run", "commodity", *model(server), "--ids", "S01,S02").status == 0
    with closing(sqlite3.connect(trialkit.last_run())) as db, db:
        db.execute("UPDATE calls SET reply = replace(reply, '4.2', '9.9') WHERE role = 'analyzer' AND trial_id = 1")
    done = trialkit("replay", str(trialkit.last_run()))
    assert done.status == 1
    assert "S01 trial 1: the answer differs" in done.out
    assert "S02" not in done.out


def test_bad_key_stops_the_run_at_once(trialkit: Program, server: Server) -> None:
    server.key = "sk-the-right-one"
    trialkit.env["OPENAI_API_KEY"] = "sk-planted-0123456789"
    done = trialkit("run", "commodity", *by_rules(server), "--max-concurrency", "2")
    assert done.status == 2
    assert len(server.requests) <= 2
    assert "401" in done.err
    assert "resume" in done.err.splitlines()[-1]
    trialkit.env["OPENAI_API_KEY"] = "sk-the-right-one"
    assert trialkit("resume", str(trialkit.last_run())).status == 0


def everything_written(trialkit: Program) -> str:
    files = [path for path in trialkit.folder.rglob("*") if path.is_file()]
    return "\n".join(path.read_bytes().decode("utf-8", "replace") for path in files)


def test_a_planted_key_is_written_nowhere(trialkit: Program, server: Server, court: Court) -> None:
    key = "sk-planted/0123456789"  # some servers write a slash as \\/
    trialkit.env |= {"OPENAI_API_KEY": key, "ANTHROPIC_API_KEY": key}
    server.escape_slashes = True
    answers = iter([Fault(kind="bad_request", echo=key), Fault(kind="server", echo=key)])
    court_says = court._analysis()
    assert isinstance(court_says, Say)

    def echo(body: dict[str, object], protocol: object) -> object:
        return next(answers, None) or Say(text=f"your key is {key}", calls=court_says.calls)

    server.behave(echo)  # type: ignore[arg-type]
    runs = [trialkit("run", "commodity", *by_rules(server), "--verbose", "--max-concurrency", "1")]
    path = str(trialkit.last_run())
    runs += [trialkit("report", path, "--format", form) for form in ("console", "json", "csv", "md", "junit")]
    runs.append(trialkit("replay", path))
    assert runs[0].status == 3
    assert any(key in str(seen.headers) for seen in server.requests)  # it was sent
    assert key not in "".join(run.text for run in runs)
    assert key not in everything_written(trialkit)
    assert "[redacted]" in runs[2].out


def test_no_key_is_one_clear_line(trialkit: Program) -> None:
    done = trialkit("run", "commodity")
    assert done.status == 2
    assert len(done.err.strip().splitlines()) == 1
    assert "ANTHROPIC_API_KEY" in done.err
    assert "--model baseline" in done.err
    assert not trialkit.run_files()


def service(trialkit: Program, server: Server, *more: str) -> Result:
    return trialkit("run", "commodity", "--analyzer-url", f"{server.url}/analyze", "--judge", "rules", *more)


def test_a_service_on_trial(trialkit: Program, server: Server) -> None:
    alert = {"commodity_code": "CORN", "condition": "below", "threshold_price": 4.2, "notes": "stop"}
    server.service = {"reasoning": "risk", "suggestions": [alert, {**alert, "threshold_price": "4"}]}
    header = ["--analyzer-header", "X-User-ID: user-4711", "--analyzer-header", "Authorization: Bearer t0ps3cret"]
    done = service(trialkit, server, "--ids", "S01", *header)
    assert done.status == 0, done.err
    (seen,) = server.requests
    assert sorted(seen.body) == ["positions", "prices", "user_name"]
    assert seen.headers["x-user-id"] == "user-4711"
    assert len(json.loads(results(trialkit)[0]["Model Response"])["suggestions"]) == 1
    assert "t0ps3cret" not in everything_written(trialkit)
    assert trialkit("replay", str(trialkit.last_run())).status == 0


def test_a_service_run_is_resumed_with_its_headers_given_again(trialkit: Program, server: Server) -> None:
    server.service = {"reasoning": "no alerts"}  # no suggestions: not an answer
    header = ["--analyzer-header", "X-User-ID: 1"]
    assert service(trialkit, server, "--ids", "S01", *header).status == 3
    server.service = {"reasoning": "", "suggestions": None}  # none, as Go writes it
    path = str(trialkit.last_run())
    refused = trialkit("resume", "--errors", path)
    assert refused.status == 2
    assert "X-User-ID" in refused.err
    again = trialkit("resume", "--errors", path, *header)
    assert again.status == 0, again.err  # the answer that was none is not served again
    assert results(trialkit)[0]["Model Outcome"] == "fail"


def test_a_run_of_a_newer_schema_or_no_run_at_all_is_refused(trialkit: Program) -> None:
    assert trialkit("run", "commodity", "--model", "baseline").status == 0
    path = trialkit.last_run()
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")
    newer = trialkit("report", str(path))
    assert (newer.status, "newer trialkit" in newer.err) == (2, True)
    text = trialkit.folder / "notes.trial"
    text.write_text("not a database, but long enough to be looked at as one " * 20)
    broken = trialkit.folder / "broken.trial"
    broken.write_bytes(path.read_bytes())
    with closing(sqlite3.connect(broken)) as db:
        db.executescript("PRAGMA user_version = 1; DROP TABLE verdicts;")
    empty = trialkit.folder / "empty.trial"
    empty.touch()
    for bad in (str(text), str(broken), str(empty), "missing.trial"):
        done = trialkit("report", bad)
        assert done.status == 2
        assert bad in done.err


def test_the_run_is_shown_live_in_a_terminal(trialkit: Program) -> None:
    import pty  # noqa: PLC0415 - not on every system

    master, slave = pty.openpty()
    process = subprocess.Popen(
        trialkit.command("run", "commodity", "--model", "baseline", "--verbose"),
        cwd=trialkit.folder,
        env=trialkit.env | {"TERM": "xterm-256color"},
        stdout=slave,
        stderr=slave,
    )
    os.close(slave)
    shown = b""
    try:
        while chunk := os.read(master, 65536):
            shown += chunk
    except OSError:  # how Linux ends a terminal
        pass
    os.close(master)
    assert process.wait() == 0
    text = shown.decode()
    assert "━" in text
    assert "10 passed" in text
    assert "S10 trial 1: pass" in text


def test_what_a_time_out_cost_is_unknown_everywhere(priced: Program, server: Server, court: Court) -> None:
    server.behave(lambda body, protocol: court(body, protocol) if court.analyses < 1 else Hang())
    limits = ["--timeout", "1", "--retries", "0", "--max-concurrency", "1", "--max-cost", str(3.5 * ONE_CALL)]
    stopped = priced("run", "commodity", *by_rules(server), "--trials", "2", *limits)
    assert stopped.status == 130  # one reply, and two time-outs that may have cost as much
    assert "might go over --max-cost" in stopped.err
    run = priced.last_run()
    with RunFile(run) as opened:
        calls = opened.calls()
    assert [(call.error_kind, call.cost is None, call.attempts) for call in calls] == [
        (None, False, 1),
        *[("timeout", True, 1)] * 2,
    ]
    assert all(1 <= call.latency_s < 30 for call in calls[1:])
    told = figures(priced)
    assert (told["cost_usd"]["value"], told["failed_calls"]["value"]) == (None, 2)
    assert "unknown, at least $0.0100 (" in stopped.out
    assert "unknown" in priced("runs").out
    again = priced("resume", str(run))
    assert (again.status, len(server.requests)) == (130, 3)  # what may have been spent is remembered
