"""How often the 95% intervals of what labels tell hold the truth: TPR, TNR, agreement, kappa, corrected rate, alpha.

Labels are drawn at random, or half among the judge's passes and half among its fails.

    uv run python -m benchmarks.labels [REPEATS]
"""

import sys
import time
from itertools import product

import numpy as np

from trialkit.stats import Figure, JudgedTrial, judge_figures, krippendorff_alpha

#: Cases, trials of each, labels.
SIZES = ((200, 1, 10), (200, 1, 20), (200, 1, 50), (500, 1, 100), (50, 4, 40), (115, 4, 200))
JUDGES = ((0.99, 0.99), (0.9, 0.8), (0.8, 0.6))  # TPR, TNR
RATES = (0.5, 0.9)
NAMES = ("agreement", "tpr", "tnr", "kappa", "corrected_pass_rate")
#: Cases, trials of each, annotators.
ANNOTATED = ((20, 1, 2), (50, 1, 2), (20, 1, 3), (15, 4, 2), (50, 4, 3))
Random = np.random.Generator


def main(repeats: int) -> None:
    begun, worst = time.process_time(), dict.fromkeys((*NAMES, "alpha"), 1.0)
    print("cases x trials, labels, judge, people's rate, drawn: " + ", ".join(NAMES))
    for (cases, trials, labels), judge, rate, halves in product(SIZES, JUDGES, RATES, (False, True)):
        held = _judged(np.random.default_rng(7), cases, trials, labels, judge, rate, repeats, halves=halves)
        worst |= {name: min(worst[name], share) for name, share in held.items()}
        drawn = "by verdict" if halves else "at random"
        told = " ".join(f"{share:.3f}" for share in held.values())
        print(f"{cases:>4} x {trials} {labels:>4} {judge} {rate} {drawn:<10} {told}", flush=True)
    print("\ncases x trials, annotators, people's rate, how often each errs: alpha")
    for (cases, trials, people), rate, errs in product(ANNOTATED, (0.5, 0.85), (0.03, 0.12, 0.3)):
        share = _alphas(np.random.default_rng(7), (cases, trials, people), rate, errs, repeats)
        worst["alpha"] = min(worst["alpha"], share)
        print(f"{cases:>4} x {trials} {people} {rate:>5} {errs:>5} {share:.3f}", flush=True)
    print("\nworst: " + ", ".join(f"{name} {share:.3f}" for name, share in worst.items()))
    print(f"{time.process_time() - begun:.0f} s of CPU")


def _judged(
    random: Random,
    cases: int,
    trials: int,
    labels: int,
    judge: tuple[float, float],
    rate: float,
    repeats: int,
    *,
    halves: bool,
) -> dict[str, float]:
    tpr, tnr = judge
    judged = rate * tpr + (1 - rate) * (1 - tnr)
    agreed, chance = rate * tpr + (1 - rate) * tnr, rate * judged + (1 - rate) * (1 - judged)
    truth = (agreed, tpr, tnr, (agreed - chance) / (1 - chance), rate)
    held = dict.fromkeys(NAMES, 0)
    for _ in range(repeats):
        # cases differ much in how hard they are, as tau-bench's do
        chances = random.beta(1.5 * rate, 1.5 * (1 - rate), size=(cases, 1)) if trials > 1 else rate
        human = random.random((cases, trials)) < chances
        verdict = np.where(human, random.random(human.shape) < tpr, random.random(human.shape) > tnr)
        order = random.permutation(human.size)
        passes, fails = order[verdict.flat[order]], order[~verdict.flat[order]]
        chosen = np.concatenate([passes[: labels // 2], fails[: labels // 2]]) if halves else order[:labels]
        labelled = np.zeros(human.size, dtype=bool)
        labelled[chosen] = True
        people = np.where(labelled.reshape(human.shape), human, np.nan).tolist()
        found = judge_figures(
            [
                [JudgedTrial(*one) for one in zip(row, [None if h != h else h for h in told], strict=True)]  # noqa: PLR0124 - no number
                for row, told in zip(verdict.tolist(), people, strict=True)
            ]
        )
        for name, value in zip(NAMES, truth, strict=True):
            held[name] += _holds(getattr(found, name), value)
    return {name: count / repeats for name, count in held.items()}


def _alphas(random: Random, size: tuple[int, int, int], rate: float, errs: float, repeats: int) -> float:
    """The share of intervals that hold the truth, of those that there are."""
    passed = rate * (1 - errs) + (1 - rate) * errs
    truth = 1 - errs * (1 - errs) / (passed * (1 - passed))
    figures = [krippendorff_alpha(_votes(random, size, rate, errs)) for _ in range(repeats)]
    told = [figure for figure in figures if figure.value is not None]
    return sum(_holds(figure, truth) for figure in told) / len(told)


def _votes(random: Random, size: tuple[int, int, int], rate: float, errs: float) -> list[list[tuple[int, int]]]:
    cases, trials, people = size
    chances = random.beta(1.5 * rate, 1.5 * (1 - rate), size=(cases, 1)) if trials > 1 else rate
    truth = random.random((cases, trials)) < chances
    passed = (truth[..., None] ^ (random.random((cases, trials, people)) < errs)).sum(axis=-1)
    return [[(count, people - count) for count in row] for row in passed.tolist()]


def _holds(figure: Figure, truth: float) -> bool:
    return figure.low is not None and figure.high is not None and figure.low <= truth + 1e-12 <= figure.high + 2e-12


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
