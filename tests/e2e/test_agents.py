"""Agents outside of trialkit on tau-bench: the ground truth played by a program, and every way for it to fail."""

import json
import os
import shlex
import signal
import sqlite3
import sys
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from aiohttp import web

from tests.agents.outside.address import Address
from tests.e2e.program import Program, Result
from tests.e2e.waiting import is_alive, wait_for
from tests.server import Hang, Say, Server, in_turn
from tests.shared import shared_path
from trialkit.runfile import RunFile

if TYPE_CHECKING:
    from subprocess import Popen

PLAYER = Path(__file__).resolve().parents[1] / "agents" / "outside" / "player.py"
TASKS = "0,1,5,6"


@pytest.fixture
def plans() -> dict[str, list[Any]]:
    tasks = json.loads(shared_path("tau-bench", "retail", "tasks_test.json").read_text())
    return {task["instruction"]: [[one["name"], one["kwargs"]] for one in task["actions"]] for task in tasks}


class Stage:
    """Runs the player on retail tasks."""

    def __init__(self, folder: Path, plans: dict[str, list[Any]]) -> None:
        self.program = Program(folder)
        self.plans = plans
        self.pids = folder / "pids"
        self.pids.mkdir()
        self.plan = folder / "plan.json"
        self.plan.write_text(json.dumps(plans))

    def player(self, *options: str) -> str:
        known = ["--plan", str(self.plan), "--pids", str(self.pids)]
        return "stdio:" + shlex.join([sys.executable, str(PLAYER), *known, *options])

    def arguments(self, agent: str, *options: str, tasks: str = TASKS) -> list[str]:
        data = str(shared_path("tau-bench"))
        fixed = ["--user-strategy", "scripted", "--data-dir", data, "--task-ids", tasks]
        return ["run", "tau-bench/retail", "--agent", agent, *fixed, *options]

    def run(self, agent: str, *options: str, tasks: str = TASKS) -> Result:
        return self.program(*self.arguments(agent, *options, tasks=tasks))

    def outcomes(self) -> dict[str, str | None]:
        with RunFile(self.program.last_run()) as run:
            return {row.case_id: row.outcome for row in run.trials()}

    def errors(self) -> dict[str, tuple[str | None, str | None]]:
        with RunFile(self.program.last_run()) as run:
            return {row.case_id: (row.error_kind, row.error) for row in run.trials() if row.error}

    def events(self, case: str, kind: str) -> list[Any]:
        with RunFile(self.program.last_run()) as run:
            trial = next(row.id for row in run.trials() if row.case_id == case)
            return [event.data for event in run.transcript(trial) if event.kind == kind]

    def alive(self) -> list[int]:
        return [int(path.name) for path in self.pids.iterdir() if is_alive(int(path.name))]


@pytest.fixture
def stage(tmp_path: Path, plans: dict[str, list[Any]]) -> Stage:
    return Stage(tmp_path, plans)


def test_a_program_on_trial(stage: Stage) -> None:
    done = stage.run(stage.player(), "--max-concurrency", "3", "--max-tokens", "77")
    assert done.status == 0, done.text
    assert set(stage.outcomes().values()) == {"pass"}
    assert "the agent is player 1.0, mode test" in done.err
    assert "mode   test" in done.out
    assert "$0.0250" in done.out  # 25 moves: what the player says that each of them cost
    assert stage.program.last_run().name.endswith("tau-bench-retail-player-1.0.trial")
    assert stage.events("0", "agent")[0] == {"name": "player", "version": "1.0", "mode": "test"}
    assert any("a conversation with 16 tools" in event["text"] for event in stage.events("0", "agent stderr"))
    assert stage.program("replay", str(stage.program.last_run())).status == 0
    assert stage.alive() == []


def test_the_process_that_is_met_first_serves_the_conversations_too(stage: Stage) -> None:
    assert stage.run(stage.player(), "--max-concurrency", "1").status == 0
    assert len(list(stage.pids.iterdir())) == 1


def test_a_plan_starts_no_program_but_knows_its_past_runs(stage: Stage) -> None:
    command = ["plan", *stage.arguments(stage.player())[1:], "--past", "eval_results"]
    (stage.program.folder / "eval_results").mkdir()
    done = stage.program(*command)
    assert done.status == 0, done.text
    assert list(stage.pids.iterdir()) == []
    assert stage.run(stage.player()).status == 0
    started = len(list(stage.pids.iterdir()))
    told = json.loads(stage.program(*command, "--format", "json").out)
    assert told["assumed"]["pass_rate"] > 0.9
    assert len(list(stage.pids.iterdir())) == started


