"""One primary class per failed trial and all the evidence, on tiny shops of our own."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.suites.tau.common.breakdown.outputs import broken_down, kinds, of_kind, output, said
from tests.suites.tau.domains import CANCEL, TASKS, load, write_plain
from tests.suites.tau.v2 import tiny as tau2
from trialkit.suites.tau import Action, Domain
from trialkit.suites.tau.common.breakdown import CLASSES, explain

TRANSFER: Action = {"name": "transfer_to_human_agents", "kwargs": {"summary": "cannot"}}
LOOK: Action = {"name": "get_order_details", "kwargs": {"order_id": "#W1"}}
GOOD_BYE = said("You get $30.3 back, thanks!")


def modify(**changes: Any) -> Action:
    kwargs = {"order_id": "#W1", "item_ids": ["11"], "new_item_ids": ["12"], "payment_method_id": "credit_card_1"}
    return {"name": "modify_pending_order_items", "kwargs": kwargs | changes}


def cancel(**changes: Any) -> Action:
    return {"name": CANCEL["name"], "kwargs": CANCEL["kwargs"] | changes}


def address(zip_code: str) -> Action:
    texts = dict.fromkeys(("address1", "address2", "city", "state", "country"), "x")
    return {"name": "modify_user_address", "kwargs": {"user_id": "ada_1", **texts, "zip": zip_code}}


@pytest.fixture
def shop(tmp_path: Path) -> Domain:
    """Task 0: cancel and say 30.3; 1: nothing; 2: transfer; 3: change the items; 4: an address, corrected."""
    tasks = [
        TASKS[0] | {"outputs": ["30.3"]},
        TASKS[1],
        TASKS[1] | {"actions": [TRANSFER]},
        TASKS[1] | {"actions": [LOOK, modify()]},
        TASKS[1] | {"actions": [address("1"), address("2")]},
    ]
    return load("retail", write_plain(tmp_path, tasks_test=tasks))


@pytest.mark.parametrize(
    ("task", "actions", "end", "expected"),
    [
        (0, [GOOD_BYE], "user_stop", "missing_write"),
        (0, [cancel(reason="ordered by mistake"), GOOD_BYE], "user_stop", "wrong_arguments"),
        (0, [CANCEL, address("9"), GOOD_BYE], "user_stop", "extra_write"),
        (0, [modify(), GOOD_BYE], "user_stop", "wrong_tool"),
        (0, [CANCEL, said("Done.")], "user_stop", "output_not_said"),
        (0, [LOOK, TRANSFER], "transfer", "premature_transfer"),
        (0, [cancel(reason="ordered by mistake"), TRANSFER], "transfer", "wrong_arguments"),
        (0, [CANCEL, said("Wait.")], "max_steps", "max_steps"),
        (0, [LOOK, LOOK, LOOK], "max_steps", "loop"),
        (0, [LOOK, LOOK, LOOK, GOOD_BYE], "user_stop", "missing_write"),
        (0, [said("Hm?"), said("Hm?"), said("Hm?")], "max_steps", "loop"),
        (0, [LOOK], "too_many_errors", "too_many_errors"),
        (0, [LOOK], "judge_stop", "judge_stop"),
        (0, [LOOK, LOOK, LOOK], "judge_stop", "loop"),
        (0, [LOOK], "agent_error", "agent_error"),
        (0, [LOOK], "user_error", "user_error"),
        (1, [CANCEL, said("Hello")], "user_stop", "extra_write"),
        (2, [CANCEL, said("Hello")], "user_stop", "extra_write"),
        (4, [address("2"), address("1")], "user_stop", "wrong_order"),
    ],
)
def test_the_class(shop: Domain, task: int, actions: list[Action], end: str, expected: str) -> None:
    breakdown = broken_down(shop, shop.tasks("test")[task], actions, end)
    assert breakdown["class"] == expected
    assert kinds(breakdown) <= set(CLASSES)
    assert breakdown["summary"].endswith(".")
    assert "\n" not in breakdown["summary"]


def test_a_wrong_argument_is_shown_with_what_belongs_there(shop: Domain) -> None:
    breakdown = broken_down(shop, shop.tasks("test")[3], [modify(payment_method_id="gift_card_1", order_id="#W1")])
    assert [item for item in breakdown["evidence"] if item["kind"] != "invalid_calls"] == [
        {
            "kind": "wrong_arguments",
            "step": 1,
            "tool": "modify_pending_order_items",
            "about": {"order_id": "#W1"},
            "differences": [
                {"argument": "payment_method_id", "expected": "credit_card_1", "found": "gift_card_1"},
            ],
            "observation": "Error: insufficient gift card balance to pay for the new item",
        }
    ]
    assert 'payment_method_id "gift_card_1", not "credit_card_1"' in breakdown["summary"]


def test_who_repeats_a_call_is_told(shop: Domain) -> None:
    by_user: Action = {**LOOK, "by": "user"}
    found = broken_down(shop, shop.tasks("test")[0], [by_user, by_user, by_user, LOOK], "max_steps")
    assert found["summary"].endswith(" was repeated by the user 3 times.")
    assert broken_down(shop, shop.tasks("test")[0], [by_user, by_user, LOOK], "max_steps")["class"] == "max_steps"


def test_a_write_that_came_too_late_was_tried(shop: Domain) -> None:
    """Once the items are changed the order is not pending any more, so that nothing can be cancelled."""
    breakdown = broken_down(shop, shop.tasks("test")[0], [modify(), CANCEL, GOOD_BYE])
    assert breakdown["class"] == "wrong_tool"
    late = broken_down(shop, shop.tasks("test")[3], [CANCEL, modify()])
    assert of_kind(late, "wrong_tool")[0]["expected_tool"] == "modify_pending_order_items"
    assert of_kind(late, "invalid_calls")[0]["calls"][0]["step"] == 2


def test_what_the_scorer_forgives_is_no_evidence(shop: Domain) -> None:
    """The first address of task 4 is overwritten, reads and a failed call change nothing."""
    task = shop.tasks("test")[4]
    assert shop.score(task, [address("2")]).reward == 1.0
    breakdown = broken_down(shop, task, [LOOK, address("2"), CANCEL])
    assert kinds(breakdown) == {"extra_write"}


def test_invalid_calls_are_listed_with_what_was_answered(shop: Domain) -> None:
    unknown: Action = {"name": "juggle", "kwargs": {}}
    wrong = cancel(order_id="#W9")
    notes = [{"step": 2, "rule": "invalid_arguments", "detail": "the arguments are not JSON"}]
    breakdown = broken_down(shop, shop.tasks("test")[0], [unknown, wrong, GOOD_BYE], notes=notes)
    (found,) = of_kind(breakdown, "invalid_calls")
    assert found["count"] == 3
    assert [call.get("observation") or call["detail"] for call in found["calls"]] == [
        "Unknown action juggle",
        "Error: order not found",
        "the arguments are not JSON",
    ]
    assert breakdown["class"] == "missing_write"


def test_transfers_are_held_against_the_ground_truth(shop: Domain) -> None:
    without = broken_down(shop, shop.tasks("test")[2], [CANCEL, said("Hello")])
    assert of_kind(without, "missing_transfer")
    early = broken_down(shop, shop.tasks("test")[0], [LOOK, TRANSFER, CANCEL], "transfer")
    assert of_kind(early, "premature_transfer") == [
        {"kind": "premature_transfer", "step": 2, "arguments": {"summary": "cannot"}}
    ]
    assert of_kind(early, "missing_write")  # what follows a transfer is not done


def test_the_user_who_left_too_early_is_quoted(shop: Domain) -> None:
    talk = [{"role": "user", "content": "Never mind. ###STOP###"}, {"role": "assistant", "content": "Bye"}]
    breakdown = broken_down(shop, shop.tasks("test")[0], [said("Hm?")], messages=talk)
    (found,) = of_kind(breakdown, "user_ended")
    assert (found["said"], found["in_the_middle"]) == ("Never mind. ###STOP###", False)
    assert breakdown["class"] == "missing_write"


OFFER = "I cancel #W1 and you get $30.3 back. Please confirm to proceed."


@pytest.mark.parametrize(
    ("reply", "last", "left"),
    [
        (OFFER, "Yes, let's proceed. ###STOP###", True),
        (OFFER, "Confirm. That's it.\n\n###STOP###", True),
        ("Shall I cancel it?", "Sure, please go ahead and do it. ###STOP###", True),
        ("Would you like to use your gift card?", "Yeah, that's ok ###STOP###", True),
        (OFFER, "###STOP###", False),
        (OFFER, "No, please leave it as it is. ###STOP###", False),
        (OFFER, "Actually, never mind. ###STOP###", False),
        (OFFER, "I will get back to you. ###STOP###", False),
        ("Is there anything else?", "Yes, thanks for everything, bye! ###STOP###", False),
        ("Would you like help with anything else?", "Nothing. You have been correct and kind. ###STOP###", False),
        ("Just let me know if you have further questions.", "Will do, thanks! ###STOP###", False),
        ("It is done. Have a nice day!", "Yes, you too! ###STOP###", False),
    ],
)
def test_a_user_who_agrees_and_stops_in_the_same_breath_is_the_reason(
    shop: Domain, reply: str, last: str, left: bool
) -> None:
    """Plain farewells stay the agent's failure."""
    talk = [{"role": "assistant", "content": reply}, {"role": "user", "content": last}]
    breakdown = broken_down(shop, shop.tasks("test")[0], [LOOK, said(reply)], messages=talk)
    assert breakdown["class"] == ("user_ended" if left else "missing_write")
    assert of_kind(breakdown, "user_ended")[0]["in_the_middle"] == left
    assert of_kind(breakdown, "missing_write")


