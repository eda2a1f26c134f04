import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialkit.engine.budget import Budget, Purse


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
def test_calls_of_one_price_stay_within_the_limit_and_use_it(limit: float, price: float, width: int) -> None:
    """One call has to be made to learn the price; after it the limit holds, however many there are at once."""
    budget = Budget(Purse(limit))
    made = asyncio.run(spend(budget, price, 2000, width))
    assert budget.spent <= max(limit, price) * (1 + 1e-9)
    assert made == 1 or budget.spent + price > limit * (1 - 1e-9)


def test_a_price_that_is_known_from_before_needs_no_trying() -> None:
    budget = Budget(Purse(1.0), spent=0.5, dearest={"agent": 0.6})
    assert asyncio.run(spend(budget, 0.6, 10, 3)) == 0


def test_roles_are_learnt_apart() -> None:
    async def both() -> tuple[bool, bool]:
        budget = Budget(Purse(10.0), dearest={"agent": 0.1})
        first = await budget.admit("judge")
        waits = asyncio.create_task(budget.admit("judge"))
        await asyncio.sleep(0)
        waited = not waits.done()
        budget.paid("judge", 0.2)
        await budget.ended("judge")
        return first and await waits, waited

    assert asyncio.run(both()) == (True, True)


def test_without_a_limit_everything_is_admitted() -> None:
    assert asyncio.run(spend(Budget(Purse(None)), 5.0, 100, 10)) >= 100


def test_an_unknown_price_is_not_nothing() -> None:
    budget = Budget(Purse(None))
    budget.paid("agent", None)
    assert budget.unknown


def test_what_nobody_knows_counts_as_the_dearest_so_far() -> None:
    budget = Budget(Purse(1.0))
    assert not budget.paid("agent", None)
    assert (budget.spent, budget.unknown) == (0.0, True)
    budget.paid("agent", 0.2)
    budget.paid("agent", 0.1)
    assert budget.paid("agent", None, attempts=3)
    assert budget.spent == pytest.approx(0.9)
    assert asyncio.run(spend(budget, 0.2, 10, 1)) == 0


def test_runs_at_the_same_time_spend_together() -> None:
    """However many there are, and of each a first call of which nobody knows the price."""

    async def several() -> tuple[int, float]:
        purse = Purse(2.0)
        made = await asyncio.gather(*(spend(Budget(purse), 0.1, 2000, 10) for _ in range(5)))
        return sum(made), purse.spent

    made, spent = asyncio.run(several())
    assert 2.0 - 0.1 < spent + 1e-9 <= 2.0 + 2e-9
    assert made == pytest.approx(spent / 0.1)


def test_a_first_call_waits_for_that_of_another_run() -> None:
    async def both() -> tuple[bool, bool]:
        purse = Purse(0.5)
        one, other = Budget(purse), Budget(purse)
        assert await one.admit("model")
        waits = asyncio.create_task(other.admit("model"))
        await asyncio.sleep(0)
        waited = not waits.done()
        one.paid("model", 0.6)
        await one.ended("model")
        return waited, await waits

    assert asyncio.run(both()) == (True, False)
