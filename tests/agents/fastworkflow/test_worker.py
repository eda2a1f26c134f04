"""The worker with the real FastWorkflow: what trialkit puts right in it, each shown by what would go wrong without."""

import ast
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import trialkit.agents.fastworkflow
from tests.agents.fastworkflow.conftest import Worker
from tests.agents.fastworkflow.script import Script, execute
from tests.server import Fault, Server
from trialkit.agents.fastworkflow import Venv
from trialkit.agents.fastworkflow.kind import command

LOOK = execute("get_order_details", {"order_id": "#W1"})
UNCLEAR = ("execute_workflow_query", {"command": "the account of this person, please <user_id>ann_lee_1</user_id>"})


def test_it_says_what_it_is(worker: Worker, server: Server) -> None:
    ready = worker.start(server)
    assert (ready["name"], ready["mode"]) == ("FastWorkflow", "stub")
    assert ready["version"].startswith("2.30.1 ")
    assert len(ready["tools"]) == 15
    assert "think" not in ready["tools"]


def test_tools_are_executed_by_whoever_asks(worker: Worker, script: Script) -> None:
    items = {
        "order_id": "#W1",
        "item_ids": ["1", "2"],
        "new_item_ids": ["3", "4"],
        "payment_method_id": "credit_card_1",
    }
    script.plans = {"swap": [LOOK, execute("exchange_delivered_order_items", items)]}
    calls, answer = worker.turn("swap them")
    assert calls == [("get_order_details", {"order_id": "#W1"}), ("exchange_delivered_order_items", items)]
    assert (answer["type"], answer["text"]) == ("reply", "All of that is done.")


def test_commands_and_what_becomes_of_them_are_told(worker: Worker, script: Script) -> None:
    script.plans = {"go": [LOOK]}
    first = worker.say(type="user", text="go")
    assert first["notes"] == ["command: get_order_details <order_id>#W1</order_id>"]


def test_a_command_that_it_refuses_is_told(worker: Worker, script: Script) -> None:
    same = {"order_id": "#W1", "item_ids": ["1"], "new_item_ids": ["1"], "payment_method_id": "credit_card_1"}
    script.plans = {"swap": [execute("exchange_delivered_order_items", same)]}
    calls, answer = worker.turn("swap it for itself")
    assert calls == []
    assert any("no tool was called" in note for note in answer["notes"])


def test_the_policy_and_the_settings_reach_the_prompts(worker: Worker, server: Server, script: Script) -> None:
    worker.start(server, temperature=0.25, max_tokens=321, seed=7)
    worker.turn("hello")
    kinds = {"next_tool_args", "next_steps"}
    for kind in kinds:
        bodies = [seen.body for seen in server.requests if kind in str(seen.body["messages"])]
        assert bodies
        assert all("Be kind to goats." in str(body["messages"]) for body in bodies)
        assert {(body["temperature"], body["max_tokens"], body["seed"]) for body in bodies} == {(0.25, 321, 7)}


def test_anthropics_protocol_at_an_address_of_ones_own(worker: Worker, server: Server, script: Script) -> None:
    script.plans = {"go": [LOOK]}
    worker.start(server, model="anthropic/scripted", api_base=server.url)
    assert worker.turn("go")[0] == [("get_order_details", {"order_id": "#W1"})]
    assert {seen.protocol for seen in server.requests} == {"anthropic"}


def test_tokens_are_told_by_role(worker: Worker, script: Script) -> None:
    script.plans = {"go": [LOOK]}
    before = worker.say(type="user", text="go")
    spent = {part["role"]: part["input_tokens"] for part in before["usage"]}
    assert spent == {"planner": 100, "agent": 100}
    assert {part["role"]: part["calls"] for part in before["usage"]} == {"planner": 1, "agent": 1}
    after = worker.say(type="results", results=[{"id": "x", "name": "x", "text": "{}"}])
    assert sum(part["input_tokens"] for part in after["usage"]) == 100 * (script.asked.total() - 2)


def test_the_step_counter_begins_anew_with_each_turn(worker: Worker, script: Script) -> None:
    """FastWorkflow gives an agent 25 steps; without the fix the second turn would get what the first left of them."""
    script.plans = {"first": [LOOK] * 15, "second": [LOOK] * 15}
    assert len(worker.turn("the first thing")[0]) == 15
    assert len(worker.turn("the second thing")[0]) == 15


