"""How often the intervals of the shares of case, user and trial hold what made the numbers, where several users lead
the same subject through the same cases.

    uv run python -m benchmarks.users [REPEATS]
"""

import sys
from itertools import combinations, product
from typing import Any

import numpy as np

from trialkit.stats import Tried, user_variance

SIZES, TRIALS = (20, 50), (2, 4)
#: How much easier each user makes it; the variance between cases; that of what a user makes of a case.
USERS, CASES, TOGETHER = ((-0.1, 0.1), (0.0, 0.0), (0.0, 0.05, 0.2)), (0.04, 0.1), (0.0, 0.03)
NAMES = ("alike", "user", "rest")

Array = np.ndarray[Any, np.dtype[np.float64]]


def chances(random: np.random.Generator, cases: int, users: tuple[float, ...], between: float, own: float) -> Array:
    easy = random.normal(0, between**0.5, (cases, 1)) + random.normal(0, own**0.5, (cases, len(users)))
    found: Array = np.clip(0.5 + np.array(users) + easy, 0, 1)
    return found


def truth(drawn: Array) -> Array:
    pairs = combinations(range(drawn.shape[1]), 2)
    between = np.mean([np.cov(drawn[:, one], drawn[:, other])[0, 1] for one, other in pairs])
    parts = np.array([between, drawn.var(axis=1, ddof=1).mean(), (drawn * (1 - drawn)).mean()])
    found: Array = parts / parts.sum()
    return found


def held(random: np.random.Generator, design: tuple[Any, ...], repeats: int) -> Array:
    cases, trials, *made = design
    shares, counts = truth(chances(random, 200_000, *made)), np.zeros(3)
    for _ in range(repeats):
        passes = random.random((trials, cases, len(made[0]))) < chances(random, cases, *made)
        runs = passes.transpose(2, 1, 0).astype(float).tolist()  # by user and case
        told = user_variance([{str(n): Tried(values=values) for n, values in enumerate(run)} for run in runs])
        figures = [getattr(told, name) for name in NAMES]
        ends = zip(figures, shares, strict=True)
        counts += [(one.low or 0.0) - 1e-9 <= share <= (one.high or 0.0) + 1e-9 for one, share in ends]
    return counts / repeats


def main(repeats: int) -> None:
    random, found = np.random.default_rng(1), []
    for design in product(SIZES, TRIALS, USERS, CASES, TOGETHER):
        found.append(held(random, design, repeats))
        print(*design, found[-1].round(3), flush=True)
    for place, name in enumerate(NAMES):
        shares = [one[place] for one in found]
        print(f"{name}: least {min(shares):.3f}, mean {np.mean(shares):.3f} of {len(shares)} designs")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