def test_a_run_is_judged_again_when_its_program_is_gone(stage: Stage) -> None:
    program = stage.program.folder / "player.py"
    program.write_text(PLAYER.read_text())
    known = ["--plan", str(stage.plan), "--pids", str(stage.pids)]
    assert stage.run("stdio:" + shlex.join([sys.executable, str(program), *known]), tasks="0,1").status == 0
    program.unlink()
    done = stage.program("rejudge", str(stage.program.last_run()), "--judge-trials", "2")
    assert done.status == 0, done.text
    assert "2 trials judged by environment" in done.out


def test_a_budget_holds_for_what_a_program_says_that_it_costs(stage: Stage) -> None:
    done = stage.run(stage.player(), "--max-cost", "0.01")
    assert done.status == 130, done.text
    assert "might go over --max-cost 0.01" in done.text
    with RunFile(stage.program.last_run()) as run:
        assert 0 < sum(row.cost or 0 for row in run.trials()) <= 0.01
    assert stage.program("resume", str(stage.program.last_run()), "--max-cost", "1").status == 0
    assert set(stage.outcomes().values()) == {"pass"}


def test_a_call_of_respond_is_a_reply(stage: Stage) -> None:
    assert stage.run(stage.player("--fault", "responds", "--at", "1"), tasks="0").status == 0
    said = [event["text"] for event in stage.events("0", "message") if event["role"] == "assistant"]
    assert said == ["Is that all?"]


def test_an_agent_that_solves_nothing_fails(stage: Stage) -> None:
    stage.plan.write_text("{}")
    assert stage.run(stage.player(), tasks="0,1").status == 0
    assert set(stage.outcomes().values()) == {"fail"}


@pytest.mark.parametrize(
    ("fault", "kind", "said"),
    [
        ("crash", "connection", "ended with status 7; it wrote to stderr: something broke"),
        ("killed", "connection", "was ended by SIGKILL"),
        ("garbage", "bad_reply", "wrote what is not JSON"),
        ("hang", "timeout", "did not answer within 1 s"),
        ("twice", "bad_reply", "out of turn"),
        ("early", "bad_reply", "out of turn"),
        ("error", "context_overflow", "too long for my model"),
    ],
)
def test_a_fault_is_an_error_without_a_verdict_and_the_run_goes_on(
    stage: Stage, fault: str, kind: str, said: str
) -> None:
    """The other trials pass: a broken process is replaced. In a replay it all ends the same."""
    bad = next(iter(stage.plans))
    agent = stage.player("--fault", fault, "--only", bad)
    done = stage.run(agent, "--agent-timeout", "1", "--max-concurrency", "1")
    assert done.status == 3, done.text
    assert stage.outcomes() == {"0": "error", "1": "pass", "5": "pass", "6": "pass"}
    error_kind, error = stage.errors()["0"]
    assert error_kind == kind
    assert said in (error or "")
    assert stage.program("replay", str(stage.program.last_run())).status == 0
    assert stage.alive() == []


def test_what_an_agent_took_before_it_failed_is_counted(stage: Stage) -> None:
    agent = stage.player("--fault", "costly error", "--only", next(iter(stage.plans)))
    done = stage.run(agent, "--max-concurrency", "1", tasks="0")
    assert done.status == 3, done.text
    assert stage.errors() == {"0": ("context_overflow", "the agent says: too long")}
    report = json.loads(stage.program("report", str(stage.program.last_run()), "--format", "json").out)
    assert report["metrics"]["cost_usd"]["value"] == pytest.approx(0.501)  # and a move before it
    assert report["metrics"]["agent"]["roles"]["thinker"]["cost_usd"]["value"] == 0.5
    assert report["metrics"]["agent"]["roles"]["thinker"]["input_tokens"]["value"] == 1000
    assert ["thinker", "1,000", "100", "$0.5000"] in [line.split() for line in done.out.splitlines()]
    assert stage.events("0", "rule")[-1]["detail"] == "thought for long"
    assert stage.program("replay", str(stage.program.last_run())).status == 0


