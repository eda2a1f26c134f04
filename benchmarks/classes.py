"""How often the 95% intervals of a class's precision and recall hold the truth, by simulation.

Some cases are always mistaken or never, the others by chance in each trial anew.

    uv run python -m benchmarks.classes [REPEATS]
"""

import random
import sys
from collections import Counter
from itertools import product

from trialkit.stats import Classified, Figure, class_figures

CASES, TRIALS, OF_CLASS, ERRS, FIXED = (20, 40, 100, 300), (1, 3, 8), (0.2, 0.5), (0.02, 0.1, 0.3), (0.0, 0.5, 1.0)


def main(repeats: int) -> None:
    rng, low = random.Random(5), Counter[str]()
    lowest = {"precision": 1.0, "recall": 1.0}
    grid = list(product(CASES, TRIALS, OF_CLASS, ERRS, FIXED))
    for cases, trials, share, errs, fixed in grid:
        found = share * (1 - errs)
        truth = {"precision": found / (found + (1 - share) * errs), "recall": 1 - errs}
        held, told = Counter[str](), Counter[str]()
        for _ in range(repeats):
            (of,) = class_figures([_case(rng, trials, share, errs, fixed) for _ in range(cases)], ["a"])
            for name, figure in (("precision", of.precision), ("recall", of.recall)):
                told[name] += figure.value is not None
                held[name] += _holds(figure, truth[name])
        for name, best in lowest.items():
            coverage = held[name] / told[name]
            lowest[name] = min(best, coverage)
            low[name] += coverage < 0.93
    for name, least in lowest.items():
        print(f"{name}: {len(grid)} cells, {repeats} runs each; lowest {least:.3f}, under 93% in {low[name]}")


def _case(rng: random.Random, trials: int, share: float, errs: float, fixed: float) -> Classified:
    truth, other = ("a", "b") if rng.random() < share else ("b", "a")
    rate = float(rng.random() < errs) if rng.random() < fixed else errs
    return Classified(truth, [other if rng.random() < rate else truth for _ in range(trials)])


def _holds(figure: Figure, truth: float) -> bool:
    return figure.low is not None and figure.high is not None and figure.low <= truth <= figure.high


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 600)
