"""Telecom, where the customer has a phone: our environment against recordings of the reference, and its own door."""

import json
import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.run_files import ended, verdict, write_run
from tests.suites.tau.v2.conftest import load
from tests.suites.tau.v2.recorded import equal, lines, plain
from trialkit.errors import InputError
from trialkit.pages import Table
from trialkit.runfile import RunFile
from trialkit.suites.tau import Task, TauEnvironment, load_domain
from trialkit.suites.tau.common.tasks import BY, EnvCall, InitialData, InitialState
from trialkit.suites.tau.exhibits import exhibits
from trialkit.suites.tau.v2.domain import Tau2Domain
from trialkit.vocabulary import Case

ME = {"customer_id": "C1001", "line_id": "L1002"}


@pytest.fixture(scope="module")
def telecom(tau2_home: Path) -> Tau2Domain:
    return load("tau2/telecom", tau2_home)


@pytest.fixture(scope="module")
def tasks(telecom: Tau2Domain) -> dict[str, Task]:
    return {task.id: task for task in telecom.tasks("full")}


def test_calls(telecom: Tau2Domain, tasks: dict[str, Task]) -> None:
    wrong: list[object] = []
    count = 0
    for line in lines(telecom, "calls"):
        session = telecom.open(tasks[line["task"]])
        for call in line["calls"]:
            count += 1
            observation = _renamed(session.call(call["name"], call["kwargs"], BY[call["requestor"]]), session, telecom)
            if not equal(call["observation"], observation) or observation.startswith("Error:") != call["error"]:
                wrong.append((line["id"], call, observation))
        changed = json.loads(_renamed(json.dumps(session.changed()), session, telecom))
        if plain(changed) != plain(line["changed"]) or plain(session.user_state()) != plain(line["user"]):
            wrong.append((line["id"], changed, session.user_state()))
        said = [session.check(one["name"], one["kwargs"], by="user") for one in line["assertions"]]
        if said != [one["value"] for one in line["assertions"]]:
            wrong.append((line["id"], said))
    assert not wrong, f"{len(wrong)} of {count} differ, the first: {wrong[0]}"
    assert count > 7000


def _renamed(text: str, session: TauEnvironment, telecom: Tau2Domain) -> str:
    """The recording's names for bills that the environment invented; those are the drafts of next month."""
    bills = session.changed().get("bills", {})
    invented = [key for key, bill in bills.items() if key not in telecom.tables["bills"] and "-03-" in bill["due_date"]]
    for number, key in enumerate(invented, start=1):
        text = text.replace(key, f"Bnew{number:05}")
    return text


def test_episodes(telecom: Tau2Domain, tasks: dict[str, Task]) -> None:
    wrong: list[object] = []
    rewards = set()
    for line in lines(telecom, "episodes"):
        task = tasks[line["task"]]
        score = telecom.score(task, line["calls"])
        failed = [one.func_name for one in score.why.failed_assertions]
        ours = (score.reward, set(score.basis), {name: score.parts[name] for name in line["parts"]}, failed)
        theirs = [one["name"] for one in line["assertions"] if not one["met"]]
        if ours != (line["reward"], set(line["basis"]), line["parts"], theirs):
            wrong.append((line["id"], line["how"], ours))
        if bool(score.parts["DB"]) != line["db_match"]:
            wrong.append((line["id"], line["how"], score.why.rows))
        rewards.add(line["reward"])
    assert not wrong
    assert rewards == {0.0, 1.0}


def test_both_parties_earn_the_reward_by_the_ground_truth(telecom: Tau2Domain) -> None:
    assert {split: len(telecom.tasks(split)) for split in telecom.splits} == {
        "base": 114,
        "small": 20,
        "train": 74,
        "test": 40,
        "full": 2285,
    }
    for task in telecom.tasks("full"):
        score = telecom.score(task, task.actions)
        assert (score.reward, score.decided) == (1.0, True), (task.id, score.why)
    assert telecom.problems("base") == {}


def test_what_only_one_party_does_is_not_enough(telecom: Tau2Domain) -> None:
    """Where the ground truth has both do something."""
    shared = [task for task in telecom.tasks("base") if len({action.get("by") for action in task.actions}) == 2]
    assert len(shared) > 20
    for task in shared:
        for by in (None, "user"):
            done = [action for action in task.actions if action.get("by") == by]
            assert telecom.score(task, done).reward == 0.0


def test_the_two_suites_differ_in_the_policy_alone(telecom: Tau2Domain, tau2_home: Path) -> None:
    workflow = load("tau2/telecom-workflow", tau2_home)
    assert (len(telecom.tool_schemas), len(telecom.user_tool_schemas)) == (13, 30)
    assert workflow.tool_schemas == telecom.tool_schemas
    assert workflow.tasks("base") == telecom.tasks("base")
    starts = [domain.policy.partition("<tech_support_policy>")[0] for domain in (telecom, workflow)]
    assert starts[0] == starts[1] != ""
    assert telecom.policy != workflow.policy
    assert "tool" in telecom.user_guidelines
    assert telecom.user_guidelines != load("tau2/retail", tau2_home).user_guidelines


