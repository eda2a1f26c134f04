"""tau2's evaluation on tasks of our own: every basis, initial states, and what is off in a task."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.suites.tau.v2.tiny import CANCEL, DATABASE, Tiny, task
from trialkit.dialogue import Action
from trialkit.errors import InputError
from trialkit.suites.tau import Score, load_domain
from trialkit.suites.tau.v2.domain import Tau2Domain

Make = Callable[..., Tau2Domain]
CANCELLED = Action(name="cancel_pending_order", kwargs=CANCEL)


def said(text: Any) -> Action:
    return Action(name="respond", kwargs={"content": text})


def scored(domain: Tau2Domain, *actions: Action) -> Score:
    (only,) = domain.tasks("base")
    return domain.score(only, actions)


def criteria(**parts: Any) -> dict[str, Any]:
    """The task's own criteria with some parts replaced."""
    return task(evaluation_criteria=task()["evaluation_criteria"] | parts)


def test_without_a_split_file_all_tasks_are_the_base(tiny: Make) -> None:
    domain = tiny(task("x"), task("y"))
    assert domain.splits == ("base",)
    assert [one.id for one in domain.tasks("base")] == ["x", "y"]
    assert domain.policy == "Be kind."


def test_the_database_counts(tiny: Make) -> None:
    domain = tiny()
    assert scored(domain, CANCELLED).reward == 1.0
    score = scored(domain)
    assert (score.reward, score.r_actions, score.r_outputs) == (0.0, 0.0, 1.0)
    (row,) = score.why.rows
    assert (row.table, row.key) == ("orders", "#W1")
    assert row.expected is not None
    assert row.found is not None
    assert (row.expected["status"], row.found["status"]) == ("cancelled", "pending")


def test_an_extra_change_is_shown(tiny: Make) -> None:
    change = {"item_ids": ["mug-red"], "new_item_ids": ["mug-blue"], "payment_method_id": "gift_card_1"}
    domain = tiny(criteria(actions=[]))
    score = scored(domain, Action(name="modify_pending_order_items", kwargs={"order_id": "#W1"} | change))
    assert score.reward == 0.0
    assert {(row.table, row.key) for row in score.why.rows} == {("orders", "#W1"), ("users", "ada_1")}


def test_what_has_to_be_said(tiny: Make) -> None:
    domain = tiny(criteria(communicate_info=["1250", "Bergen"]))
    assert scored(domain, CANCELLED, said("That is 1,250 to"), said("BERGEN")).reward == 1.0
    score = scored(domain, CANCELLED, said("That is 1,250"), said(None))
    assert (score.reward, score.r_actions, score.r_outputs) == (0.0, 1.0, 0.0)
    assert score.why.missing_outputs == ("Bergen",)


def test_actions_count_only_where_the_task_says_so(tiny: Make) -> None:
    look = {"action_id": "b", "name": "get_order_details", "arguments": {"order_id": "#W2"}}
    gold = [*task()["evaluation_criteria"]["actions"], look]
    score = scored(tiny(criteria(actions=gold)), CANCELLED)
    assert (score.reward, score.parts["ACTION"]) == (1.0, 0.0)
    assert [action.action_id for action in score.why.unmatched_actions] == ["b"]


@pytest.mark.parametrize(
    ("compared", "kwargs", "reward"),
    [
        (None, CANCEL, 1.0),
        (None, {"order_id": "#W1"}, 1.0),  # the call's own arguments are compared, so one that is left out is not
        (None, CANCEL | {"reason": "ordered by mistake"}, 0.0),
        (["order_id"], CANCEL | {"reason": "ordered by mistake"}, 1.0),
        (["order_id"], CANCEL | {"order_id": "#W2"}, 0.0),
        ([], {"order_id": "?"}, 1.0),
    ],
)
def test_which_arguments_are_compared(tiny: Make, compared: Any, kwargs: dict[str, Any], reward: float) -> None:
    gold = [{"action_id": "a", "name": "cancel_pending_order", "arguments": CANCEL, "compare_args": compared}]
    domain = tiny(criteria(actions=gold, reward_basis=["ACTION"]))
    assert scored(domain, Action(name="cancel_pending_order", kwargs=kwargs)).reward == reward


def test_judged_assertions_are_pending_until_they_are_judged(tiny: Make) -> None:
    domain = tiny(criteria(nl_assertions=["is polite", "is brief"], reward_basis=["DB", "NL_ASSERTION"]))
    score = scored(domain, CANCELLED)
    assert (score.pending, score.decided) == (("is polite", "is brief"), False)
    assert score.judged([True, True]).reward == 1.0
    failed = score.judged([True, False])
    assert (failed.reward, failed.pending, failed.decided) == (0.0, (), True)
    with pytest.raises(ValueError, match="1 judgements for 2"):
        score.judged([True])


