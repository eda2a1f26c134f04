"""The judge of the state that is left, against states whose difference is known from how they were made."""

import random
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from tests.judges.kinds.trying import expected, judge_of, outcomes
from trialkit.judges.kinds import Attempt, NamedCall

START: dict[str, Any] = {"lamps": [{"on": False}, {"on": True}, {"on": True}], "room": {"name": "hall", "keys": 1}}
SAYINGS = ("The lamp is on.", "It costs 12 EUR")


async def reach(calls: Sequence[NamedCall]) -> Any:
    state = deepcopy(START)
    for _, arguments in calls:
        state["lamps"][arguments["lamp"]]["on"] ^= True
    return state


async def test_states_and_sayings_whose_truth_is_known() -> None:
    rng, attempts, truths = random.Random(5), list[Attempt](), list[bool]()
    for _ in range(250):
        calls = [{"press": {"lamp": rng.randrange(3)}} for _ in range(rng.randint(0, 3))]
        says = rng.sample(SAYINGS, rng.randint(0, 2))
        state = await reach([("press", one["press"]) for one in rng.sample(calls, len(calls))])
        spoiled, unsaid = rng.random() < 0.4, bool(says) and rng.random() < 0.3
        if spoiled:
            _spoil(rng, state)
        said = "Well. " + " \n".join(one.upper().replace(" ", "  ") for one in says[unsaid:])
        attempts.append(Attempt(case={"calls": calls, "says": says}, text=said, state=state, reach=reach))
        truths.append(not spoiled and not unsaid)
    judge = judge_of("state", after="{{ calls }}", says="{{ says }}")
    assert 50 < sum(truths) < 200
    assert await outcomes(judge, attempts) == expected(truths)


def _spoil(rng: random.Random, state: dict[str, Any]) -> None:
    """By what differs from any state that calls can lead to."""
    match rng.randrange(6):
        case 0:
            state["room"]["keys"] = True  # equal to 1, and yet no number
        case 1:
            state["lamps"].append({"on": True})
        case 2:
            del state["room"]["name"]
        case 3:
            state["more"] = None
        case 4:
            state["lamps"][rng.randrange(3)]["on"] = None
        case _:
            state["lamps"] = {}