def test_nothing_comes_from_a_cache(worker: Worker, server: Server, script: Script) -> None:
    script.plans = {"go": [LOOK]}
    worker.turn("go")
    once = script.asked.copy()
    worker.start(server)
    worker.turn("go")
    assert script.asked == once + once


def test_a_conversation_that_is_too_long_is_shortened(worker: Worker, script: Script) -> None:
    script.plans = {"go": [LOOK] * 4}
    script.overflows = 1
    calls, answer = worker.turn("go")
    assert (len(calls), answer["type"]) == (4, "reply")


def test_a_command_that_is_clarified_needs_no_human(worker: Worker, script: Script) -> None:
    """The model says needs_human: False, in so many letters."""
    script.plans = {"go": [UNCLEAR]}
    script.clarified = "get_user_details <user_id>ann_lee_1</user_id>"
    calls, _ = worker.turn("go")
    assert calls == [("get_user_details", {"user_id": "ann_lee_1"})]


def test_a_question_to_the_user_is_a_reply_and_the_turn_goes_on(worker: Worker, script: Script) -> None:
    script.plans = {"lost": [("ask_user", {"clarification_request": "Which order?"}), LOOK]}
    calls, answer = worker.turn("I lost something")
    assert (calls, answer["type"], answer["text"]) == ([], "reply", "Which order?")
    calls, answer = worker.turn("that of last week")
    assert ([name for name, _ in calls], answer["text"]) == (["get_order_details"], "All of that is done.")


def test_a_message_with_a_slash_goes_to_the_agent(worker: Worker, script: Script) -> None:
    worker.turn("/get_user_details <user_id>ann_lee_1</user_id>")
    assert script.asked["react"] == 1


def test_two_processes_do_not_get_in_each_others_way(environment: Venv, worker: Worker, script: Script) -> None:
    """An unclear command makes use of the RocksDB file, which only one process can have open."""
    script.plans = {"go": [UNCLEAR] * 8}
    script.clarified = "get_user_details <user_id>ann_lee_1</user_id>"
    other = Worker(environment)
    with Server(script) as server, ThreadPoolExecutor() as threads:
        other.start(server)
        turns = list(threads.map(lambda one: one.turn("go"), (worker, other)))
    assert other.place.is_dir()
    assert other.close() == 0
    assert not other.place.exists()
    assert [len(calls) for calls, _ in turns] == [8, 8]


def test_what_it_learns_is_its_own_and_ends_with_the_trial(worker: Worker, server: Server, script: Script) -> None:
    """Stock, a RocksDB file beside the workflow stays for all trials to come."""
    script.plans = {"go": [UNCLEAR]}
    script.clarified = "get_user_details <user_id>ann_lee_1</user_id>"
    worker.turn("go")
    assert list(worker.place.glob("**/cache.db"))
    worker.start(server)
    assert list(worker.place.glob("**/cache.db")) == []


def test_a_folder_that_others_can_write_to_is_not_used(environment: Venv, tmp_path: Path) -> None:
    """It runs code from there."""
    (tmp_path / f"trialkit-fastworkflow-{os.getuid()}").mkdir(mode=0o777)
    (tmp_path / f"trialkit-fastworkflow-{os.getuid()}").chmod(0o777)
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run(command(environment), env=env, input="", capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "is not this user's own folder" in done.stderr


def test_a_turn_can_be_given_up(worker: Worker, server: Server, script: Script) -> None:
    script.plans = {"go": [LOOK, LOOK]}
    assert worker.say(type="user", text="go")["type"] == "calls"
    assert worker.say(type="end")["type"] == "ended"
    worker.start(server)
    assert len(worker.turn("go")[0]) == 2


@pytest.mark.parametrize(("fault", "kind"), [("bad_key", "auth"), ("rate_limit", "rate_limit"), ("server", "server")])
def test_a_model_that_fails_is_an_error_and_no_answer(
    worker: Worker, server: Server, script: Script, fault: str, kind: str
) -> None:
    script.fault = Fault(kind=fault)  # type: ignore[arg-type]  # one of the names above
    _, answer = worker.turn("hello")
    assert (answer["type"], answer["kind"]) == ("error", kind)
    script.fault = None
    worker.start(server)
    assert worker.turn("hello")[1]["type"] == "reply"


def test_it_imports_nothing_of_trialkit() -> None:
    folder = Path(trialkit.agents.fastworkflow.__file__).parent / "worker"
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            assert not any(name.split(".")[0] == "trialkit" for name in names), path
