"""How often the 95% intervals of pass rate and pass^k hold the truth, by simulation.

Each case has its own chance to pass, drawn from a beta distribution; pass^k is then known in closed form.

    uv run python -m benchmarks.coverage [REPEATS]
"""

import sys
from math import prod

import numpy as np

from trialkit.stats import Figure, pass_hat_mean, pass_rate

SIZES = ((10, 1), (20, 4), (50, 4), (50, 8), (115, 4))  # cases, trials of each
AGENTS = {"all or nothing": (0.5, 0.5), "average": (5, 5), "good": (2, 1), "strong": (9, 1), "weak": (0.3, 3)}


def main(repeats: int) -> None:
    print(f"{repeats} runs each; the share of them whose interval holds the truth\n")
    print(f"{'cases x trials':<16}{'agent':<16}{'pass rate':>10}" + "".join(f"{f'pass^{k}':>9}" for k in (1, 2, 4, 8)))
    random = np.random.default_rng(1)
    for cases, trials in SIZES:
        for agent, (a, b) in AGENTS.items():
            rate, *hats = _coverage(random, cases, trials, (a, b), repeats)
            cells = "".join(f"{share:>9.3f}" for share in hats)
            print(f"{f'{cases} x {trials}':<16}{agent:<16}{rate:>10.3f}{cells}", flush=True)


def _coverage(
    random: np.random.Generator, cases: int, trials: int, agent: tuple[float, float], repeats: int
) -> list[float]:
    """Of the pass rate, then of pass^1, 2, 4 and 8 as far as there are trials."""
    ks = [k for k in (1, 2, 4, 8) if k <= trials]
    held = np.zeros(1 + len(ks))
    for _ in range(repeats):
        chances = random.beta(*agent, size=(cases, 1))
        run: list[list[bool]] = (random.random((cases, trials)) < chances).tolist()
        held += [
            _holds(pass_rate(run), _truth(agent, 1)),
            *(_holds(pass_hat_mean(run, (k,)), _truth(agent, k)) for k in ks),
        ]
    return [float(share) for share in held / repeats]


def _truth(agent: tuple[float, float], k: int) -> float:
    """The k-th moment of the beta distribution: all of k trials of a random case pass."""
    a, b = agent
    return prod((a + i) / (a + b + i) for i in range(k))


def _holds(figure: Figure, truth: float) -> bool:
    return figure.low is not None and figure.high is not None and figure.low <= truth <= figure.high


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
