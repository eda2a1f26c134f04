"""How often the 95% intervals of rates, pass^k and differences hold the truth, over a grid of what runs are like.

    uv run python -m benchmarks.coverage [--repeats 1000] [--svg docs/coverage.svg]

Cases have chances to pass that are drawn from a beta distribution of a mean and an alikeness (the share of the variance
between trials that lies between cases), or are a mix of cases that always pass, never pass, and toss a coin. Then the
same with trials that end in error, at random or because they would have failed, and with unequal numbers of trials.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from trialkit.stats import Difference, Figure, error_bounds, pass_hat_mean, pass_rate
from trialkit.stats.compare import paired_difference

from .coverage_chart import chart

SIZES, TRIALS, RATES, ALIKE = (5, 10, 20, 50, 115, 500), (1, 4, 8), (0.02, 0.1, 0.5, 0.9, 0.98), (0.0, 0.1, 0.4, 0.9)
MIXED = (0.3, 0.5, 0.7)
#: With 1,000 repeats one in a few hundred cells of exactly 95% comes out below 93%.
WANTED = (0.93, 0.98)

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, kw_only=True)
class Agent:
    """What a case's chance to pass is drawn from."""

    rate: float
    alike: float | None  # None: a mix

    def chances(self, random: np.random.Generator, cases: int) -> Array:
        if self.alike is None:
            coin, sure = random.random(cases) < 0.4, random.random(cases) < (self.rate - 0.2) / 0.6
            return np.where(coin, 0.5, sure.astype(float))
        if not self.alike:
            return np.full(cases, self.rate)
        left = (1 - self.alike) / self.alike
        return random.beta(self.rate * left, (1 - self.rate) * left, size=cases)

    def truth(self, k: int) -> float:
        """The mean over cases of the chance that all of k trials pass."""
        if self.alike is None:
            return 0.4 * 0.5**k + (self.rate - 0.2)
        left = (1 - self.alike) / self.alike if self.alike else None
        found = 1.0
        for step in range(k):
            found *= self.rate if left is None else (self.rate * left + step) / (left + step)
        return found


@dataclass(frozen=True, kw_only=True)
class Cell:
    kind: str
    cases: int
    trials: int
    share: float  # of the intervals that hold the truth
    width: float


AGENTS = [Agent(rate=rate, alike=alike) for rate, alike in product(RATES, ALIKE)]
MIXES = [Agent(rate=rate, alike=None) for rate in MIXED]


def rates(repeats: int) -> Iterator[Cell]:
    random = np.random.default_rng(1)
    for cases, trials in product(SIZES, TRIALS):
        agents = AGENTS + MIXES if trials > 1 else [Agent(rate=rate, alike=0.0) for rate in RATES]
        for agent in agents:
            runs = [_passes(random, agent, cases, trials) for _ in range(repeats)]
            yield _cell("pass rate", cases, trials, [_rate(_key(run, trials)) for run in runs], agent.truth(1))
            if trials > 1:
                found = [_hat(_key(run, trials)) for run in runs]
                yield _cell(f"pass^{trials}", cases, trials, found, agent.truth(trials))


def unequal(repeats: int) -> Iterator[Cell]:
    """A case has 1 to 8 trials, more of them where it is hard."""
    random = np.random.default_rng(2)
    for cases, agent in product((10, 20, 50, 115), [agent for agent in AGENTS if agent.alike in {0.1, 0.4}]):
        figures = []
        for _ in range(repeats):
            chances = agent.chances(random, cases)
            trials = random.binomial(7, 1 - 0.8 * chances) + 1
            passes = random.binomial(trials, chances)
            figures.append(_rate(tuple(sorted(Counter(zip(passes.tolist(), trials.tolist(), strict=True)).items()))))
        yield _cell("unequal trials", cases, 0, figures, agent.truth(1))


def errors(repeats: int) -> Iterator[Cell]:
    """Trials that end in error at random; and three times as often where they would have failed, where nothing but the
    bounds can hold what the rate would have been."""
    random = np.random.default_rng(3)
    for (cases, trials), rate, lost in product(((50, 4), (115, 1), (115, 4), (500, 1)), (0.3, 0.6, 0.9), (0.05, 0.3)):
        agent = Agent(rate=rate, alike=0.4)
        for why in ("errors at random", "errors hide fails"):
            held, bounded = [], []
            for _ in range(repeats):
                passed = random.random((cases, trials)) < agent.chances(random, cases)[:, None]
                chance = lost if why == "errors at random" else np.where(passed, lost / 2, 1.5 * lost)
                worths = np.where(random.random(passed.shape) < chance, np.nan, passed)
                run = [[None if np.isnan(worth) else worth for worth in case] for case in worths.tolist()]
                held.append(pass_rate([[bool(worth) for worth in case if worth is not None] for case in run]))
                bounds = error_bounds(run, 0.0, 1.0)
                whole = float(passed.mean())
                bounded.append(bounds is None or (bounds.low or 0.0) - 1e-9 <= whole <= (bounds.high or 0.0) + 1e-9)
            yield _cell(why, cases, trials, held, agent.truth(1))
            yield Cell(kind=f"bounds, {why}", cases=cases, trials=trials, share=fmean(bounded), width=0.0)


