"""Measures: what a verdict tells by them, and verdicts that do not fit."""

import math

import pytest

from trialkit.vocabulary import PASS, Measure, Verdict, checked

QUALITY = Measure(name="quality", low=0, high=1)
BREVITY = Measure(name="brevity", low=0, high=1)
LATENCY = Measure(name="latency", low=0, higher_is_better=False, unit="s")


def verdict(outcome: str, score: float | None = None, **scores: float) -> Verdict:
    return Verdict(judge="rules", outcome=outcome, critique="so it is", score=score, scores=scores)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("told", "measure", "value"),
    [
        (verdict("pass"), PASS, 1),
        (verdict("fail"), PASS, 0),
        (verdict("scored", 0.5), PASS, None),
        (verdict("error", 0.5), QUALITY, None),
        (verdict("scored", 0.5), QUALITY, 0.5),
        (verdict("scored", 0.5, quality=0.7), QUALITY, 0.7),
        (verdict("scored", 0.5), BREVITY, None),
        (verdict("scored", 0.5, brevity=0.2), BREVITY, 0.2),
        (verdict("pass", 0.5), QUALITY, 0.5),
    ],
)
def test_what_a_verdict_tells(told: Verdict, measure: Measure, value: float | None) -> None:
    assert measure.reader((PASS, QUALITY, BREVITY))(told) == value


@pytest.mark.parametrize(
    ("told", "measures", "wrong"),
    [
        (verdict("scored", 1.5), (QUALITY,), "the score 1.5 is none of quality (0 to 1)"),
        (verdict("scored", math.nan), (LATENCY,), "the score nan is none of latency (from 0, s, lower is better)"),
        (verdict("scored", math.inf), (LATENCY,), "the score inf is none of"),
        (verdict("scored", 1e200), (LATENCY,), "the score 1e+200 is none of"),  # its square is beyond any number
        (verdict("pass", math.inf), (PASS,), "the score inf is none of score (any number)"),
        (verdict("scored", 0.5, brevity=-1), (QUALITY, BREVITY), "the score -1 is none of brevity (0 to 1)"),
        (verdict("scored", 0.5, beauty=1), (QUALITY, BREVITY), "the suite has no measure called beauty"),
        (verdict("pass"), (QUALITY,), "the verdict is pass, but the suite is measured by quality (0 to 1)"),
        (verdict("scored", 0.5), (PASS, QUALITY), "the verdict is scored, but the suite is measured by pass or fail"),
    ],
)
def test_a_verdict_that_does_not_fit_is_an_error(told: Verdict, measures: tuple[Measure, ...], wrong: str) -> None:
    (found,) = checked([told], measures)
    assert found.outcome == "error"
    assert found.critique.startswith(wrong)
    assert found.critique.endswith(" It said: so it is")
    assert (found.score, found.scores) == (None, {})


def test_what_fits_stays_as_it_is() -> None:
    both = [verdict("scored", 0.5, brevity=1), verdict("pass")]  # the second decides nothing
    assert checked(both, (QUALITY, BREVITY)) == both
    passes = [verdict("pass", 0.3), verdict("error")]
    assert checked(passes, (PASS,)) == passes


def test_an_error_has_no_score() -> None:
    assert checked([verdict("error", math.nan, beauty=1)], (QUALITY,)) == [verdict("error")]


def test_a_range_must_be_one() -> None:
    with pytest.raises(ValueError, match="quality ranges from 1 to 0"):
        Measure(name="quality", low=1, high=0)
    for high in (math.inf, 1e200):  # nor could the variance of what is so large be told
        with pytest.raises(ValueError, match="leave out an end that there is not"):
            Measure(name="latency", low=0, high=high)
    assert str(Measure(name="delta")) == "delta (any number)"
    assert str(Measure(name="debt", high=0)) == "debt (up to 0)"
