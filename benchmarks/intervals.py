"""How often the 95% intervals hold the truth, by simulation: rates and differences.

Each case has its own chance to pass, drawn from a beta distribution; the naive interval beside ours is Wilson's over
all trials, as if those of one case were independent.

    uv run python -m benchmarks.intervals [REPEATS]
"""

import sys
import time
from collections.abc import Callable, Iterator
from math import prod

import numpy as np

from trialkit.stats import (
    Difference,
    Figure,
    paired_pass_hat_all,
    pass_hat_mean,
    pass_rate,
)
from trialkit.stats.compare import paired_difference
from trialkit.stats.rate import wilson

Runs = list[list[bool]]
AGENT = (1.2, 0.8)  # a beta distribution: cases differ much, as tau-bench's do


def main(repeats: int) -> None:
    begun = time.perf_counter()
    print(f"{repeats} simulated runs each; the share of them whose 95% interval holds the truth\n")
    for name, ours, naive in _study(repeats):
        beside = "" if naive is None else f"   naive {naive:.3f}"
        print(f"{name:<46}{ours:.3f}{beside}", flush=True)
    print(f"\n{time.perf_counter() - begun:.0f} s")


def _study(repeats: int) -> Iterator[tuple[str, float, float | None]]:
    yield "pass rate, 115 x 4", *_rates(115, 4, repeats)
    yield "pass rate, 115 x 1", *_rates(115, 1, repeats)
    yield "pass^2, 115 x 4", _pass_hat(115, 4, 2, repeats), None
    yield "pass^4, 115 x 4", _pass_hat(115, 4, 4, repeats), None
    yield "difference, 115 x 4, none", *_differences(115, 4, 0.0, repeats)
    yield "difference, 115 x 4, 6 points", *_differences(115, 4, 0.06, repeats)
    yield "difference, 115 x 1, none", *_differences(115, 1, 0.0, repeats)
    yield "difference, 115 x 1, 15 points", *_differences(115, 1, 0.15, repeats)
    yield "difference, 20 x 4, 10 points", *_differences(20, 4, 0.1, repeats)
    yield "difference of pass^2, 115 x 4", _pass_hat_differences(115, 4, 2, 0.06, repeats), None


def _share(repeats: int, one: Callable[[np.random.Generator], list[bool]]) -> list[float]:
    random = np.random.default_rng(11)
    return [float(share) for share in np.mean([one(random) for _ in range(repeats)], axis=0)]


def _chances(random: np.random.Generator, cases: int) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    return random.beta(*AGENT, size=(cases, 1))


def _moment(k: int) -> float:
    a, b = AGENT
    return prod((a + i) / (a + b + i) for i in range(k))


def _rates(cases: int, trials: int, repeats: int) -> tuple[float, float]:
    def one(random: np.random.Generator) -> list[bool]:
        run: Runs = (random.random((cases, trials)) < _chances(random, cases)).tolist()
        low, high = wilson(sum(map(sum, run)), cases * trials)
        return [_holds(pass_rate(run), _moment(1)), low <= _moment(1) <= high]

    ours, naive = _share(repeats, one)
    return ours, naive


def _pass_hat(cases: int, trials: int, k: int, repeats: int) -> float:
    def one(random: np.random.Generator) -> list[bool]:
        run: Runs = (random.random((cases, trials)) < _chances(random, cases)).tolist()
        return [_holds(pass_hat_mean(run, (k,)), _moment(k))]

    return _share(repeats, one)[0]


def _pair(random: np.random.Generator, cases: int, trials: int, gain: float) -> list[tuple[list[bool], list[bool]]]:
    """A share of the failing chance is won back, so that the mean gain is as asked for and no chance is above 1."""
    before = _chances(random, cases)
    after = before + (1 - before) * gain / (1 - _moment(1))
    runs = [(random.random((cases, trials)) < chances).tolist() for chances in (before, after)]
    return list(zip(runs[0], runs[1], strict=True))


def _differences(cases: int, trials: int, gain: float, repeats: int) -> tuple[float, float]:
    """Naive: two independent rates over all trials."""

    def one(random: np.random.Generator) -> list[bool]:
        pairs = _pair(random, cases, trials, gain)
        n = cases * trials
        before, after = (sum(sum(pair[side]) for pair in pairs) / n for side in (0, 1))
        half = 1.96 * float(np.sqrt((before * (1 - before) + after * (1 - after)) / n))
        return [_holds(paired_difference(pairs), gain), abs(after - before - gain) <= half]

    ours, naive = _share(repeats, one)
    return ours, naive


def _pass_hat_differences(cases: int, trials: int, k: int, gain: float, repeats: int) -> float:
    """The truth by quadrature over the chances."""
    drawn = np.random.default_rng(1).beta(*AGENT, size=4_000_000)
    truth = float(np.mean((drawn + (1 - drawn) * gain / (1 - _moment(1))) ** k - drawn**k))

    def one(random: np.random.Generator) -> list[bool]:
        pairs = _pair(random, cases, trials, gain)
        return [_holds(paired_pass_hat_all(pairs)[k - 1], truth)]

    return _share(repeats, one)[0]


def _holds(figure: Figure | Difference, truth: float) -> bool:
    return figure.low is not None and figure.high is not None and figure.low <= truth <= figure.high


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
