"""Scoring and checking tasks, on the tiny shop."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.suites.tau.domains import CANCEL, TABLES, TASKS, load, shared_domain, write_plain
from trialkit.suites.tau import Action, Domain, RowDifference, Why


def said(content: str) -> Action:
    return {"name": "respond", "kwargs": {"content": content}}


THANKS = said("You get $30.3 back, 1,,000 thanks!")


@pytest.fixture
def shop(tmp_path: Path) -> Domain:
    return load("retail", write_plain(tmp_path))


def test_tasks_are_numbered_within_their_split(shop: Domain) -> None:
    assert [(task.id, task.split, task.user_id) for task in shop.tasks("test")] == [
        ("0", "test", "ada_1"),
        ("1", "test", "ada_1"),
    ]


def test_outputs_lose_no_commas_but_what_is_said_does(shop: Domain) -> None:
    """Of `1,000 Thanks` the comma stays, so no wording can ever contain it: the reference's rule."""
    score = shop.score(shop.tasks("test")[0], [CANCEL, THANKS])
    assert (score.reward, score.r_actions, score.r_outputs) == (0.0, 1.0, 0.0)
    assert score.why == Why(missing_outputs=("1,000 Thanks",))


def test_outputs_are_found_whatever_the_case_and_commas(tmp_path: Path) -> None:
    shop = load("retail", write_plain(tmp_path, tasks_test=[TASKS[0] | {"outputs": ["1000 Thanks", "30.3"]}]))
    task = shop.tasks("test")[0]
    assert shop.score(task, [CANCEL, said("1,000 THANKS"), said("3,0.3")]).reward == 1.0
    assert shop.score(task, [CANCEL, said("1,000 thanks")]).why.missing_outputs == ("30.3",)
    assert shop.score(task, [CANCEL, {"name": "respond", "kwargs": {}}]).r_outputs == 0.0


def test_a_task_without_outputs_has_no_score_for_them(shop: Domain) -> None:
    score = shop.score(shop.tasks("test")[1], [said("Hello")])
    assert (score.reward, score.r_actions, score.r_outputs, score.why) == (1.0, 1.0, None, Why())


def test_a_missing_write_and_an_extra_write_show_both_rows(shop: Domain) -> None:
    greet = shop.tasks("test")[1]
    score = shop.score(greet, [CANCEL])
    session = shop.open()
    session.call(CANCEL["name"], CANCEL["kwargs"])
    order, user = session.changed()["orders"]["#W1"], session.changed()["users"]["ada_1"]
    assert user["payment_methods"]["gift_card_1"]["balance"] == 35.3
    assert score.reward == 0.0
    assert score.why.rows == (
        RowDifference(table="orders", key="#W1", expected=TABLES["orders"]["#W1"], found=order),
        RowDifference(table="users", key="ada_1", expected=TABLES["users"]["ada_1"], found=user),
    )
    missing = shop.score(shop.tasks("test")[0], [said("30.3")]).why.rows
    assert [(row.key, row.expected, row.found) for row in missing] == [
        ("#W1", order, TABLES["orders"]["#W1"]),
        ("ada_1", user, TABLES["users"]["ada_1"]),
    ]


def test_what_follows_a_transfer_does_not_count(shop: Domain) -> None:
    transfer: Action = {"name": "transfer_to_human_agents", "kwargs": {"wrong": 1}}
    assert shop.score(shop.tasks("test")[1], [transfer, CANCEL]).reward == 1.0
    assert "transfer_to_human_agents" in shop.ending_tools


def test_a_live_session_is_judged_as_its_replay_is(shop: Domain) -> None:
    task, session = shop.tasks("test")[0], shop.open()
    session.call(CANCEL["name"], CANCEL["kwargs"])
    assert shop.judge(task, session, [CANCEL, THANKS]) == shop.score(task, [CANCEL, THANKS])


