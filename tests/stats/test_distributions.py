"""Student's t and the beta distribution against scipy."""

from math import log, log1p

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.stats import late
from trialkit.stats.distributions import beta_below, t_quantile, two_sided_t

DEGREES = st.one_of(st.integers(1, 40), st.integers(1, 10_000_000))


@given(DEGREES)
def test_the_quantile_is_scipys(degrees: int) -> None:
    assert t_quantile(degrees) == pytest.approx(late.scipy_stats.t.ppf(0.975, degrees), rel=1e-8)


@given(st.floats(-50, 50), DEGREES)
def test_the_tails_are_scipys(t: float, degrees: int) -> None:
    theirs = 2 * late.scipy_stats.t.sf(abs(t), degrees)
    assert two_sided_t(t, degrees) == pytest.approx(theirs, rel=1e-6, abs=1e-300)


def test_no_distance_and_an_endless_one() -> None:
    assert (two_sided_t(0, 3), two_sided_t(float("inf"), 3)) == (1, 0)


@given(st.floats(1e-3, 1e4), st.floats(1e-3, 1e4), st.floats(0.001, 0.999))
def test_the_beta_distribution_is_scipys(a: float, b: float, x: float) -> None:
    assert beta_below(a, b, log(x), log1p(-x)) == pytest.approx(late.scipy_stats.beta.cdf(x, a, b), rel=1e-6, abs=1e-12)
