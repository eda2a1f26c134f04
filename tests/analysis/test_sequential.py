"""Two runs held against each other at any time: orders, rounds, errors, ranges; and `compare --sequential`."""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.analysis.test_compare import cases, run
from tests.e2e.program import Program
from trialkit.analysis.sequential import Planned, decide
from trialkit.errors import InputError
from trialkit.vocabulary import PASS, Measure

SECONDS = Measure(name="latency", low=0, high=10, higher_is_better=False, unit="s")


def planned(worths: Iterable[float | None], number: int = 1) -> list[Planned]:
    return [Planned(f"C{place}", number, True, worth) for place, worth in enumerate(worths)]


def against(*worths: float | None) -> dict[str, list[float | None]]:
    return {f"C{place}": [worth] for place, worth in enumerate(worths)}


def test_only_the_trials_before_the_first_open_one_count() -> None:
    """Whatever ends early, ends so for a reason."""
    trials = planned([1.0] * 20)
    assert decide(trials, against(*[0.0] * 20), PASS, None, by_order=True).outcome == "better"
    trials[4] = trials[4]._replace(ended=False, worth=None)
    found = decide(trials, against(*[0.0] * 20), PASS, None, by_order=True)
    assert (found.outcome, found.pairs, found.cases) == ("undecided", 4, 20)


def test_no_repeat_counts_before_all_cases_were_tried() -> None:
    trials = [*planned([1.0] * 20), *planned([1.0] * 20, number=2)]
    trials[4] = trials[4]._replace(ended=False, worth=None)
    found = decide(trials, against(*[0.0] * 20), PASS, None, by_order=True)
    assert (found.outcome, found.trials, found.pairs) == ("undecided", 1, 4)


def test_the_order_of_the_plan_tells_when_it_was_decided() -> None:
    trials = planned([1.0] * 12 + [0.0] * 12)
    before = against(*[0.0] * 12, *[1.0] * 12)
    found = decide(trials, before, PASS, None, by_order=True)
    assert (found.outcome, found.size) == ("better", "9 of 24 cases")
    assert decide(trials, before, PASS, None, by_order=False).outcome == "undecided"


def test_a_round_of_repeats_takes_the_mean_of_a_case() -> None:
    """Each case passes once and fails once in B, and always in A: 50 points, not two times as many cases."""
    trials = [*planned([1.0] * 40), *planned([0.0] * 40, number=2)]
    found = decide(trials, against(*[1.0] * 40), PASS, None, by_order=True)
    assert (found.outcome, found.trials, found.change.value) == ("worse", 2, -0.5)
    assert found.size.endswith("of 40 cases, each tried 2 times")


def test_a_case_that_a_has_no_verdict_of_is_no_pair() -> None:
    found = decide(planned([1.0, 0.0, None]), against(1.0, None, 1.0), PASS, None, by_order=True)
    assert (found.pairs, found.cases) == (1, 2)


def test_more_errors_than_a_has_may_hide_the_worst() -> None:
    worths = [None if place % 4 == 0 else 1.0 for place in range(80)]
    found = decide(planned(worths), against(*[1.0] * 80), PASS, 0.1, by_order=True)
    assert (found.outcome, found.but_for_errors) == ("undecided", "equal")
    assert "more errors than A" in found.sentence
    trusting = decide(planned(worths), against(*[1.0] * 80), PASS, 0.1, by_order=True, errors_may_lie=False)
    assert (trusting.outcome, trusting.pairs) == ("equal", 55)
    as_many = against(*(None if place % 4 == 1 else 1.0 for place in range(80)))
    assert decide(planned(worths), as_many, PASS, 0.2, by_order=True).outcome == "equal"


def test_where_lower_is_better_a_gain_is_a_fall() -> None:
    found = decide(planned([2.0] * 40), against(*[6.0] * 40), SECONDS, 1.0, by_order=True)
    assert (found.outcome, found.change.value) == ("better", -4.0)
    assert found.change.low is not None
    assert found.change.high is not None
    assert -10 <= found.change.low < -4 < found.change.high < 0
    assert decide(planned([6.0] * 40), against(*[2.0] * 40), SECONDS, None, by_order=True).outcome == "worse"


def test_a_score_without_a_range_is_refused() -> None:
    with pytest.raises(InputError, match="takes a range with both ends"):
        decide(planned([1.0]), against(1.0), Measure(name="tokens", low=0), None, by_order=True)


def test_compare_at_any_time(tmp_path: Path) -> None:
    trialkit = Program(tmp_path)
    letters = {"a": "p" * 30 + "f" * 10, "b": "f" * 30 + "p" * 10, "c": "p" * 29 + "f" * 11}
    a, b, c = (str(run(tmp_path / f"{name}.trial", cases(told))) for name, told in letters.items())
    worse = trialkit("compare", a, b, "--sequential", "--gate")
    assert (worse.status, "gate not met: B is worse than A" in worse.err) == (1, True)
    assert "The interval is in points, of 95% however often it is looked at" in " ".join(worse.out.split())
    open_ = trialkit("compare", a, c, "--sequential", "--gate", "--margin", "0.05")
    assert (open_.status, "gate undecided" in open_.err) == (4, True)
    as_good = trialkit("compare", a, c, "--sequential", "--gate", "--margin", "0.3")
    assert (as_good.status, "B is as good as A: they differ by less than 30 points." in as_good.out) == (0, True)
    data = json.loads(trialkit("compare", a, b, "--sequential", "--format", "json").out)
    assert (data["outcome"], data["change"]["value"], data["pairs"], data["gate"]) == ("worse", -0.5, 40, None)
    assert trialkit("compare", a, b, "--sequential").status == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--margin", "0.1"), "--margin goes with --sequential"),
        (("--undecided-exit", "0"), "--undecided-exit is of a gate"),
        (("--errors-may-lie", "missing"), "--errors-may-lie is of a gate"),
        (("--sequential", "--undecided-exit", "0"), "--undecided-exit is of a gate"),
        (("--sequential", "--gate-margin", "0.1"), "with --sequential: --gate --margin M"),
        (("--sequential", "--margin", "5"), "5 points are 0.05"),
    ],
)
def test_margins_are_told_apart(tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    a = str(run(tmp_path / "a.trial", cases("pf")))
    wrong = Program(tmp_path)("compare", a, a, *arguments)
    assert (wrong.status, told in wrong.err) == (2, True)


def test_at_any_time_takes_two_runs(tmp_path: Path) -> None:
    a = str(run(tmp_path / "a.trial", cases("pf")))
    wrong = Program(tmp_path)("compare", a, a, a, "--sequential")
    assert (wrong.status, "takes two runs" in wrong.err) == (2, True)
