"""What the recordings do not reach: bad calls, partial writes and the order in which things are done."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.suites.tau.domains import load, shared_domain, write_plain
from trialkit.suites.tau import TauEnvironment

ADDRESS = {"address1": "1 Road", "address2": "", "city": "Ely", "state": "CA", "country": "USA", "zip": "00002"}


@pytest.fixture
def session(tmp_path: Path) -> TauEnvironment:
    return load("retail", write_plain(tmp_path)).open()


@pytest.mark.parametrize(
    ("name", "kwargs", "observation"),
    [
        ("juggle", {}, "Unknown action juggle"),
        ("juggle", {"user_id": "ada_1"}, "Unknown action juggle"),
        (["think"], {}, "Unknown action ['think']"),
        ("respond", {"content": "hello"}, "Unknown action respond"),
        ("think", {"thought": "hm"}, ""),
        ("transfer_to_human_agents", {"summary": "s"}, "Transfer successful"),
        ("think", {"idea": 1, "thought": "x"}, "Error: Think.invoke() got an unexpected keyword argument 'idea'"),
        ("think", {"view": 1}, "Error: Think.invoke() got an unexpected keyword argument 'view'"),
        ("think", {}, "Error: Think.invoke() missing 1 required positional argument: 'thought'"),
        (
            "cancel_pending_order",
            {},
            "Error: CancelPendingOrder.invoke() missing 2 required positional arguments: 'order_id' and 'reason'",
        ),
        (
            "find_user_id_by_name_zip",
            {},
            (
                "Error: FindUserIdByNameZip.invoke() missing 3 required positional arguments: "
                "'first_name', 'last_name', and 'zip'"
            ),
        ),
        ("get_order_details", {"order_id": ["#W1"]}, "Error: unhashable type: 'list'"),
        ("find_user_id_by_email", {"email": 5}, "Error: 'int' object has no attribute 'lower'"),
        ("find_user_id_by_email", {"email": "ADA@example.COM"}, "ada_1"),
        ("find_user_id_by_name_zip", {"first_name": "ada", "last_name": "BYRON", "zip": "00001"}, "ada_1"),
        ("find_user_id_by_name_zip", {"first_name": "Bo", "last_name": 5, "zip": "1"}, "Error: user not found"),
        ("list_all_product_types", {}, '{"Teapot": "1"}'),
    ],
)
def test_observations(session: TauEnvironment, name: str, kwargs: Any, observation: str) -> None:
    assert session.call(name, kwargs) == observation
    assert session.changed() == {}


@pytest.mark.parametrize("kwargs", [None, 5, "ab", "", [], [["thought", "x"]], {1: 2}])
def test_arguments_that_are_no_arguments_are_an_error(session: TauEnvironment, kwargs: Any) -> None:
    assert session.call("think", kwargs).startswith("Error: ")


def test_arguments_nested_too_deeply_are_an_error(session: TauEnvironment) -> None:
    deep: Any = "x"
    for _ in range(10_000):
        deep = [deep]
    assert session.call("modify_user_address", {"user_id": "ada_1"} | ADDRESS | {"city": deep}).startswith("Error: ")
    assert session.changed() == {}


def test_text_beyond_ascii_is_escaped(session: TauEnvironment) -> None:
    assert '"gr\\u00fcn"' in session.call("get_product_details", {"product_id": "1"})


def test_what_a_tool_stores_is_its_own(session: TauEnvironment) -> None:
    city = ["Ely"]
    session.call("modify_user_address", {"user_id": "ada_1"} | ADDRESS | {"city": city})
    city.append("changed later")
    assert session.changed()["users"]["ada_1"]["address"]["city"] == ["Ely"]


def test_an_item_may_become_one_that_is_changed_next(session: TauEnvironment) -> None:
    """Both names then mean the first item: so the reference leaves the two as they were."""
    swap = {
        "order_id": "#W1",
        "item_ids": ["11", "12"],
        "new_item_ids": ["12", "11"],
        "payment_method_id": "credit_card_1",
    }
    order = json.loads(session.call("modify_pending_order_items", swap))
    assert [item["item_id"] for item in order["items"]] == ["11", "12"]
    assert order["status"] == "pending (item modified)"


def test_a_text_where_items_belong_is_taken_letter_by_letter(session: TauEnvironment) -> None:
    call = {"order_id": "#W1", "item_ids": "11", "new_item_ids": "12", "payment_method_id": "credit_card_1"}
    assert session.call("modify_pending_order_items", call) == "Error: 1 not found"


def test_a_gift_card_is_charged_and_refunded(session: TauEnvironment) -> None:
    def balance() -> float:
        amount: float = session.changed()["users"]["ada_1"]["payment_methods"]["gift_card_1"]["balance"]
        return amount

    pay = {"order_id": "#W1", "payment_method_id": "credit_card_1"}
    assert len(json.loads(session.call("modify_pending_order_payment", pay))["payment_history"]) == 3
    assert balance() == 35.3
    again = "Error: there should be exactly one payment for a pending order"
    assert session.call("modify_pending_order_payment", pay) == again
    session.call("cancel_pending_order", {"order_id": "#W1", "reason": "ordered by mistake"})
    # Every entry of the history is refunded, the refund too.
    assert balance() == 95.9


AIRLINE_USER = "mia_li_3668"


@pytest.fixture
def airline() -> TauEnvironment:
    return shared_domain("airline").open()


def booking(*payments: tuple[str, int], bags: int = 0) -> dict[str, Any]:
    """Without a flight: only the bags cost something."""
    methods = [{"payment_id": payment_id, "amount": amount} for payment_id, amount in payments]
    route = {
        "user_id": AIRLINE_USER,
        "origin": "JFK",
        "destination": "SEA",
        "flight_type": "one_way",
        "cabin": "economy",
    }
    load_ = {"flights": [], "passengers": [], "total_baggages": bags, "nonfree_baggages": bags, "insurance": "no"}
    return route | load_ | {"payment_methods": methods}


def test_new_reservations_have_three_ids_and_the_last_is_used_again(airline: TauEnvironment) -> None:
    ids = [json.loads(airline.call("book_reservation", booking()))["reservation_id"] for _ in range(4)]
    assert ids == ["HATHAT", "HATHAU", "HATHAV", "HATHAV"]
    assert airline.changed()["users"][AIRLINE_USER]["reservations"][-4:] == ids


def test_insurance_costs_30_for_each_passenger_and_a_bag_50(airline: TauEnvironment) -> None:
    passengers = [{"first_name": "Mia", "last_name": "Li", "dob": "1990-04-05"}] * 2
    call = booking(("credit_card_4421486", 1), bags=1) | {"passengers": passengers, "insurance": "yes"}
    refusal = "Error: payment amount does not add up, total price is 110, but paid 1"
    assert airline.call("book_reservation", call) == refusal
    assert airline.changed() == {}


def test_a_certificate_named_twice_fails_after_it_was_used(airline: TauEnvironment) -> None:
    call = booking(("certificate_7504069", 25), ("certificate_7504069", 25), bags=1)
    assert airline.call("book_reservation", call) == "Error: 'certificate_7504069'"
    assert list(airline.changed()) == ["users"]
    assert "certificate_7504069" not in airline.changed()["users"][AIRLINE_USER]["payment_methods"]


def test_there_are_three_new_certificates_per_user(airline: TauEnvironment) -> None:
    answers = [airline.call("send_certificate", {"user_id": AIRLINE_USER, "amount": 50}) for _ in range(4)]
    assert answers[2] == f"Certificate certificate_3221324 added to user {AIRLINE_USER} with amount 50."
    assert answers[3] == f"Error: user {AIRLINE_USER} already has 3 new certificates"


def test_cancelling_again_and_again_does_not_fill_the_memory(airline: TauEnvironment) -> None:
    answers = [airline.call("cancel_reservation", {"reservation_id": "Z7GOZK"}) for _ in range(30)]
    assert len(json.loads(answers[2])["payment_history"]) == 8
    assert answers[-1] == "Error: reservation Z7GOZK has more than 1000 payments"


def test_a_connection_past_midnight_is_searched_on_the_next_day_without_a_zero(airline: TauEnvironment) -> None:
    found = airline.call("search_onestop_flight", {"origin": "JFK", "destination": "SEA", "date": "2024-05-20"})
    assert {leg["date"] for pair in json.loads(found) for leg in pair} <= {"2024-05-20", "2024-05-21"}
    assert airline.call("search_onestop_flight", {"origin": "JFK", "destination": "SEA", "date": "soon"}) in {
        "[]",
        "Error: invalid literal for int() with base 10: 'on'",
    }