def test_a_trial_that_was_an_error_is_tried_again_from_its_start(stage: Stage) -> None:
    mended = stage.program.folder / "mended"
    agent = stage.player("--fault", "crash", "--at", "3", "--unless", str(mended))
    assert stage.run(agent, tasks="0").status == 3
    mended.touch()
    done = stage.program("resume", "--errors", str(stage.program.last_run()))
    assert done.status == 0, done.text
    assert stage.outcomes() == {"0": "pass"}
    assert stage.program("replay", str(stage.program.last_run())).status == 0


def test_a_worker_that_is_killed_costs_one_trial(stage: Stage) -> None:
    """`kill -9` from outside, in the middle of a conversation."""
    agent = stage.player("--fault", "hang", "--only", next(iter(stage.plans)))
    with start(stage, agent, "--max-concurrency", "1", "--agent-timeout", "60") as run:
        wait_for(lambda: hung_at(stage) is not None)
        os.kill(hung_at(stage) or 0, signal.SIGKILL)
        said, _ = run.communicate(timeout=100)
    assert run.returncode == 3, said
    assert stage.outcomes() == {"0": "error", "1": "pass", "5": "pass", "6": "pass"}
    assert "was ended by SIGKILL" in (stage.errors()["0"][1] or "")


def hung_at(stage: Stage) -> int | None:
    """The process that was told the message which it never answers: two calls of the agent's are recorded by then."""
    runs = stage.program.run_files()
    if not runs or len(stage.alive()) != 1:
        return None
    try:
        with closing(sqlite3.connect(runs[-1])) as db:
            recorded = db.execute("SELECT count(*) FROM calls").fetchone()[0]
    except sqlite3.OperationalError:  # the file is being made: the agent was met before
        return None
    return stage.alive()[0] if recorded >= 2 else None


def start(stage: Stage, agent: str, *options: str, tasks: str = TASKS) -> "Popen[str]":
    return stage.program.start(*stage.arguments(agent, *options, tasks=tasks))


MANY = ",".join(map(str, range(20)))


@pytest.mark.parametrize(
    "how", ["success", "failure", "ctrl-C", "ctrl-C twice", "kill -9", "kill -9 of the supervisors too"]
)
def test_twenty_processes_leave_nobody_behind(stage: Stage, how: str) -> None:
    """They do not end when asked to, ignore signals, and have children, in groups and sessions of their own too."""
    faults = {"success": (), "failure": ("--fault", "crash")}.get(how, ("--fault", "hang"))
    children = ("--child",) if "supervisors" in how else ("--child", "--daemon")  # without it, only its group is known
    agent = stage.player("--stubborn", *children, *faults)
    # the first Ctrl-C waits for it; all else ends without, however long a busy machine takes to start them
    patience = "5" if how == "ctrl-C" else "60"
    with start(
        stage, agent, "--max-concurrency", "20", "--agent-timeout", patience, "--trials", "2", tasks=MANY
    ) as run:
        if how not in {"success", "failure"}:
            wait_for(lambda: len(stage.alive()) >= 40)
            if how == "kill -9 of the supervisors too":
                lost = set(stage.alive())
                kill_supervisors(stage)
                wait_for(lambda: bool(alive := set(stage.alive())) and not alive & lost)  # others took their places
            if how.startswith("kill -9"):
                run.kill()
            else:
                run.send_signal(signal.SIGINT)
            if how == "ctrl-C twice":
                assert run.stdout is not None
                assert any("interrupt again" in line for line in run.stdout)
                run.send_signal(signal.SIGINT)
        status = run.wait(60)
    assert status == {"success": 0, "failure": 3, "kill -9": -signal.SIGKILL}.get(how[:7], 130)
    wait_for(lambda: stage.alive() == [])
    assert len(list(stage.pids.iterdir())) >= 40


def test_a_second_interrupt_does_not_wait_for_an_agent_to_end(stage: Stage) -> None:
    """It would have ten seconds for that, and this one never answers."""
    agent = stage.player("--fault", "hang", "--only", "hello")  # at 2: the user's next words never come, so it is `end`
    stage.program.env["OPENAI_API_KEY"] = "none"
    with Server(in_turn(Say(text="hello"), Hang())) as server:
        user = ["--user-strategy", "llm", "--user-model", "openai/user", "--user-api-base", server.openai_base]
        with start(stage, agent, *user, tasks="0") as run:
            wait_for(lambda: len(server.requests) == 2)
            run.send_signal(signal.SIGINT)
            assert run.stdout is not None
            assert any("interrupt again" in line for line in run.stdout)
            run.send_signal(signal.SIGINT)
            began = time.monotonic()
            assert run.wait(60) == 130
            assert time.monotonic() - began < 8
    assert stage.alive() == []