def test_a_wrong_write_explains_more_than_a_user_who_left(shop: Domain) -> None:
    talk = [{"role": "assistant", "content": OFFER}, {"role": "user", "content": "Yes. ###STOP###"}]
    breakdown = broken_down(shop, shop.tasks("test")[0], [address("9"), said(OFFER)], messages=talk)
    assert breakdown["class"] == "extra_write"


def test_steps_are_those_of_the_notes_and_in_order(shop: Domain) -> None:
    """tau2 executes several calls in one step, and a call that cannot be read is a step without an action."""
    unknown: Action = {"name": "juggle", "kwargs": {}}
    notes = [{"step": 2, "rule": "invalid_arguments", "detail": "not JSON"}]
    actions = [unknown, address("9"), unknown, GOOD_BYE]
    breakdown = broken_down(shop, shop.tasks("test")[0], actions, notes=notes, action_steps=[1, 1, 3, 4])
    assert [call["step"] for call in of_kind(breakdown, "invalid_calls")[0]["calls"]] == [1, 2, 3]
    assert of_kind(breakdown, "extra_write")[0]["step"] == 1


def test_nothing_to_explain_is_said_so(shop: Domain) -> None:
    task = shop.tasks("test")[0]
    breakdown = broken_down(shop, task, [CANCEL, GOOD_BYE])
    assert breakdown == {
        "class": "unexplained",
        "summary": "Nothing in the trial's output explains the failure.",
        "evidence": [],
    }