def test_assertions_outside_the_basis_wait_for_nobody(tiny: Make) -> None:
    score = scored(tiny(criteria(nl_assertions=["is polite"])), CANCELLED)
    assert (score.reward, score.pending, score.decided) == (1.0, (), True)


def test_an_assertion_that_the_environment_cannot_answer_is_not_a_failure(tiny: Make) -> None:
    assertion = {"env_type": "assistant", "func_name": "assert_kind", "arguments": {}}
    domain = tiny(criteria(env_assertions=[assertion], reward_basis=["DB", "ENV_ASSERTION"]))
    score = scored(domain, CANCELLED)
    assert (score.parts["ENV_ASSERTION"], score.decided) == (None, False)
    assert score.why.undecided == ("assert_kind: there is no function assert_kind",)
    assert domain.problems("base") == {"t": ["assert_kind: there is no function assert_kind"]}


def test_without_criteria_every_end_is_right(tiny: Make) -> None:
    score = scored(tiny(task(evaluation_criteria=None)))
    assert (score.reward, score.basis) == (1.0, ())


def test_without_actions_the_database_is_not_compared(tiny: Make) -> None:
    assert scored(tiny(task(evaluation_criteria={"communicate_info": []})), CANCELLED).reward == 1.0


def test_a_live_session_is_judged_without_replay(tiny: Make) -> None:
    domain = tiny()
    (only,) = domain.tasks("base")
    session = domain.open(only)
    session.call("cancel_pending_order", CANCEL)
    assert domain.judge(only, session, [CANCELLED]) == domain.score(only, [CANCELLED])


def test_gold_actions_that_fail_are_skipped_and_listed(tiny: Make) -> None:
    lost = {"action_id": "b", "name": "cancel_pending_order", "arguments": CANCEL | {"order_id": "#W9"}}
    domain = tiny(criteria(actions=[lost, *task()["evaluation_criteria"]["actions"]]))
    score = scored(domain, CANCELLED)
    assert score.reward == 1.0
    assert score.why.problems == ("action b, cancel_pending_order, answers 'Error: Order not found'",)
    assert domain.problems("base") == {"t": list(score.why.problems)}


@pytest.mark.parametrize(
    ("gold", "finding"),
    [
        ({"name": "dance", "arguments": {}}, "calls dance, which is not a tool"),
        ({"arguments": {"order_id": "#W1"}}, "argument reason: Field required"),
        ({"arguments": CANCEL | {"order_id": 1}}, "argument order_id: Input should be a valid string"),
        ({"arguments": CANCEL | {"speed": 1}}, "unknown argument 'speed'"),
        ({"requestor": "user"}, "is the user's, who has no tools here"),
    ],
)
def test_what_is_off_in_an_action_is_found(tiny: Make, gold: dict[str, Any], finding: str) -> None:
    action = task()["evaluation_criteria"]["actions"][0] | gold
    assert any(finding in sentence for sentence in tiny(criteria(actions=[action])).problems("base")["t"])


def test_an_output_with_a_comma_can_never_be_said(tiny: Make) -> None:
    assert "cannot be found to say '1,250'" in tiny(criteria(communicate_info=["1,250"])).problems("base")["t"][0]


def test_initial_data_is_laid_over_the_database(tiny: Make) -> None:
    data = {
        "orders": {"#W2": {"status": "pending"}},
        "users": {"ada_1": {"payment_methods": {"gift_card_1": {"balance": 1}}}},
    }
    domain = tiny(task(initial_state={"initialization_data": {"agent_data": data}}))
    session = domain.open(domain.tasks("base")[0])
    rows = session.changed()
    assert rows["orders"]["#W2"]["status"] == "pending"
    assert rows["users"]["ada_1"]["payment_methods"]["gift_card_1"] == {
        "source": "gift_card",
        "id": "gift_card_1",
        "balance": 1.0,
    }
    assert domain.open().changed() == {}
    assert scored(domain, CANCELLED).reward == 1.0


def test_initial_actions_are_done_first(tiny: Make) -> None:
    cancel = {"env_type": "assistant", "func_name": "cancel_pending_order", "arguments": CANCEL}
    domain = tiny(task(initial_state={"initialization_actions": [cancel]}))
    score = scored(domain)
    assert (score.reward, score.parts["ACTION"]) == (1.0, 0.0)
    assert score.why.problems == (
        "action a, cancel_pending_order, answers 'Error: Non-pending order cannot be cancelled'",
    )


