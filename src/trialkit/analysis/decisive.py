"""Which step decided a failed trial: the one before which there was a chance to pass, and after which there was none.

All is decided from what was tried so far, so that a search that was interrupted goes on where it was.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log2
from typing import Literal, NamedTuple

from trialkit.stats import Figure, chance, chance_difference

How = Literal["bisect", "every"]
#: Around what seems to be the decisive step so many times the trials of a probe are made, and once more if that is not
#: enough to tell the two sides apart.
_CONFIRMED, _MOST = 2, 3


class Outcomes(NamedTuple):
    """Of the trials that went on from the moment before a step."""

    passed: int = 0
    n: int = 0

    @property
    def figure(self) -> Figure:
        return chance(self.passed, self.n)


@dataclass(frozen=True, kw_only=True, slots=True)
class ToTry:
    """What is to be tried next."""

    step: int
    trials: int


@dataclass(frozen=True, kw_only=True, slots=True)
class DecisiveStep:
    """`step` is None where none decided. `falls`: the change of the chance to pass by it."""

    step: int | None
    falls: Figure | None


def search(steps: Sequence[int], tried: Mapping[int, Outcomes], each: int, how: How) -> ToTry | DecisiveStep:
    """`steps` are those of the subject in a trial that failed, in order."""
    return _StepSearch(steps, tried, each).bisect() if how == "bisect" else _StepSearch(steps, tried, each).every()


def most_probes(steps: int, how: How) -> int:
    """So many times the trials of a probe, as a rule."""
    return steps if how == "every" else 1 + ceil(log2(max(steps, 2))) + 2 * (_CONFIRMED - 1)


class _StepSearch:
    def __init__(self, steps: Sequence[int], tried: Mapping[int, Outcomes], each: int) -> None:
        self._steps = steps
        self._tried = tried
        self._each = each

    def every(self) -> ToTry | DecisiveStep:
        for place in range(len(self._steps)):
            if probe := self._lacking(place, self._each):
                return probe
        falls = [self._falls(place) for place in range(len(self._steps))]
        place = min(range(len(falls)), key=lambda at: falls[at].value or 0.0)
        return self._decision(place, falls[place])

    def bisect(self) -> ToTry | DecisiveStep:
        for times in range(1, _MOST + 1):
            if probe := self._lacking(0, times * self._each):
                return probe
            if self._at(0).passed:
                return self._halved()
        return DecisiveStep(step=None, falls=None)  # the subject fails from the beginning

    def _halved(self) -> ToTry | DecisiveStep:
        """`low` is the last step with a chance worth the name before it, `high` the first without, or the end."""
        low, high = 0, len(self._steps)
        enough = self._chance(0) / 2
        while high - low > 1:
            middle = (low + high) // 2
            if probe := self._lacking(middle, self._each):
                return probe
            low, high = (middle, high) if self._chance(middle) > enough else (low, middle)
        return self._confirmed(low, high) or self._decision(low, self._falls(low))

    def _confirmed(self, low: int, high: int) -> ToTry | None:
        """What is to be tried once more: it may lead the search elsewhere. None: enough."""
        for times in range(_CONFIRMED, _MOST + 1):
            for place in (low, high):
                if probe := self._lacking(place, times * self._each):
                    return probe
            if _tells(self._falls(low)):
                break
        return None

    def _chance(self, place: int) -> float:
        return self._at(place).figure.value or 0.0

    def _at(self, place: int) -> Outcomes:
        return self._tried.get(self._steps[place], Outcomes())

    def _lacking(self, place: int, trials: int) -> ToTry | None:
        """Behind the last step is the end, which is known."""
        if place == len(self._steps) or self._at(place).n >= trials:
            return None
        return ToTry(step=self._steps[place], trials=trials - self._at(place).n)

    def _falls(self, place: int) -> Figure:
        """The chance behind the step, less that before it. Behind the last step there is none."""
        before = self._at(place).figure
        if place + 1 < len(self._steps):
            return chance_difference(before, self._at(place + 1).figure)
        value, low, high = (None if end is None else -end for end in (before.value, before.high, before.low))
        return Figure(value=value, low=low, high=high, n=before.n)

    def _decision(self, place: int, falls: Figure) -> DecisiveStep:
        return DecisiveStep(step=self._steps[place] if (falls.value or 0.0) < 0 else None, falls=falls)


def _tells(falls: Figure) -> bool:
    return falls.high is not None and falls.high < 0
