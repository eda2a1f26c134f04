"""Two transcripts of the same case side by side, step by step."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

from .steps import TrialStep

#: Two steps beside each other; None: the other transcript has none that goes with it.
StepPair = tuple[TrialStep | None, TrialStep | None]

#: To find what goes with what takes time that grows with the product of both; longer ones stand in their order.
_MOST = 1_000


def paired(left: Sequence[TrialStep], right: Sequence[TrialStep]) -> tuple[list[StepPair], int | None]:
    """The steps beside each other, and the row from which on they are no longer the same; None: they are."""
    same = 0
    while same < min(len(left), len(right)) and left[same].said() == right[same].said():
        same += 1
    rows: list[StepPair] = list(zip(left[:same], right[:same], strict=True))
    if same == len(left) == len(right):
        return rows, None
    return [*rows, *_rest(left[same:], right[same:])], same


def _rest(left: Sequence[TrialStep], right: Sequence[TrialStep]) -> list[StepPair]:
    """By who says or calls what; what has no counterpart stands beside what is there instead."""
    if max(len(left), len(right)) > _MOST:
        return list(zip_longest(left, right))
    matcher = SequenceMatcher(
        None, [step.outline() for step in left], [step.outline() for step in right], autojunk=False
    )
    found: list[StepPair] = []
    for _, first, last, begin, end in matcher.get_opcodes():
        found += zip_longest(left[first:last], right[begin:end])
    return found