def criteria(*basis: str, **parts: Any) -> dict[str, Any]:
    actions = [
        {"action_id": "a", "name": "get_order_details", "arguments": {"order_id": "#W1"}},
        {"action_id": "b", "name": "cancel_pending_order", "arguments": tau2.CANCEL},
    ]
    return {"evaluation_criteria": {"actions": actions, "reward_basis": list(basis)} | parts}


MUG: Action = {"name": "cancel_pending_order", "kwargs": tau2.CANCEL}


@pytest.mark.parametrize(
    ("parts", "actions", "expected"),
    [
        (criteria("DB"), [said("Bye")], "missing_write"),
        (criteria("DB", "ACTION"), [MUG, said("Bye")], "action_not_made"),
        (criteria("DB", "COMMUNICATE", communicate_info=["12.5"]), [MUG, said("Bye")], "output_not_said"),
        (criteria("DB", communicate_info=["12.5"]), [said("Bye")], "missing_write"),
    ],
)
def test_tau2_is_explained_by_what_its_basis_counts(
    tiny: Callable[..., Domain], parts: dict[str, Any], actions: list[Action], expected: str
) -> None:
    domain = tiny(tau2.task(**parts))
    (task,) = domain.tasks("base")
    breakdown = broken_down(domain, task, actions)
    assert breakdown["class"] == expected
    assert ("output_not_said" in kinds(breakdown)) == (expected == "output_not_said")


def test_tau2_assertions_that_a_judge_denied(tiny: Callable[..., Domain]) -> None:
    domain = tiny(tau2.task(**criteria("DB", "NL_ASSERTION", nl_assertions=["The agent is polite."])))
    (task,) = domain.tasks("base")
    score = domain.score(task, [MUG]).judged([False])
    breakdown = explain(domain, task, output(domain, [MUG]), score)
    assert breakdown["class"] == "assertion_failed"


def test_tau2_starts_from_the_initial_state_of_the_task(tiny: Callable[..., Domain]) -> None:
    """Only in the task's own state can order #W2 be cancelled."""
    state = {"initialization_data": {"agent_data": {"orders": {"#W2": {"status": "pending"}}}}}
    wanted = tau2.CANCEL | {"order_id": "#W2"}
    gold = {"action_id": "a", "name": "cancel_pending_order", "arguments": wanted}
    domain = tiny(tau2.task(initial_state=state, evaluation_criteria={"actions": [gold]}))
    (task,) = domain.tasks("base")
    (found,) = of_kind(broken_down(domain, task, [said("Bye")]), "missing_write")
    assert found["arguments"] == wanted
