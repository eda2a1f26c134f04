"""The cells that golden data, results and label sheets have in common."""

from collections.abc import Collection
from typing import Literal, cast

from trialkit.vocabulary import Outcome

TRIAL_COLUMN = "Trial"


def read_trial(cell: str) -> int:
    word = cell.strip()
    # Longer digits would be no trial's number, and int() refuses them past a limit of its own.
    if not (word.isascii() and word.isdigit() and len(word) <= 9 and int(word)):
        raise ValueError("must be a whole number, 1 or more; write the trial's number, or remove the column Trial")
    return int(word)


def read_outcome(cell: str) -> Outcome | None:
    return _outcome(cell, ("pass", "fail", "error"))


def read_human_outcome(cell: str) -> Literal["pass", "fail"] | None:
    return cast("Literal['pass', 'fail'] | None", _outcome(cell, ("pass", "fail")))


def _outcome(cell: str, known: Collection[Outcome]) -> Outcome | None:
    word = cell.strip().lower()
    if word and word not in known:
        raise ValueError(f"must be {', '.join(known)} or empty; write one of them")
    return cast("Outcome", word) if word else None
