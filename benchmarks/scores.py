"""How often the 95% intervals of mean scores, and of their differences, hold the truth, by simulation.

A case has a quality of its own, and each trial of it a score around that. Beside ours: Student's t over cases' means.
The difference is of two runs of the same cases, once without any true difference (its column also shows how often
p < 0.05, to be 0.05 at most), once with one.

    uv run python -m benchmarks.scores [REPEATS]
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from trialkit.stats import Difference, Figure, mean_by_case, mean_score, paired_amounts, score_difference

Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
SIZES = ((5, 1), (10, 1), (20, 1), (20, 4), (50, 1), (200, 1))  # cases, trials of each


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """A standard normal number for each trial, 0.6 of whose variance is its case's, becomes a score."""

    name: str
    score: Callable[[Array], Array]
    low: float | None = None
    high: float | None = None
    gain: float = 0.4  # how much better the other run is, in standard deviations of that number


def _share(skew: float, wide: float) -> Callable[[Array], Array]:
    return lambda z: 1 / (1 + np.exp(-(skew + wide * z)))


def _stars(*cuts: float) -> Callable[[Array], Array]:
    return lambda z: 1 + np.searchsorted(cuts, z).astype(float)


KINDS = (
    Kind(name="0 to 1, even", score=_share(0, 1), low=0, high=1),
    Kind(name="0 to 1, around 0.9", score=_share(2.5, 1), low=0, high=1),
    Kind(name="0 to 1, most exactly 1", score=lambda z: np.minimum(1, _share(2, 2)(z) * 1.2), low=0, high=1),
    Kind(name="1 to 5, even", score=_stars(-1.5, -0.5, 0.5, 1.5), low=1, high=5),
    Kind(name="1 to 5, 80% a 5", score=_stars(-2.3, -1.9, -1.5, -0.85), low=1, high=5),
    Kind(name="seconds, skewed", score=lambda z: np.exp(0.6 * z), low=0),
    Kind(name="seconds, very skewed", score=np.exp, low=0),
    Kind(name="any number", score=lambda z: z),
)


def main(repeats: int) -> None:
    print(f"{repeats} runs each; the share whose interval holds the truth\n")
    print(f"{'':<24}{'cases':>10}{'mean':>9}{'t':>7}{'none':>9}{'p<.05':>7}{'t':>7}{'some':>9}{'t':>7}")
    for kind in KINDS:
        truths = _truths(kind)
        for cases, trials in SIZES:
            cells = _coverage(kind, cases, trials, truths, repeats)
            shown = "".join(f"{cell:>{width}.3f}" for cell, width in zip(cells, (9, 7, 9, 7, 7, 9, 7), strict=True))
            print(f"{kind.name:<24}{f'{cases} x {trials}':>10}{shown}", flush=True)


def _truths(kind: Kind) -> tuple[float, float]:
    """The mean of a run, and how much the better one's is above it: integrated over the normal distribution."""
    z = np.linspace(-9, 9, 2_000_001)
    weight = np.exp(-z * z / 2)
    before, after = (float(np.average(kind.score(z + gain), weights=weight)) for gain in (0, kind.gain))
    return before, after - before


def _coverage(kind: Kind, cases: int, trials: int, truths: tuple[float, float], repeats: int) -> list[float]:
    random = np.random.default_rng(3)
    held = []
    for _ in range(repeats):
        quality = np.sqrt(0.6) * random.normal(size=(cases, 1))
        before, same, better = (
            kind.score(quality + np.sqrt(0.4) * random.normal(size=(cases, trials)) + gain)
            for gain in (0, 0, kind.gain)
        )
        others = same, better
        pairs = [list(zip(before.tolist(), after.tolist(), strict=True)) for after in others]
        found = [score_difference(one, kind.low, kind.high) for one in pairs]
        means = [list(zip(before.mean(1).tolist(), after.mean(1).tolist(), strict=True)) for after in others]
        plain = [paired_amounts(one) for one in means]
        held.append(
            (
                _holds(mean_score(before.tolist(), kind.low, kind.high), truths[0]),
                _holds(mean_by_case([[one] for one in before.mean(1).tolist()]), truths[0]),
                _holds(found[0], 0),
                found[0].significant,
                _holds(plain[0], 0),
                _holds(found[1], truths[1]),
                _holds(plain[1], truths[1]),
            )
        )
    return [float(share) for share in np.mean(held, axis=0)]


def _holds(figure: Figure | Difference, truth: float) -> bool:
    return figure.low is not None and figure.high is not None and figure.low <= truth <= figure.high


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