def test_the_order_of_keys_is_reported_as_a_change_but_costs_no_reward(tmp_path: Path) -> None:
    airline = shared_domain("airline")
    reservation = {"reservation_id": "Z2BFHJ", "cabin": "basic_economy", "payment_id": "credit_card_9240535"}
    flights = [
        {"flight_number": f"HAT{number}", "date": f"2024-05-{day}"}
        for number, day in (("204", 25), ("021", 27), ("023", 28))
    ]
    idle = next(task for task in airline.tasks("test") if not task.actions)
    rewrite: Action = {"name": "update_reservation_flights", "kwargs": reservation | {"flights": flights}}
    session = airline.open()
    session.call(rewrite["name"], rewrite["kwargs"])
    assert list(session.changed()) == ["reservations"]
    assert airline.score(idle, [rewrite]).r_actions == 1.0


_ROWS = """
import json, sys
from trialkit.suites.tau import load_domain
domain = load_domain("tau-bench/retail", sys.argv[1])
rows = domain.score(domain.tasks("test")[0], json.loads(sys.argv[2])).why.rows
print([(row.table, row.key) for row in rows])
"""


def test_rows_that_differ_come_in_the_order_of_tables_and_keys_in_every_process(tmp_path: Path) -> None:
    """A replay has to say the same to the letter, and Python orders sets of texts anew in each process."""
    orders = {f"#W{number}": TABLES["orders"]["#W1"] | {"order_id": f"#W{number}"} for number in range(1, 9)}
    folder = write_plain(tmp_path, orders=orders, tasks_test=[TASKS[1]])
    done = [{"name": CANCEL["name"], "kwargs": CANCEL["kwargs"] | {"order_id": key}} for key in reversed(orders)]
    found = [
        subprocess.run(
            [sys.executable, "-c", _ROWS, str(folder), json.dumps(done)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    ]
    expected = [*(("orders", key) for key in orders), ("users", "ada_1")]
    assert found == [f"{expected}\n"] * 2


def test_sessions_do_not_see_each_other(shop: Domain) -> None:
    one, other = shop.open(), shop.open()
    one.call(CANCEL["name"], CANCEL["kwargs"])
    assert other.changed() == {}
    assert '"status": "pending"' in other.call("get_order_details", {"order_id": "#W1"})


def test_sound_tasks_have_no_problems(shop: Domain) -> None:
    assert shop.problems("test") == {}


def test_a_task_is_checked_against_schemas_database_and_its_own_replay(tmp_path: Path) -> None:
    wrong = {
        "user_id": "bob_2",
        "instruction": " ",
        "actions": [
            {"name": "juggle", "kwargs": {}},
            {"name": "cancel_pending_order", "kwargs": {"order_id": 7, "reason": "bored", "now": True}},
            {
                "name": "modify_pending_order_items",
                "kwargs": {"order_id": "#W1", "item_ids": ["11", True], "new_item_ids": "12"},
            },
        ],
    }
    shop = load("retail", write_plain(tmp_path, tasks_test=[wrong, TASKS[0]]))
    reasons = "'no longer needed' or 'ordered by mistake'"
    unexpected = "Error: CancelPendingOrder.invoke() got an unexpected keyword argument 'now'"
    missing = "Error: ModifyPendingOrderItems.invoke() missing 1 required positional argument: 'payment_method_id'"
    assert shop.problems("test") == {
        "0": [
            "there is no instruction",
            "the user 'bob_2' is not in the database",
            "action 0 calls juggle, which is not a tool",
            "action 1: cancel_pending_order.order_id is 7 where the schema has string",
            f"action 1: cancel_pending_order.reason is 'bored' where the schema has {reasons}",
            "action 1: cancel_pending_order has 'now', which the schema does not know",
            "action 2: modify_pending_order_items has no 'payment_method_id'",
            "action 2: modify_pending_order_items.item_ids[1] is True where the schema has string",
            "action 2: modify_pending_order_items.new_item_ids is '12' where the schema has array",
            f"action 1: cancel_pending_order answers {unexpected!r}",
            f"action 2: modify_pending_order_items answers {missing!r}",
        ]
    }


def test_the_real_tasks_whose_ground_truth_errs_are_listed() -> None:
    problems = shared_domain("retail").problems("test")
    assert {"2", "3", "4", "12", "13", "64", "106"} <= problems.keys()
    assert sum(len(found) for found in problems.values()) == 24
    assert shared_domain("airline").problems("test") == {}
