"""Retail tasks end to end: trialkit, the real FastWorkflow, and a scripted model behind HTTP."""

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.agents.fastworkflow.script import Script, execute
from tests.e2e.program import Program, Result
from tests.e2e.waiting import wait_for
from tests.server import Fault, Hang, Server
from tests.shared import shared_path
from trialkit.runfile import RunFile


@pytest.fixture
def tasks() -> list[dict[str, Any]]:
    read: list[dict[str, Any]] = json.loads(shared_path("tau-bench", "retail", "tasks_test.json").read_text())
    return read


@pytest.fixture
def trialkit(tmp_path: Path, cache: Path) -> Program:
    program = Program(tmp_path)
    prices = tmp_path / "prices.json"
    price = {"litellm_provider": "openai", "input_cost_per_token": 1e-6, "output_cost_per_token": 2e-6}
    prices.write_text(json.dumps({"scripted": price}))
    program.env["TRIALKIT_PRICES"] = str(prices)
    return program


def arguments(server: Server, tasks: str, *options: str) -> list[str]:
    data = str(shared_path("tau-bench"))
    where = ["--data-dir", data, "--task-ids", tasks]
    if "--model" not in options:
        where += ["--model", "openai/scripted", "--api-base", server.openai_base]
    fixed = ["--user-strategy", "scripted", "--retries", "0", "--agent-timeout", "100"]
    return ["run", "tau-bench/retail", "--agent", "fastworkflow", *where, *fixed, *options]


def run(trialkit: Program, server: Server, tasks: str, *options: str) -> Result:
    return trialkit(*arguments(server, tasks, *options))


def test_retail_tasks_two_at_a_time(
    trialkit: Program, server: Server, script: Script, tasks: list[dict[str, Any]]
) -> None:
    """0, 1 and 5 are solved; 6 is not even tried; 18 cannot be solved, since FastWorkflow refuses what it asks for."""
    solved = {"0", "1", "5", "18"}
    script.plans = {
        task["instruction"]: [execute(one["name"], one["kwargs"]) for one in task["actions"]]
        for number, task in enumerate(tasks)
        if str(number) in solved
    }
    done = run(trialkit, server, "0,1,5,6,18", "--max-concurrency", "2")
    assert done.status == 0, done.text
    with RunFile(trialkit.last_run()) as file:
        rows = {row.case_id: row for row in file.trials()}
        versions = file.info().versions
        events = file.transcript(rows["0"].id)
    assert {case: row.outcome for case, row in rows.items()} == {
        "0": "pass",
        "1": "pass",
        "5": "pass",
        "6": "fail",
        "18": "fail",
    }
    assert rows["0"].decided is not None
    assert rows["0"].decided.score == 1.0
    assert (rows["18"].output or {})["notes"]
    assert any("no tool was called" in note["detail"] for note in (rows["18"].output or {})["notes"])
    assert versions["agent mode"] == "stub"
    assert "FastWorkflow stub (openai/scripted)" in done.out
    assert "FastWorkflow paper, user GPT-5" in " ".join(done.out.split())
    lacking = [event.data["tools"] for event in events if event.kind == "agent lacks tools"]
    assert lacking == [["think"]]
    roles = {part["role"] for event in events if event.kind == "agent usage" for part in event.data["parts"]}
    assert {"agent", "planner"} <= roles
    report = json.loads(trialkit("report", str(trialkit.last_run()), "--format", "json").out)
    asked = script.asked.total()
    assert report["metrics"]["cost_usd"]["value"] == pytest.approx(asked * (100 * 1e-6 + 10 * 2e-6))
    assert report["metrics"]["roles"]["agent"]["calls"]["value"] == asked
    assert "agent in mode stub" in " ".join(done.out.split())
    by_role = report["metrics"]["agent"]["roles"]
    assert set(by_role) == {"agent", "planner"}
    assert sum(role["cost_usd"]["value"] for role in by_role.values()) == pytest.approx(asked * 1.2e-4)
    assert trialkit("replay", str(trialkit.last_run())).status == 0