def test_the_door(tau2_home: Path) -> None:
    domain = load_domain("tau2/telecom", tau2_home)
    pristine = domain.open()
    assert pristine.user_state()["surroundings"]["phone_number"] is None
    assert pristine.call("toggle_data", {}, by="user").startswith("Mobile Data is now OFF.")
    assert pristine.user_state()["device"]["data_enabled"] is False
    assert pristine.changed() == {}
    assert list(pristine.left()) == ["user"]
    assert pristine.check("assert_mobile_data_status", {"expected_status": False}, by="user")
    assert pristine.call("toggle_data", {}) == "Error: Tool 'toggle_data' not found."
    assert pristine.call("break_vpn", {}, by="user") == "Error: Tool 'break_vpn' not found."
    with pytest.raises(ValueError, match="there is no function assert_nothing"):
        pristine.check("assert_nothing", {})
    task = next(task for task in domain.tasks("base") if "overdue_bill" in task.id)
    session = domain.open(task)
    assert not session.check("assert_service_status", {"expected_status": "connected"}, by="user")
    calls: list[Any] = [
        {"requestor": gold.requestor, "name": gold.name, "kwargs": dict(gold.arguments)} for gold in task.gold
    ]
    assert domain.score(task, calls).reward == 1.0
    assert domain.score(task, calls[:-1]).parts["ENV_ASSERTION"] == 0.0
    with pytest.raises(InputError, match="toggle_data: requestor 'robot'; it is assistant or user"):
        domain.score(task, [{"requestor": "robot", "name": "toggle_data", "kwargs": {}}])  # type: ignore[typeddict-item]


def test_the_worlds_are_in_step_before_the_first_message(telecom: Tau2Domain) -> None:
    """A task may bring data of both without any action."""
    (task,) = [task for task in telecom.tasks("base") if task.id.startswith("[service_issue]overdue")][:1]
    surroundings = {"phone_number": "555-123-2002", "signal_strength": {"5G": "none"}}
    lines = {"L1002": {"status": "Suspended", "roaming_enabled": False}}

    def opened(**data: Any) -> TauEnvironment:
        state = InitialState(initialization_data=InitialData(**data))
        return telecom.open(replace(task, initial_state=state))

    session = opened(agent_data={"lines": lines}, user_data={"surroundings": surroundings})
    around = session.user_state()["surroundings"]
    assert (around["line_active"], around["roaming_allowed"]) == (False, False)
    assert around["signal_strength"] == {"2G": "poor", "3G": "fair", "4G": "good", "5G": "none"}
    for data, fault in (
        ({"user_data": {"car": {}}}, "'car' in the user's environment, which does not exist"),
        ({"agent_data": {"user": {"device": {}}}}, "the table 'user', which does not exist"),
        ({"user_data": {"device": {"battery_level": "full"}}}, "row 'device' of user does not fit the database"),
        ({"user_data": {"surroundings": {"phone_number": "1"}}}, "do not fit together: Line with phone number 1"),
    ):
        with pytest.raises(InputError, match=fault):
            opened(**data)
    action = EnvCall(env_type="user", func_name="explode", arguments={})
    with pytest.raises(InputError, match="initial action explode fails: there is no function explode"):
        telecom.open(replace(task, initial_state=InitialState(initialization_actions=(action,))))


def test_what_a_trial_left_is_seen_beside_how_its_task_began(telecom: Tau2Domain, tmp_path: Path) -> None:
    (task,) = [task for task in telecom.tasks("small") if "roaming_disabled_off" in task.id]
    asked = Case(id=task.id, title="", group="small", data={"split": "small", "id": task.id, **task.asked()})
    run = write_run(tmp_path / "a.trial", [(asked, [ended(verdict("fail"), output={"actions": task.actions[:1]})])])
    with RunFile(run) as file:
        *_, changes = exhibits(telecom, asked, file.trials()[0])
    assert isinstance(changes, Table)
    assert {tuple(str(cell) for cell in row) for row in changes.rows} == {
        ("≠", "user device", "roaming_enabled", "false", "true", "false"),
        ("✓", "lines L1002", "roaming_enabled", "false", "true", "true"),
        ("✓", "user surroundings", "roaming_allowed", "false", "true", "true"),
    }
    assert "which this reward does not count" in changes.note


def test_a_bill_that_is_invented_is_the_same_in_every_replay(telecom: Tau2Domain) -> None:
    """So a recorded call that names it can be replayed."""

    def refuelled() -> TauEnvironment:
        session = telecom.open()
        session.call("refuel_data", {"customer_id": "C1002", "line_id": "L1005", "gb_amount": 1})
        return session

    one, other = refuelled(), refuelled()
    (bill,) = one.changed()["bills"]
    assert one.changed() == other.changed()
    asked = other.call("send_payment_request", {"customer_id": "C1002", "bill_id": bill})
    assert asked == f"Payment request sent to the customer for bill {bill}"


def test_an_open_session_costs_kilobytes(telecom: Tau2Domain) -> None:
    task = max(telecom.tasks("base"), key=lambda task: len(task.actions))
    telecom.score(task, task.actions)
    tracemalloc.start()
    session = telecom.open(task)
    for action in task.actions:
        session.call(action["name"], action["kwargs"], action.get("by", "agent"))
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert session.changed()
    assert size < 50_000
