import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trialkit.engine.budget import Budget


async def spend(budget: Budget, price: float, calls: int, width: int) -> int:
    """Makes calls as long as they are admitted, `width` at a time; the number made."""
    made = 0

    async def work() -> None:
        nonlocal made
        while made < calls and await budget.admit("agent"):
            made += 1
            await asyncio.sleep(0)
            budget.paid("agent", price)
            await budget.ended("agent")

    await asyncio.gather(*(work() for _ in range(width)))
    return made


@given(limit=st.floats(0.01, 10), price=st.floats(0.01, 1), width=st.integers(1, 30))
@settings(deadline=None, max_examples=60)
def test_calls_of_one_price_stay_within_the_limit_and_use_it(limit: float, price: float, width: int) -> None:
    """One call has to be made to learn the price; after it the limit holds, however many there are at once."""
    budget = Budget(limit)
    made = asyncio.run(spend(budget, price, 2000, width))
    assert budget.spent <= max(limit, price) * (1 + 1e-9)
    assert made == 1 or budget.spent + price > limit * (1 - 1e-9)


def test_a_price_that_is_known_from_before_needs_no_trying() -> None:
    budget = Budget(1.0, spent=0.5, dearest={"agent": 0.6})
    assert asyncio.run(spend(budget, 0.6, 10, 3)) == 0


def test_roles_are_learnt_apart() -> None:
    async def both() -> tuple[bool, bool]:
        budget = Budget(10.0, dearest={"agent": 0.1})
        first = await budget.admit("judge")
        waits = asyncio.create_task(budget.admit("judge"))
        await asyncio.sleep(0)
        waited = not waits.done()
        budget.paid("judge", 0.2)
        await budget.ended("judge")
        return first and await waits, waited

    assert asyncio.run(both()) == (True, True)


def test_without_a_limit_everything_is_admitted() -> None:
    assert asyncio.run(spend(Budget(None), 5.0, 100, 10)) >= 100


def test_an_unknown_price_is_not_nothing() -> None:
    budget = Budget(None)
    budget.paid("agent", None)
    assert budget.unknown


def test_what_nobody_knows_counts_as_the_dearest_so_far() -> None:
    budget = Budget(1.0)
    assert not budget.paid("agent", None)
    assert (budget.spent, budget.unknown) == (0.0, True)
    budget.paid("agent", 0.2)
    budget.paid("agent", 0.1)
    assert budget.paid("agent", None, attempts=3)
    assert budget.spent == pytest.approx(0.9)
    assert asyncio.run(spend(budget, 0.2, 10, 1)) == 0