def test_anthropics_protocol_at_an_address_of_ones_own(
    trialkit: Program, server: Server, script: Script, tasks: list[dict[str, Any]]
) -> None:
    script.plans = {tasks[0]["instruction"]: [execute(one["name"], one["kwargs"]) for one in tasks[0]["actions"]]}
    done = run(trialkit, server, "0", "--model", "anthropic/scripted", "--api-base", f"{server.url}/v1")
    assert done.status == 0, done.text
    with RunFile(trialkit.last_run()) as file:
        assert [row.outcome for row in file.trials()] == ["pass"]


def test_a_bad_key_is_an_error_without_a_verdict_and_the_run_is_not_resumed_in_another_mode(
    trialkit: Program, server: Server, script: Script, cache: Path
) -> None:
    script.fault = Fault(kind="bad_key")
    assert run(trialkit, server, "0", "--max-concurrency", "1").status == 3
    with RunFile(trialkit.last_run()) as file:
        assert [(row.outcome, row.error_kind) for row in file.trials()] == [("error", "auth")]
    pretend_trained(cache)
    done = trialkit("resume", "--errors", str(trialkit.last_run()))
    assert done.status == 2
    assert "the agent of this run is fastworkflow 2.30.1 stub" in done.err
    assert "now it would be fastworkflow 2.30.1 trained" in done.err


def test_a_worker_that_is_killed_costs_one_trial(
    trialkit: Program, server: Server, script: Script, tasks: list[dict[str, Any]]
) -> None:
    """`kill -9` while its model thinks: that trial ends in error, the next one gets a new process."""
    script.plans = {tasks[1]["instruction"]: [execute(one["name"], one["kwargs"]) for one in tasks[1]["actions"]]}
    script.fault = Hang()
    with trialkit.start(*arguments(server, "0,1", "--max-concurrency", "1"), alone=True) as program:
        wait_for(lambda: bool(script.asked))
        script.fault = None
        (supervisor,) = children_of(program.pid)
        (worker,) = children_of(supervisor)
        os.kill(worker, signal.SIGKILL)
        said, _ = program.communicate(timeout=90)
    assert program.returncode == 3, said
    with RunFile(trialkit.last_run()) as file:
        assert {row.case_id: row.outcome for row in file.trials()} == {"0": "error", "1": "pass"}


def children_of(parent: int) -> list[int]:
    done = subprocess.run(["ps", "-o", "pid=", "--ppid", str(parent)], capture_output=True, text=True, check=False)
    return [int(pid) for pid in done.stdout.split()]


def test_without_it_the_command_is_told(tmp_path: Path, server: Server) -> None:
    done = run(Program(tmp_path), server, "0")
    assert done.status == 2
    assert "trialkit agents install fastworkflow --slim" in done.err


def pretend_trained(cache: Path) -> None:
    """Beside the real environment, in this test's own cache, one that looks full and trained."""
    real = (cache / "agents").resolve()
    (cache / "agents").unlink()
    for folder in ("fastworkflow-2.30.1-full", "fw-2.30.1-trained"):
        (cache / "agents" / folder).mkdir(parents=True)
        (cache / "agents" / folder / "trialkit.json").write_text("{}")
    (cache / "agents" / "fastworkflow-2.30.1-full" / "bin").symlink_to(real / "fastworkflow-2.30.1-slim" / "bin")


def test_a_scripted_model_is_not_for_it(trialkit: Program) -> None:
    (trialkit.folder / "said.json").write_text('{"replies": [{"text": "hello"}]}')
    where = ["--data-dir", str(shared_path("tau-bench")), "--task-ids", "1", "--user-strategy", "scripted"]
    done = trialkit("run", "tau-bench/retail", "--agent", "fastworkflow", "--model", "scripted:said.json", *where)
    assert done.status == 2
    assert "asks its model over HTTP" in done.err


def test_it_has_nothing_for_an_airline(trialkit: Program, server: Server) -> None:
    data = str(shared_path("tau-bench"))
    where = ["--model", "openai/scripted", "--api-base", server.openai_base, "--data-dir", data, "--task-ids", "1,2"]
    done = trialkit("run", "tau-bench/airline", "--agent", "fastworkflow", *where, "--user-strategy", "scripted")
    assert done.status == 2
    assert "it lacks tools that every chosen task needs" in done.err
