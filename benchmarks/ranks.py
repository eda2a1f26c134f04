"""How often the leaderboard's rank intervals hold all true ranks at once, by simulation.

Each case has its own difficulty, the same for all runs, and one for each run. Beside it the middle 95% of the ranks in
resamples of the cases, which are no rank intervals: of runs that are equally good they leave ranks out.

    uv run python -m benchmarks.ranks [REPEATS]
"""

import sys
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from trialkit.stats import paired_pass_hat_all, rank_intervals

#: Of several runs the log odds that each passes a case of average difficulty.
RUNS = {
    "3 alike": (0.3,) * 3,
    "6 alike": (0.3,) * 6,
    "2 alike, 1 better": (0.0, 0.0, 1.2),
    "6, each a bit better": (-0.5, -0.3, -0.1, 0.1, 0.3, 0.5),
    "3 alike, 3 better": (-0.4, -0.4, -0.4, 0.8, 0.8, 0.8),
    "4 far apart": (-2.0, -0.5, 1.0, 2.5),
}
Intervals = Sequence[tuple[int, int]]


def main(repeats: int) -> None:
    random = np.random.default_rng(11)
    print(f"{repeats} simulations each; the share in which every run's interval holds its true ranks, and its width\n")
    for cases, trials in ((40, 1), (115, 1), (50, 4)):
        for name, odds in RUNS.items():
            found = [_one(random, odds, cases, trials) for _ in range(repeats)]
            ours, resampled = (_told(intervals, odds) for intervals in zip(*found, strict=True))
            print(f"{name:<22}{cases:>4} x {trials}  {ours}   resampled {resampled}", flush=True)


def _one(random: np.random.Generator, odds: Sequence[float], cases: int, trials: int) -> tuple[Intervals, Intervals]:
    logits = (
        np.array(odds)[:, None] + random.normal(0, 1.2, size=cases) + random.normal(0, 0.8, size=(len(odds), cases))
    )
    passed = random.random((trials, len(odds), cases)) < 1 / (1 + np.exp(-logits))
    runs = passed.transpose(1, 2, 0).tolist()
    gains = {}
    for one, other in combinations(range(len(odds)), 2):
        found = paired_pass_hat_all(list(zip(runs[one], runs[other], strict=True)))[0]
        gains[one, other] = (found.value or 0.0, found.p)
    ours = [(rank.low, rank.high) for rank in rank_intervals(len(odds), gains)]
    return ours, _resampled(random, passed.mean(axis=0))


def _resampled(random: np.random.Generator, means: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]") -> Intervals:
    runs, cases = means.shape
    drawn = random.multinomial(cases, [1 / cases] * cases, size=400) @ means.T
    ranks = np.stack([1 + (drawn > drawn[:, [run]]).sum(axis=1) for run in range(runs)])
    low, high = np.quantile(ranks, (0.025, 0.975), axis=1)
    return [(int(one), int(other)) for one, other in zip(low, high, strict=True)]


def _told(found: Sequence[Intervals], odds: Sequence[float]) -> str:
    held = np.mean([_holds(intervals, odds) for intervals in found])
    return f"{held:.3f} ({np.mean([_width(intervals) for intervals in found]):.2f})"


def _holds(intervals: Intervals, odds: Sequence[float]) -> bool:
    """Runs that are equally good share their ranks."""
    return all(
        low <= 1 + sum(other > own for other in odds) and high >= len(odds) - sum(other < own for other in odds)
        for (low, high), own in zip(intervals, odds, strict=True)
    )


def _width(intervals: Intervals) -> float:
    return float(np.mean([high - low + 1 for low, high in intervals]))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