def differences(repeats: int) -> Iterator[Cell]:
    """Half of what makes a case hard is shared by the two agents; none better, or one by ten points."""
    random = np.random.default_rng(4)
    settings = product((10, 20, 50, 115), (1, 4, 8), (0.5, 0.8), (0.1, 0.4), (0.0, 0.1))
    for cases, trials, rate, alike, gain in settings:
        before, after = Agent(rate=rate, alike=alike), Agent(rate=rate + gain, alike=alike)
        found = []
        for _ in range(repeats):
            same = random.random(cases) < 0.5
            chances = before.chances(random, cases), after.chances(random, cases)
            other = np.where(same, np.clip(chances[0] + gain, 0, 1), chances[1])
            passes = random.binomial(trials, chances[0]), random.binomial(trials, other)
            found.append(difference(*passes, trials))
        truth = gain if not gain else _clipped(before, gain)
        yield _cell("difference", cases, trials, found, truth)


@cache
def _clipped(before: Agent, gain: float) -> float:
    """A chance ends at 1, so what is shared gains a little less."""
    drawn = before.chances(np.random.default_rng(5), 2_000_000)
    return float(0.5 * gain + 0.5 * (np.clip(drawn + gain, 0, 1) - drawn).mean())


def difference(before: Array, after: Array, trials: int, earlier: int = 0) -> Difference:
    """`earlier`: how many trials there were before, if not as many."""
    pairs = zip(before.tolist(), after.tolist(), strict=True)
    return paired_difference([(_case(a, earlier or trials), _case(b, trials)) for a, b in pairs])


def _case(passes: int, trials: int) -> list[bool]:
    return [True] * passes + [False] * (trials - passes)


def _passes(random: np.random.Generator, agent: Agent, cases: int, trials: int) -> list[int]:
    return random.binomial(trials, agent.chances(random, cases)).tolist()  # type: ignore[no-any-return]


def _key(passes: list[int], trials: int) -> tuple[tuple[tuple[int, int], int], ...]:
    """A run as how many of its cases are alike: many runs are, and each is reckoned once."""
    return tuple(sorted(Counter((one, trials) for one in passes).items()))


def _run(key: tuple[tuple[tuple[int, int], int], ...]) -> list[list[bool]]:
    return [_case(*case) for case, times in key for _ in range(times)]


@lru_cache(20_000)
def _rate(key: tuple[tuple[tuple[int, int], int], ...]) -> Figure:
    return pass_rate(_run(key))


@lru_cache(20_000)
def _hat(key: tuple[tuple[tuple[int, int], int], ...]) -> Figure:
    return pass_hat_mean(_run(key), (key[0][0][1],))


def _cell(kind: str, cases: int, trials: int, found: list[Any], truth: float) -> Cell:
    ends = [(one.low, one.high) for one in found]
    share = fmean(low <= truth + 1e-12 and high >= truth - 1e-12 for low, high in ends)
    return Cell(kind=kind, cases=cases, trials=trials, share=share, width=fmean(high - low for low, high in ends))


def _told(cells: list[Cell]) -> Iterator[str]:
    """By kind and number of cases."""
    yield f"{'':<28}{'cases':>6}{'cells':>7}{'< 93%':>7}{'lowest':>8}{'> 98%':>7}{'width':>7}"
    for (kind, cases), _ in sorted(Counter((cell.kind, cell.cases) for cell in cells).items()):
        these = [cell for cell in cells if (cell.kind, cell.cases) == (kind, cases)]
        few, many = (sum(wrong(cell.share) for cell in these) for wrong in (_too_few, _too_many))
        lowest, width = min(cell.share for cell in these), fmean(cell.width for cell in these)
        yield f"{kind:<28}{cases:>6}{len(these):>7}{few:>7}{lowest:>8.3f}{many:>7}{width:>7.3f}"


def _too_few(share: float) -> bool:
    return share < WANTED[0]


def _too_many(share: float) -> bool:
    return share > WANTED[1]


STUDIES: dict[str, Callable[[int], Iterator[Cell]]] = {
    "rates": rates,
    "unequal": unequal,
    "errors": errors,
    "differences": differences,
}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeats", type=int, default=1000)
    parser.add_argument("--svg", type=Path)
    parser.add_argument("studies", nargs="*", default=list(STUDIES))
    asked = parser.parse_args()
    cells = [cell for name in asked.studies for cell in STUDIES[name](asked.repeats)]
    print("\n".join(_told(cells)))
    if asked.svg:
        shown = {kind: [(c.cases, c.share) for c in cells if c.kind == kind] for kind in ("pass rate", "difference")}
        shown["pass^k"] = [(cell.cases, cell.share) for cell in cells if cell.kind.startswith("pass^")]
        asked.svg.write_text(chart(shown), encoding="utf-8")


if __name__ == "__main__":
    main()
