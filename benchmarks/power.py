"""How often a comparison finds the difference that `plan` says it detects with 80% power, by simulation.

Each case has two chances to pass, one for each subject: drawn from beta distributions that make the trials of a case as
much alike as assumed, and coupled by normal values that make the chances correlate as much as assumed.

    uv run python -m benchmarks.power [REPEATS]
"""

import sys

import numpy as np
from scipy.stats import beta, norm  # type: ignore[import-untyped]

from trialkit.stats import Design, detectable, floor
from trialkit.stats.compare import paired_difference

Values = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
SIZES = ((10, 4), (20, 4), (50, 1), (50, 4), (115, 1), (115, 4))  # cases, trials of each
SHARED = (0.3, 0.5, 0.8)
RATES = (0.5, 0.7)


def main(repeats: int) -> None:
    print(f"{repeats} runs each; the share of them in which the comparison is significant: 0.80 is promised\n")
    print(f"{'cases x trials':<16}{'rate':>6}{'shared':>8}{'detects':>10}{'floor':>8}{'found':>8}")
    for cases, trials in SIZES:
        for rate in RATES:
            for shared in SHARED:
                design = Design(cases=cases, trials=trials, rate=rate, shared=shared)
                least, never_less = detectable(design), floor(design) or 0.0
                found = "" if least is None else f"{_found(design, least, repeats):.3f}"
                told = "" if least is None else f"{least:.3f}"
                print(
                    f"{f'{cases} x {trials}':<16}{rate:>6}{shared:>8}{told:>10}{never_less:>8.3f}{found:>8}", flush=True
                )


def _found(design: Design, difference: float, repeats: int) -> float:
    random = np.random.default_rng(1)
    rates = (design.rate, design.rate + difference if design.rate <= 0.5 else design.rate - difference)
    coupling = _coupling(design, rates)
    found = 0
    for _ in range(repeats):
        chances = _chances(random.normal(size=(2, design.cases)), rates, design.alike, coupling)
        runs = (random.random((*chances.shape, design.trials)) < chances[..., None]).tolist()
        found += paired_difference([(before, after) for before, after in runs]).significant
    return found / repeats


def _coupling(design: Design, rates: tuple[float, float]) -> float:
    """Of the normal values, so that the chances correlate as assumed."""
    normal = np.random.default_rng(3).normal(size=(2, 20_000))
    low, high = 0.0, 1.0
    for _ in range(10):
        centre = (low + high) / 2
        chances = _chances(normal, rates, design.alike, centre)
        less = np.corrcoef(chances[:, 0], chances[:, 1])[0, 1] < design.shared
        low, high = (centre, high) if less else (low, centre)
    return (low + high) / 2


def _chances(normal: Values, rates: tuple[float, float], alike: float, coupling: float) -> Values:
    """A row for each case: before, after."""
    coupled = np.array([normal[0], coupling * normal[0] + np.sqrt(1 - coupling**2) * normal[1]])
    weight = 1 / alike - 1
    places = np.clip(norm.cdf(coupled), 1e-12, 1 - 1e-12)
    found: Values = np.array(
        [beta.ppf(place, rate * weight, (1 - rate) * weight) for place, rate in zip(places, rates, strict=True)]
    ).T
    return found


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
