"""The ground truth of real tasks, played exactly, or with one write dropped, changed or added."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.suites.tau.common.breakdown.outputs import broken_down, of_kind
from tests.suites.tau.domains import shared_domain
from trialkit.suites.tau import Action, Domain, Task, load_domain
from trialkit.suites.tau.common.breakdown.writes import key_of, played

NAMES = ("tau-bench/retail", "tau-bench/airline", "tau2/retail", "tau2/airline")
WRITES = {"wrong_tool", "wrong_arguments", "missing_write", "extra_write", "wrong_order"}
quick = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module", params=NAMES)
def domain(request: pytest.FixtureRequest) -> Domain:
    name: str = request.param
    if name.startswith("tau2/"):
        return load_domain(name, request.getfixturevalue("tau2_home"))
    return shared_domain(name.removeprefix("tau-bench/"))


def tasks_of(domain: Domain) -> list[Task]:
    return list(domain.tasks("base" if domain.name.startswith("tau2/") else "test"))


def calls_of(domain: Domain, task: Task) -> list[Action]:
    return [action for action in task.actions if action["name"] not in domain.ending_tools]


def writes_of(domain: Domain, task: Task) -> list[int]:
    return [one.place for one in played(domain, task, calls_of(domain, task)) if one.wrote]


SOUND: dict[str, list[Task]] = {}


def sound_tasks(domain: Domain) -> list[Task]:
    """Those whose ground truth does not itself fail."""
    if domain.name not in SOUND:
        SOUND[domain.name] = [task for task in tasks_of(domain) if not domain.check(task)]
    return SOUND[domain.name]


def drawn(data: st.DataObject, domain: Domain) -> tuple[Task, int]:
    """A task with writes, and the place of one of them."""
    task = data.draw(st.sampled_from(sound_tasks(domain)))
    places = writes_of(domain, task)
    assume(places)
    return task, data.draw(st.sampled_from(places))


def test_the_ground_truth_played_exactly_leaves_no_evidence_about_writes(domain: Domain) -> None:
    for task in tasks_of(domain):
        found = {item["kind"] for item in broken_down(domain, task, calls_of(domain, task))["evidence"]}
        assert not found & WRITES, task.id


@quick
@given(data=st.data())
def test_a_dropped_write_is_missing(domain: Domain, data: st.DataObject) -> None:
    task, place = drawn(data, domain)
    calls = calls_of(domain, task)
    rest = calls[:place] + calls[place + 1 :]
    assume(domain.score(task, rest).why.rows)
    breakdown = broken_down(domain, task, rest)
    assert [(item["tool"], item["arguments"]) for item in of_kind(breakdown, "missing_write")] == [
        (calls[place]["name"], calls[place]["kwargs"])
    ]
    assert breakdown["class"] == "missing_write"
    assert not {item["kind"] for item in breakdown["evidence"]} & (WRITES - {"missing_write"})


def test_another_write_for_the_same_user_is_not_taken_for_the_wrong_tool() -> None:
    """Nearly every call is about the user: only one on the same reservation would be."""
    domain = shared_domain("airline")
    task = next(
        one for one in domain.tasks("test") if [action["name"] for action in one.actions] == ["book_reservation"]
    )
    gift: Action = {"name": "send_certificate", "kwargs": {"user_id": task.user_id, "amount": 50}}
    breakdown = broken_down(domain, task, [gift])
    assert {item["kind"] for item in breakdown["evidence"]} >= {"missing_write", "extra_write"}
    assert not of_kind(breakdown, "wrong_tool")


@quick
@given(data=st.data())
def test_a_changed_argument_is_named(domain: Domain, data: st.DataObject) -> None:
    task, place = drawn(data, domain)
    calls = calls_of(domain, task)
    gold = calls[place]
    key = key_of(gold, domain)
    name = data.draw(st.sampled_from(sorted(set(gold["kwargs"]) - {key[0] if key else ""}) or [""]))
    assume(name)
    others = [
        action["kwargs"][name]
        for other in tasks_of(domain)
        for action in other.actions
        if action["name"] == gold["name"] and name in action["kwargs"]
    ]
    changed = gold["kwargs"] | {name: data.draw(st.sampled_from(others))}
    actions: list[Action] = [*calls[:place], {"name": gold["name"], "kwargs": changed}, *calls[place + 1 :]]
    assume(domain.score(task, actions).why.rows)
    breakdown = broken_down(domain, task, actions)
    wrong = [item for item in of_kind(breakdown, "wrong_arguments") if item["tool"] == gold["name"]]
    expected = {"argument": name, "expected": gold["kwargs"][name], "found": changed[name]}
    assert any(expected in item["differences"] for item in wrong)
    assert breakdown["class"] == "wrong_arguments"


@quick
@given(data=st.data())
def test_an_added_write_is_extra(domain: Domain, data: st.DataObject) -> None:
    task, _ = drawn(data, domain)
    other, place = drawn(data, domain)
    added = calls_of(domain, other)[place]
    actions = [*calls_of(domain, task), added]
    assume(domain.score(task, actions).why.rows)
    breakdown = broken_down(domain, task, actions)
    assert of_kind(breakdown, "extra_write") == [
        {"kind": "extra_write", "step": len(actions), "tool": added["name"], "arguments": added["kwargs"]}
    ]
    assert breakdown["class"] == "extra_write"
    assert not of_kind(breakdown, "missing_write")


def test_where_assertions_decide_a_write_counts_that_bears_on_them(tau2_home: Path) -> None:
    """Telecom: whose write it was is told, and what else is changed by the way is not held against anybody."""
    domain = load_domain("tau2/telecom", tau2_home)
    off: Action = {"name": "toggle_airplane_mode", "kwargs": {}, "by": "user"}
    by_the_way: list[Action] = [
        {"name": "suspend_line", "kwargs": {"customer_id": "C1002", "line_id": "L1004", "reason": "a mistake"}},
        {"name": "toggle_wifi", "kwargs": {}, "by": "user"},
    ]
    tasks = [task for task in domain.tasks("small") if domain.score(task, [*task.actions, off]).reward == 0.0]
    assert len(tasks) == 18  # the others only have to be handed over
    for task in tasks:
        assert domain.score(task, [*by_the_way, *task.actions]).reward == 1.0
        breakdown = broken_down(domain, task, [*by_the_way, *task.actions, off])
        (extra,) = of_kind(breakdown, "extra_write")
        assert (extra["tool"], extra["by"]) == ("toggle_airplane_mode", "user")
        assert (breakdown["class"], extra["step"]) == ("extra_write", len(task.actions) + 3)
        for place, left_out in enumerate(task.actions):
            rest = [*task.actions[:place], *task.actions[place + 1 :]]
            if domain.score(task, rest).reward:
                continue
            breakdown = broken_down(domain, task, [*by_the_way, *rest])
            missing, *more = of_kind(breakdown, "missing_write")
            found = (missing["tool"], missing["arguments"], missing.get("by"))
            assert found == (left_out["name"], left_out["kwargs"], left_out.get("by"))
            assert all("attempted_at_step" in one for one in more)  # a reboot that resets nothing for lack of the rest
            assert breakdown["class"] == "missing_write"
            assert (" by the user" in breakdown["summary"]) == (left_out.get("by") == "user")