def _history(answer: str) -> list[dict[str, Any]]:
    call = {"id": "c1", "name": "cancel_pending_order", "arguments": CANCEL}
    return [
        {"role": "assistant", "content": "Hello from Bergen", "tool_calls": None},
        {"role": "user", "content": "cancel, please"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "id": "c1", "content": answer},
    ]


def test_a_conversation_under_way_counts(tmp_path: Any) -> None:
    done = load_domain("tau2/retail", Tiny(tmp_path / "plain").write()).open().call("cancel_pending_order", CANCEL)
    begun = criteria(communicate_info=["bergen"], reward_basis=["DB", "COMMUNICATE", "ACTION"])
    begun["initial_state"] = {"message_history": _history(json.dumps(json.loads(done), indent=1))}
    (task_begun,) = (domain := load_domain("tau2/retail", Tiny(tmp_path / "begun").write(begun))).tasks("base")
    assert domain.score(task_begun, []).reward == 1.0


@pytest.mark.parametrize(
    ("state", "finding"),
    [
        ({"message_history": _history("Error: no")}, "was answered 'Error: no', but answers"),
        ({"initialization_data": {"user_data": {"phone": {}}}}, "the user's own environment"),
        ({"initialization_data": {"agent_data": {"ships": {}}}}, "the table 'ships', which does not exist"),
        ({"initialization_data": {"agent_data": {"orders": {"#W3": {"status": "lost"}}}}}, "does not fit the database"),
        (
            {"initialization_actions": [{"env_type": "user", "func_name": "reboot", "arguments": {}}]},
            "the user has no environment",
        ),
        (
            {"initialization_actions": [{"env_type": "assistant", "func_name": "_order", "arguments": {}}]},
            "there is no function _order",
        ),
    ],
)
def test_an_initial_state_that_cannot_be_had_is_refused(tiny: Make, state: dict[str, Any], finding: str) -> None:
    domain = tiny(task(initial_state=state))
    with pytest.raises(InputError, match="task t: ") as caught:
        domain.open(domain.tasks("base")[0])
    assert finding in str(caught.value)
    assert finding in domain.problems("base")["t"][0]


def test_a_newer_source_has_more_tools(tiny: Make, retail: Tau2Domain) -> None:
    wanted = {"item_id": "mug-blue"}
    variant = DATABASE["products"]["p1"]["variants"]["mug-blue"]
    assert json.loads(tiny().open().call("get_item_details", wanted)) == variant
    assert tiny().open().call("get_item_details", {"item_id": "?"}) == "Error: Item not found"
    assert retail.open().call("get_item_details", wanted) == "Error: Tool 'get_item_details' not found."


@pytest.mark.parametrize("name", ["_order", "__init__", "_view", "", "respond"])
def test_only_what_the_source_describes_can_be_called(tiny: Make, name: str) -> None:
    assert tiny().open().call(name, {}) == f"Error: Tool '{name}' not found."


def test_cancelling_again_and_again_does_not_fill_the_memory(airline: Tau2Domain) -> None:
    session = airline.open()
    answers = [session.call("cancel_reservation", {"reservation_id": "Z7GOZK"}) for _ in range(30)]
    assert len(json.loads(answers[2])["payment_history"]) == 8
    assert answers[-1] == "Error: Reservation Z7GOZK has more than 1000 payments"


def test_a_later_failure_leaves_what_was_written_before(airline: Tau2Domain) -> None:
    """A certificate that pays twice is gone after the first time; the reference then fails halfway, and so do we."""
    session = airline.open()
    user_id = "mia_li_3668"
    session.call("send_certificate", {"user_id": user_id, "amount": 5000})
    flight = json.loads(
        session.call("search_direct_flight", {"origin": "JFK", "destination": "SEA", "date": "2024-05-20"})
    )[0]
    price = flight["prices"]["economy"]
    halves = [price // 2, price - price // 2]
    observation = session.call(
        "book_reservation",
        {
            "user_id": user_id,
            "origin": "JFK",
            "destination": "SEA",
            "flight_type": "one_way",
            "cabin": "economy",
            "flights": [{"flight_number": flight["flight_number"], "date": "2024-05-20"}],
            "passengers": [{"first_name": "Mia", "last_name": "Li", "dob": "1990-04-05"}],
            "payment_methods": [{"payment_id": "certificate_3221322", "amount": half} for half in halves],
            "total_baggages": 0,
            "nonfree_baggages": 0,
            "insurance": "no",
        },
    )
    assert observation == "Error: 'certificate_3221322'"
    assert session.changed() == {}
