"""Detectors of what a simulated user does wrong: they find what was put in, say where, and leave the rest alone."""

import json
from collections import Counter
from typing import Any

import pytest

from tests.shared import shared_path
from trialkit.dialogue import FaultKind, find_user_faults

SCENARIO = (
    "You are Ada Byron (ada_byron_1815), your zip code is 60611 and your e-mail is ada@example.org. You want to send"
    " back the blue kettle of order #W1234567 because its lid does not close, and to get the money, $42.50, on the"
    " card ending in 7803. You are brief, patient and a little tired of kettles that leak on your kitchen table."
)


def said(*texts: str) -> list[dict[str, Any]]:
    """The agent speaks first; `→` begins a tool call of the agent's with its answer."""
    found: list[dict[str, Any]] = []
    by_user = False
    for text in texts:
        if text.startswith("→"):
            call = {"id": "1", "name": "get_order", "arguments": "{}"}
            found.append({"role": "assistant", "content": None, "tool_calls": [call]})
            found.append({"role": "tool", "content": text[1:], "tool_call_id": "1", "name": "get_order"})
            continue
        found.append({"role": "user" if by_user else "assistant", "content": text})
        by_user = not by_user
    return found


SOUND = (
    "Hello! How can I help you?",
    "My kettle leaks, and I want to send it back.",
    "I am sorry. Could you please provide your user id?",
    "It is ada_byron_1815, and the order is #W1234567.",
    '→{"order_id": "#W1234567", "price": 42.5}',
    "The refund of $42.50 goes to the card ending in 7803. Do you confirm (yes/no)?",
    "Yes, please go ahead.",
    "→done",
    "It is done: the number of your return is R-90125. Is there anything else I can help you with?",
    "No, that is all. Thank you! ###STOP###",
)


def with_line(place: int, text: str) -> tuple[str, ...]:
    return (*SOUND[:place], text, *SOUND[place + 1 :])


def kinds(*texts: str) -> list[tuple[FaultKind, int]]:
    return [(fault.kind, fault.place) for fault in find_user_faults(said(*texts), SCENARIO)]


def test_a_sound_user_is_left_alone() -> None:
    assert kinds(*SOUND) == []


@pytest.mark.parametrize(
    ("kind", "place", "lines"),
    [
        ("ended_early", 6, (*SOUND[:6], "Yes, please go ahead. ###STOP###")),
        ("ended_early", 6, (*SOUND[:6], "Correct.\n\n###STOP###")),
        ("ended_early", 6, (*SOUND[:5], "Shall I send it to the card?", "do it ###TRANSFER###")),
        ("invented", 3, with_line(3, "It is ada_byron_1815, and the order is #W7654321.")),
        ("invented", 3, with_line(3, "ada_byron_1815. My e-mail is ada.byron@example.com.")),
        ("invented", 3, with_line(3, "ada_byron_1815, zip code 90210.")),
        ("invented", 3, with_line(3, "ada_byron_1815. I paid $61.99 for it.")),
        ("invented", 3, with_line(3, "ada_byron_1815. My name is Mary Shelley.")),
        ("invented", 3, with_line(3, "ada_byron_1815, card gift_card_7492015.")),
        ("withheld", 3, with_line(3, "I do not have that at hand, is there another way?")),
        ("withheld", 3, (*SOUND[:3], "Not now. ###STOP###")),
        ("spoke_as_agent", 1, with_line(1, "Hello! How may I assist you today?")),
        ("spoke_as_agent", 6, with_line(6, "I've processed your refund.")),
        ("repeated", 3, (*SOUND[:3], SOUND[1], *SOUND[2:])),
        ("told_all", 1, with_line(1, SCENARIO.replace("You are", "I am"))),
    ],
)
def test_what_was_put_in_is_found_where_it_stands(kind: FaultKind, place: int, lines: tuple[str, ...]) -> None:
    assert (kind, place) in kinds(*lines)


@pytest.mark.parametrize(
    "lines",
    [
        with_line(3, "ada_byron_1815. Order W1234567, the card that ends in 7803."),
        with_line(3, "It is ADA_BYRON_1815; I want the 1000-piece one, or the 17-inch one."),
        (*SOUND[:9], "Thanks, so R-90125 it is, and two times $42.50 are $85.00. ###STOP###"),
        (*SOUND[:5], "Please plug it in. Does it work now?", "Yes, it works! ###STOP###"),
        (*SOUND[:2], "Your user id or your e-mail, please?", "ada@example.org"),
        (*SOUND[:9], "I have no questions. Have a nice day, goodbye. ###STOP###"),
    ],
)
def test_what_only_looks_like_a_fault_is_none(lines: tuple[str, ...]) -> None:
    assert kinds(*lines) == []


def test_what_the_users_own_tools_said_is_known_to_it() -> None:
    look: list[dict[str, Any]] = [
        {"role": "assistant", "content": "What does the label say?"},
        {"role": "user", "content": None, "tool_calls": [{"id": "1", "name": "look", "arguments": "{}"}]},
        {"role": "tool", "content": "serial SN-55512", "tool_call_id": "1", "name": "look", "by": "user"},
        {"role": "user", "content": "It says SN-55512."},
    ]
    assert find_user_faults(look, SCENARIO) == ()
    assert [fault.kind for fault in find_user_faults([look[0], look[3]], SCENARIO)] == ["invented"]


def test_without_a_scenario_nothing_is_called_invented_or_withheld() -> None:
    lines = with_line(3, "I do not have it. The order is #W7654321.")
    assert find_user_faults(said(*lines), "") == ()


def test_a_scenario_full_of_values_does_not_say_which_was_asked_for() -> None:
    lines = said(*with_line(3, "I do not have that at hand, is there another way?"))
    many = SCENARIO + " ".join(f"ada_byron_{number}" for number in range(2000, 4000))
    assert [fault.kind for fault in find_user_faults(lines, SCENARIO)] == ["withheld"]
    assert find_user_faults(lines, many) == ()


@pytest.mark.parametrize(("amount", "known"), [("42.504", True), ("42.496", True), ("42.51", False), ("999", False)])
def test_an_amount_that_can_be_reckoned_is_known(amount: str, known: bool) -> None:
    lines = said("It was $40.00, and $2.50 for the way.", f"So I paid ${amount} in all?")
    assert (find_user_faults(lines, "You want your money back.") == ()) is known


#: File → how many of its trials have each fault; all were looked at by hand, see docs/user-faults.md.
FLAGGED = {
    "gpt-4o-airline": {"ended_early": 2, "invented": 9, "withheld": 17},
    "gpt-4.1-retail": {"ended_early": 11, "invented": 8},
    "grok-4-fast-retail": {"ended_early": 22, "invented": 3},
    "gemini-2.0-flash-retail-with-errors": {"ended_early": 4, "invented": 28},
}


@pytest.mark.parametrize("name", FLAGGED)
def test_the_figures_of_the_docs_are_those_of_the_recordings(name: str) -> None:
    found: Counter[str] = Counter()
    for trial in json.loads(shared_path("trajectories", f"{name}.json").read_text()):
        instruction = trial["info"].get("task", {}).get("instruction", "")
        found.update({fault.kind for fault in find_user_faults(trial["traj"], instruction)})
    assert found == FLAGGED[name]
