from hypothesis import given
from hypothesis import strategies as st

from trialkit.engine._budget import Budget


@given(limit=st.floats(0.01, 10), cost=st.floats(0.001, 1), width=st.integers(1, 50))
def test_calls_of_one_price_never_go_over_the_limit_by_more_than_the_first_wave(
    limit: float, cost: float, width: int
) -> None:
    """Nothing is known of the price before the first replies; from then on the limit holds."""
    budget, under_way = Budget(limit), 0
    for _ in range(2000):
        while under_way < width and budget.admit():
            under_way += 1
        if not under_way:
            break
        budget.ended()
        budget.paid(cost)
        under_way -= 1
    assert budget.spent <= max(limit, width * cost) * (1 + 1e-9)
    assert budget.spent + cost > limit * (1 - 1e-9) or budget.spent >= 1990 * cost  # nor does it stop too early


def test_without_a_limit_everything_is_admitted() -> None:
    budget = Budget(None)
    assert all(budget.admit() for _ in range(100))


def test_what_earlier_sessions_spent_counts() -> None:
    assert not Budget(1.0, spent=1.5).admit()


def test_an_unknown_price_is_not_nothing() -> None:
    budget = Budget(None)
    budget.paid(None)
    assert budget.unknown