def kill_supervisors(stage: Stage) -> None:
    for path in stage.pids.iterdir():
        with suppress(ProcessLookupError):  # one that has gone, or went with its supervisor
            if os.getpgid(pid := int(path.name)) == pid:
                os.kill(parent_of(pid), signal.SIGKILL)


def parent_of(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        raise ProcessLookupError from None


def test_without_its_supervisor_a_process_is_replaced_and_the_run_goes_on(stage: Stage) -> None:
    agent = stage.player("--fault", "hang", "--only", next(iter(stage.plans)))
    with start(stage, agent, "--max-concurrency", "1", "--agent-timeout", "60") as run:
        wait_for(lambda: hung_at(stage) is not None)
        kill_supervisors(stage)
        said, _ = run.communicate(timeout=100)
    assert run.returncode == 3, said
    assert stage.outcomes() == {"0": "error", "1": "pass", "5": "pass", "6": "pass"}


def test_children_that_leave_their_group_hold_nothing_up_and_go_too(stage: Stage) -> None:
    done = stage.run(stage.player("--daemon"), "--max-concurrency", "2")
    assert done.status == 0, done.text
    assert set(stage.outcomes().values()) == {"pass"}
    assert stage.alive() == []


def test_tasks_that_need_a_tool_which_the_agent_lacks_are_skipped(stage: Stage) -> None:
    plans = stage.plans
    tools = {name for plan in plans.values() for name, _ in plan} - {"calculate"}
    agent = stage.player("--tools", ",".join(sorted(tools)))
    done = stage.run(agent, tasks="0,1,2,16,21")
    without = [case for case in ("0", "1", "2", "16", "21") if "calculate" in dict(list(plans.values())[int(case)])]
    assert without
    assert f"{len(without)} tasks are skipped" in done.err
    assert f"Skipped: {len(without)} cases" in done.out
    assert set(stage.outcomes()) == {"0", "1", "2", "16", "21"} - set(without)
    report = stage.program("report", str(stage.program.last_run()), "--format", "json").out
    assert json.loads(report)["metrics"]["skipped"]["count"] == len(without)
    assert stage.program("replay", str(stage.program.last_run())).status == 0
    for form in ("csv", "md", "junit"):
        assert stage.program("report", str(stage.program.last_run()), "--format", form).status in {0, 2}
    assert stage.run(agent, "--no-skip", tasks="0,1,2,16,21").status == 0
    assert len(stage.outcomes()) == 5


def test_an_agent_that_lacks_everything_is_refused(stage: Stage) -> None:
    done = stage.run(stage.player("--tools", "dance"))
    assert done.status == 2
    assert "--no-skip runs them all the same" in done.err


def test_an_agent_that_is_not_there_is_found_out_before_anything_is_spent(stage: Stage) -> None:
    done = stage.run("stdio:no-such-program")
    assert done.status == 2
    assert "cannot be started" in done.err
    assert stage.program.run_files() == []


def test_what_a_dying_agent_tells_of_its_keys_is_hidden(stage: Stage) -> None:
    stage.program.env["PLAYER_KEY"] = "sk-of-this-test"
    assert stage.run(stage.player("--fault", "tells"), "--agent-env", "PLAYER_KEY", tasks="0").status == 3
    said = stage.errors()["0"][1] or ""
    assert "it wrote to stderr:" in said
    assert "in the middle of a line" in said
    for path in stage.program.results.iterdir():
        assert b"sk-of-this-test" not in path.read_bytes()


def test_a_resumed_agent_finds_the_same_variables(stage: Stage) -> None:
    stage.program.env["PLAYER_KEY"] = "sk-of-this-test"
    assert stage.run(stage.player("--fault", "tells"), "--agent-env", "PLAYER_KEY", tasks="0").status == 3
    resume = ["resume", "--errors", str(stage.program.last_run())]
    assert stage.program(*resume).status == 3
    assert "the key is [redacted]" in (stage.errors()["0"][1] or "")
    del stage.program.env["PLAYER_KEY"]
    gone = stage.program(*resume)
    assert (gone.status, "--agent-env PLAYER_KEY: it is not set" in gone.err) == (2, True)
    assert stage.program(*resume, "--agent-env", "PLAYER_KEY=short").status == 3


def test_an_agent_that_is_no_program_has_no_environment(stage: Stage) -> None:
    done = stage.run("oracle", "--agent-env", "HOME")
    assert (done.status, "oracle is no program of its own" in done.err) == (2, True)


@pytest.mark.parametrize(
    "agent",
    [
        "stdio:python agent.py --api-key sk-of-this-test",
        "stdio:python agent.py --openai_token=sk-of-this-test",
        "stdio:env MY_API_KEY=sk-of-this-test python agent.py",
        "stdio:python agent.py of-the-environment",
        "http://127.0.0.1:9/agent?x=1&token=sk-of-this-test",
        "http://127.0.0.1:9/hook/sk-of-this-testofthistestofthis/agent",
        "a2a:http://127.0.0.1:9/hook/sk-of-this-testofthistestofthis/agent",
        "mcp:python agent.py sk-of-this-testofthistestofthis",
        "mcp:env MODE=sk-of-this-testofthistestofthis python agent.py",
        "stdio:python agent.py --at=https://me:sk-of-this-test@db.example/",
    ],
)
def test_a_secret_in_its_name_is_refused(stage: Stage, agent: str) -> None:
    stage.program.env["SOME_TOKEN"] = "of-the-environment"
    done = stage.run(agent)
    assert done.status == 2
    assert "--agent must not hold a secret" in done.err
    assert "sk-of-this-test" not in done.text
    assert stage.program.run_files() == []


def test_what_only_looks_like_a_secret_is_not_refused(stage: Stage) -> None:
    stage.program.env["SHORT_KEY"] = "a"
    harmless = ["--sort-key", "created_at", "--max-tokens", "1000000", "--api-key", "$OPENAI_API_KEY", "--key", "short"]
    done = stage.program("agents", "check", "stdio:" + shlex.join([sys.executable, "-c", "pass", *harmless]))
    assert "ended with status 0" in done.out


def test_an_agent_at_an_address(stage: Stage) -> None:
    with Address(stage.plans) as address:
        stage.program.env["TRIALKIT_AGENT_TOKEN"] = "letmein-please"
        done = stage.run(address.url, "--max-concurrency", "3")
        assert done.status == 0, done.text
        assert set(stage.outcomes().values()) == {"pass"}
        assert address.conversations == {}  # every one of them was ended
        assert set(address.tokens) == {"Bearer letmein-please"}
        assert b"letmein" not in stage.program.last_run().read_bytes()
        assert stage.program("agents", "check", address.url).status == 0
    assert stage.program("replay", str(stage.program.last_run())).status == 0


@pytest.mark.parametrize(
    ("wrong", "kind", "said"),
    [
        (web.Response(status=500, text="sorry"), "server", "HTTP status 500: sorry"),
        (web.Response(status=302), "server", "HTTP status 302; it is not followed elsewhere"),
        (web.Response(status=429, text="later"), "rate_limit", "HTTP status 429: later"),
        (web.Response(body=b"x" * (2**25 + 1)), "bad_reply", "more than 32 MB"),
        (web.Response(text="<html>"), "bad_reply", "not JSON"),
        (web.Response(text='{"n": 99, "type": "reply", "text": ""}'), "bad_reply", "out of turn"),
    ],
)
def test_faults_at_an_address(stage: Stage, wrong: web.Response, kind: str, said: str) -> None:
    with Address(stage.plans) as address:
        address.wrong = wrong
        assert stage.run(address.url, tasks="0,1").status == 3
        assert address.conversations == {}  # it hears of the end all the same
    assert {error[0] for error in stage.errors().values()} == {kind}
    assert all(said in (error[1] or "") for error in stage.errors().values())


def test_a_long_answer_from_an_address_is_read_to_its_end(stage: Stage) -> None:
    """It comes in many parts."""
    with Address(stage.plans) as address:
        address.last_words = "done " * 200_000
        done = stage.run(address.url, tasks="0,1")
    assert done.status == 0, done.text
    assert set(stage.outcomes().values()) == {"pass"}


def test_an_address_that_is_slow_or_gone(stage: Stage) -> None:
    with Address(stage.plans) as address:
        address.delay = 30.0
        assert stage.run(address.url, "--agent-timeout", "0.5", tasks="0").status == 3
        assert stage.errors()["0"][0] == "timeout"
        assert address.conversations == {}
        gone = address.url
    done = stage.run(gone, tasks="0")
    assert done.status == 2
    assert "no answer from the agent at" in done.err
