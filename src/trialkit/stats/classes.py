"""Classifications: how often what is said of a class is right, and how often a class is found.

Each case weighs the same, however many trials it has, and trials of one case are never taken for independent. Recall is
the pass rate of the cases of a class. With one trial of each case precision's interval is Wilson's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import NamedTuple

from .figure import Figure, unknown
from .rate import pass_rate, wilson_at


class Classified(NamedTuple):
    """A case: the class that it is of, and what each of its trials says; None: no class."""

    truth: str
    said: Sequence[str | None]


@dataclass(frozen=True, kw_only=True, slots=True)
class ClassFigures:
    name: str
    cases: int  # that are of this class
    precision: Figure  # of what is said to be of this class, the share that is
    recall: Figure  # of what is of this class, the share that is said to be


def class_figures(cases: Sequence[Classified], classes: Sequence[str]) -> list[ClassFigures]:
    """Cases without a verdict are left out."""
    judged = [case for case in cases if case.said]
    return [
        ClassFigures(
            name=name,
            cases=sum(case.truth == name for case in judged),
            precision=_precision([(case.truth == name, case.said.count(name), len(case.said)) for case in judged]),
            recall=pass_rate([[said == name for said in case.said] for case in judged if case.truth == name]),
        )
        for name in classes
    ]


def _precision(found: Sequence[tuple[bool, int, int]]) -> Figure:
    """A case weighs as much as its trials say the class; all of them are right, or none. Kish's effective size."""
    weights = [count / of for _, count, of in found if count]
    if not weights:
        return unknown(0)
    total = fsum(weights)
    rate = fsum(count / of for right, count, of in found if right) / total
    low, high = wilson_at(rate, total**2 / fsum(weight**2 for weight in weights))
    return Figure(value=rate, low=low, high=high, n=sum(count for _, count, _ in found))
