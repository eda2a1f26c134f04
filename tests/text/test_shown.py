"""Numbers as people read them: what is not nothing is not shown as nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialkit.text.shown import dollars, signed


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "unknown"),
        (0.0, "$0.00"),
        (0.0000432, "$0.000043"),
        (0.00056, "$0.00056"),
        (0.1124, "$0.1124"),
        (27.7725, "$27.77"),
        (1234.5, "$1,234.50"),
    ],
)
def test_dollars(value: float | None, shown: str) -> None:
    assert dollars(value) == shown


@given(st.floats(min_value=1e-9, max_value=1e6))
def test_what_costs_something_is_never_shown_as_nothing(value: float) -> None:
    assert float(dollars(value).lstrip("$").replace(",", "")) > 0


@pytest.mark.parametrize(("value", "shown"), [(0.061, "+0.06"), (-0.061, "-0.06"), (-0.001, "0.00"), (0.001, "0.00")])
def test_what_is_rounded_away_has_no_sign(value: float, shown: str) -> None:
    assert signed(value, 2) == shown
