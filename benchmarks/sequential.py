"""What looking again and again does: to `compare --sequential`, and to a plain p-value.

uv run python -m benchmarks.sequential [REPEATS]
"""

import sys
from collections.abc import Callable

import numpy as np

from trialkit.stats import Design, cases_needed, paired_pass_hat_all, pairs_to_exclude, sequential_test

MARGIN = 0.1
FLIPS = 0.3  # cases of which one run passes and the other does not
LOOKS = 8
ENOUGH = 3000  # cases: by then nearly everything is decided
Passes = np.ndarray[tuple[int], np.dtype[np.bool_]]
Changes = Callable[[np.random.Generator], list[list[float]]]


def main(repeats: int) -> None:
    random = np.random.default_rng(1)
    print(f"wrong decisions, looked at after every case, of {repeats} runs")
    for name, changes, margin, wrong in _WRONG:
        found = [_decide(changes(random), margin) for _ in range(repeats)]
        print(f"  {name:<64}{sum(one in wrong for one in found) / repeats:>8.2%}", flush=True)
    print(f"\ncases until it is decided, {FLIPS:.0%} flips, margin {MARGIN:.0%}, of {repeats // 10} runs")
    knowing = pairs_to_exclude(MARGIN, FLIPS**0.5) or 0
    cautious = cases_needed(Design(cases=100, trials=1), MARGIN) or 0
    print(f"  a fixed design takes {knowing} where it knows the flips, {cautious} where it does not")
    for truth in (0.0, 0.05, 0.15, -0.05, -0.15, -0.2):
        _needed(random, truth, repeats // 10, (knowing, cautious))
    print(f"\nfalse alarms of a plain p < 0.05 after 1 to {LOOKS} looks, of {repeats // 10} runs")
    for name, look in (("50 more cases a look", _more_cases), ("B run anew over 100 cases", _anew)):
        alarms = np.mean([np.maximum.accumulate(look(random)) for _ in range(repeats // 10)], axis=0)
        print(f"  {name:<36}" + " ".join(f"{share:.1%}" for share in alarms), flush=True)


def _once(difference: float, flips: float, cases: int) -> Changes:
    shares = [(flips - difference) / 2, 1 - flips, (flips + difference) / 2]
    return lambda random: [random.choice([-1.0, 0.0, 1.0], p=shares, size=cases).tolist()]


def _rounds(cases: int, trials: int, spread: float, difference: float = 0.0) -> Changes:
    """Each case is `difference` better in B and besides `spread` better or worse; A has been tried as often."""

    def draw(random: np.random.Generator) -> list[list[float]]:
        rate = random.choice([0.3, 0.5, 0.7], size=cases)
        other = rate + difference + spread * random.choice([-1, 1], size=cases)
        before = (random.random((trials, cases)) < rate).mean(axis=0)
        after = np.cumsum(random.random((trials, cases)) < other, axis=0) / np.arange(1, trials + 1)[:, None]
        return [row.tolist() for row in after - before]

    return draw


def _slow_fails(random: np.random.Generator) -> list[list[float]]:
    """No difference, but a fail takes B three times as long, and whatever ends first comes first: what not to do."""
    before, after = random.random(200) < 0.5, random.random(200) < 0.5
    begun = np.repeat(np.arange(4), 50)  # fifty at once
    order = np.argsort(begun * 2 + np.where(after, 1.0, 3.0) * random.uniform(0.8, 1.2, size=200))
    return [(after.astype(float) - before)[order].tolist()]


def _decide(rounds: list[list[float]], margin: float | None) -> str:
    return sequential_test(rounds, margin, planned=len(rounds), by_order=True).outcome


_SAME = {"better", "worse"}
_AS_GOOD = {"equal", "no worse", "better"}
_WRONG: tuple[tuple[str, Changes, float | None, set[str]], ...] = (
    ("no difference, 400 cases, 10% flips: better or worse", _once(0, 0.1, 400), None, _SAME),
    ("no difference, 400 cases, 30% flips: better or worse", _once(0, 0.3, 400), None, _SAME),
    ("no difference, 1,000 cases, 50% flips: better or worse", _once(0, 0.5, 1000), None, _SAME),
    ("no difference, 50 cases x 4: better or worse", _rounds(50, 4, 0.0), None, _SAME),
    ("no difference but in each case, 50 x 4: better or worse", _rounds(50, 4, 0.3), None, _SAME),
    ("10 points worse, 400 cases: equal, no worse or better", _once(-MARGIN, 0.3, 400), MARGIN, _AS_GOOD),
    ("10 points worse, 50 x 4: equal, no worse or better", _rounds(50, 4, 0.1, -MARGIN), MARGIN, _AS_GOOD),
    ("in the order of their ends, fails being slow (not ours)", _slow_fails, None, _SAME),
)


def _needed(random: np.random.Generator, truth: float, repeats: int, fixed: tuple[int, int]) -> None:
    draw, found = _once(truth, FLIPS, ENOUGH), []
    for _ in range(repeats):
        (changes,) = draw(random)
        pairs = sequential_test([changes], MARGIN, planned=1, by_order=True).pairs
        found.append(sequential_test([changes[:pairs]], MARGIN, planned=1, by_order=True))  # a run would have ended
    mean = float(np.mean([one.pairs for one in found]))
    told = {name: sum(one.outcome == name for one in found) / repeats for name in (*_AS_GOOD, "worse")}
    saved = ", ".join(f"{one / mean:.1f} x fewer" for one in fixed)
    print(f"  {truth:+.0%}: {mean:.0f} ({saved}); {told}", flush=True)


def _more_cases(random: np.random.Generator) -> list[bool]:
    before, after = _cases(random, 50 * LOOKS)
    return [_alarm(before[: 50 * look], after[: 50 * look]) for look in range(1, LOOKS + 1)]


def _anew(random: np.random.Generator) -> list[bool]:
    before, _ = _cases(random, 100)
    return [_alarm(before, random.random(100) < 0.5) for _ in range(LOOKS)]


def _cases(random: np.random.Generator, count: int) -> tuple[Passes, Passes]:
    return random.random(count) < 0.5, random.random(count) < 0.5


def _alarm(before: Passes, after: Passes) -> bool:
    pairs = [([one], [other]) for one, other in zip(before.tolist(), after.tolist(), strict=True)]
    return paired_pass_hat_all(pairs)[0].significant


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
