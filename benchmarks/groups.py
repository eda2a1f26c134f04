"""False alarms and power of the test whether types of case differ from each other, over designs drawn at random.

    uv run python -m benchmarks.groups [TIMES]

A design has two to twelve types of 3 to 100 cases. Without a difference, cases of a type get better or worse equally
often, or all types by the same amount; with one, one type gets better by more than the others.
"""

import sys
from collections.abc import Sequence
from random import Random
from statistics import fmean

from trialkit.stats import SIGNIFICANT, differ_by_group

_DESIGNS = 250
_AGAIN = 8  # of the highest shares: the highest of 250 is high by chance, too
_SIZES = (3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 30, 50, 100)
_FLIPS = (0.0, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5)
#: Cases, chance to get better, chance to get worse.
Group = tuple[int, float, float]


def null_design(draw: Random) -> list[Group]:
    shift = draw.choice((0.0, 0.0, 0.2, 0.4))
    flips = (draw.choice(_FLIPS) * (1 - shift) for _ in range(draw.randint(2, 12)))
    return [(draw.choice(_SIZES), shift + flip, flip) for flip in flips]


def design_with_a_difference(draw: Random) -> list[Group]:
    one, *others = ((draw.choice(_SIZES[4:]), draw.choice((0.0, 0.05, 0.1, 0.2))) for _ in range(draw.randint(2, 5)))
    return [(one[0], one[1] + 0.4, one[1]), *((cases, flip, flip) for cases, flip in others)]


def found(design: Sequence[Group], trials: int, times: int, draw: Random) -> float:
    """How often a difference is told."""
    told = 0
    for _ in range(times):
        groups = [
            [fmean(draw.choices((1.0, -1.0, 0.0), (up, down, 1 - up - down), k=trials)) for _ in range(cases)]
            for cases, up, down in design
        ]
        p = differ_by_group(groups)
        told += p is not None and p < SIGNIFICANT
    return told / times


def main(times: int) -> None:
    draw = Random(1)
    for name, make in (("no difference", null_design), ("40 points in one type", design_with_a_difference)):
        for trials in (1, 4):
            shares = [(found(design, trials, times, draw), design) for design in (make(draw) for _ in range(_DESIGNS))]
            print(f"{name}, trials {trials}: mean {fmean(share for share, _ in shares):.3f}", flush=True)
            for share, design in sorted(shares)[-_AGAIN:]:
                print(f"  {share:.3f}, again {found(design, trials, 10 * times, draw):.3f}: {design}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
