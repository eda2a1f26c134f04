"""How often p < 0.05 of two runs that are equally good.

    uv run python -m benchmarks.false_alarms [RUNS]

With one trial of each case it is reckoned exactly: the flips are binomial, and each goes either way. With several it is
simulated; cells above 5% are simulated again, ten times as long, with other draws.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import comb, sqrt

import numpy as np

from trialkit.stats import SIGNIFICANT
from trialkit.stats.compare import mcnemar

from .coverage import Agent, Array, difference

SIZES = (10, 20, 50, 115)
#: Of each case, and in the earlier run; 0: as many.
TRIALS = ((2, 0), (4, 0), (8, 0), (1, 8))
RATES, ALIKE, SHARED = (0.5, 0.8, 0.95), (0.1, 0.4, 0.9), (0.0, 1.0)
ONCE = (5, 8, 10, 15, 20, 30, 50, 75, 100, 115, 150, 200, 300, 500)
FLIPPED = [part / 100 for part in range(1, 101)]
_WANTED = 0.055


@dataclass(frozen=True, kw_only=True)
class Cell:
    cases: int
    trials: int
    before: int = 0  # trials of each case in the earlier run; 0: as many
    rate: float
    alike: float  # the share of the variance between trials that lies between cases
    shared: float  # the share of the cases that are as hard for both; else they have nothing to do with each other

    def alarms(self, random: np.random.Generator, runs: int) -> float:
        return sum(self._alarm(random) for _ in range(runs)) / runs

    def _alarm(self, random: np.random.Generator) -> bool:
        agent = Agent(rate=self.rate, alike=self.alike)
        before, after = agent.chances(random, self.cases), agent.chances(random, self.cases)
        after = np.where(random.random(self.cases) < self.shared, before, after)
        earlier = self.before or self.trials
        one, other = random.binomial(earlier, before), random.binomial(self.trials, after)
        return _maybe(other / self.trials - one / earlier) and difference(one, other, self.trials, earlier).significant


def _maybe(changes: Array) -> bool:
    """Tango's test, which p is never below, has |z| < |t| √(n / (n - 1)): what is below this is no alarm, and needs
    no resampling to tell."""
    n, error = len(changes), float(changes.std(ddof=1)) / sqrt(len(changes))
    return bool(abs(changes.mean()) >= 1.959 * sqrt((n - 1) / n) * error)


@cache
def _given(flips: int) -> float:
    """Of so many flips."""
    chances = [comb(flips, up) * 0.5**flips for up in range(flips + 1)]
    return sum(chance for up, chance in enumerate(chances) if mcnemar(up, flips - up) < SIGNIFICANT)


def exact(cases: int, flipped: float) -> float:
    """Where each case flips with this chance, one trial of each."""
    counts = np.arange(cases + 1)
    logs = np.array([0.0, *np.cumsum(np.log((cases - counts[:-1]) / (counts[:-1] + 1)))])
    with np.errstate(divide="ignore", invalid="ignore"):
        stay = np.where(counts < cases, (cases - counts) * np.log1p(-flipped), 0.0)
    chances = np.exp(logs + counts * np.log(flipped) + stay)
    return float(sum(chance * _given(flips) for flips, chance in enumerate(chances) if chance > 1e-12))


def _once() -> Iterator[str]:
    for cases in ONCE:
        sizes = {flipped: exact(cases, flipped) for flipped in FLIPPED}
        usual = max(size for flipped, size in sizes.items() if flipped <= 0.95)
        yield f"{cases:>5} x 1   at most {usual:.2%} where 1 to 95% flip, {max(sizes.values()):.2%} where all may"


def main(runs: int) -> None:
    print("\n".join(_once()), flush=True)
    random = np.random.default_rng(1)
    cells = [
        Cell(cases=cases, trials=trials, before=before, rate=rate, alike=alike, shared=shared)
        for cases, (trials, before), rate, alike, shared in product(SIZES, TRIALS, RATES, ALIKE, SHARED)
    ]
    found = {cell: cell.alarms(random, runs) for cell in cells}
    for cases, (trials, before) in product(SIZES, TRIALS):
        same = (cases, trials, before)
        shares = [share for cell, share in found.items() if (cell.cases, cell.trials, cell.before) == same]
        size = f"{cases:>5} x {trials}" + (f" after {before}" if before else "")
        print(f"{size:<18} mean {np.mean(shares):.2%}, most {max(shares):.2%} of {len(shares)} cells")
    over = sum(share > _WANTED for share in found.values())
    print(f"{len(cells)} cells, {runs} runs each: {over} over {_WANTED:.1%}")
    for cell, share in found.items():
        if share > SIGNIFICANT:
            print(f"  {cell}: {share:.2%}, again {cell.alarms(random, 10 * runs):.2%}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
