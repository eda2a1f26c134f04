"""A results file as JSON, and its fields; what does not fit is named with the file, the place, the value and a fix."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from trialkit.dialogue import Action, End
from trialkit.errors import InputError
from trialkit.suites.tau.common.breakdown import UNSCORED_ENDS
from trialkit.text.json import decode
from trialkit.text.short import shown

#: How a conversation may have ended, in our words.
ENDS: tuple[End, ...] = ("user_stop", "transfer", "agent_stop", *UNSCORED_ENDS)
_SQLITE = b"SQLite format 3\0"


def read_results(path: Path) -> Any:
    """The JSON value of the file. What is plainly another kind of file is told so."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    if data.startswith(_SQLITE):
        raise InputError(f"{path}: a database; if it is a run file there is nothing to import: trialkit report {path}")
    if path.suffix.lower() == ".csv":
        raise InputError(
            f"{path}: a CSV cannot be made a run, only JSON results of tau-bench and tau2; judge a commodity CSV with "
            f"its answers by: trialkit run commodity --csv {path} --skip-analysis"
        )
    return decode(data, path, "give the file as tau-bench or tau2 wrote it")


def wrong(where: str, value: object, wanted: str) -> InputError:
    """`where` names the file and the place in it, `wanted` what belongs there."""
    return InputError(f"{where}: is {shown(value)} where {wanted} belongs; give the file as it was written")


def an_object(value: object, where: str, wanted: str = "an object") -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise wrong(where, value, wanted)
    return value


def a_list(value: object, where: str, wanted: str = "a list") -> Sequence[object]:
    if not isinstance(value, list):
        raise wrong(where, value, wanted)
    return value


def a_text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise wrong(where, value, "a text")
    return value


def a_text_or_nothing(value: object, where: str) -> str | None:
    return None if value is None else a_text(value, where)


def a_count(value: object, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise wrong(where, value, "a whole number from 0")
    return value


def a_reward(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise wrong(where, value, "a finite number, the reward,")
    return float(value)


def an_end(value: object) -> End | None:
    """None: it is none of ours."""
    return next((end for end in ENDS if end == value), None)


def actions_of(value: object, where: str) -> list[Action]:
    """The calls of a ground truth."""
    found = []
    for number, one in enumerate(a_list(value, where)):
        here = f"{where}[{number}]"
        call = an_object(one, here)
        kwargs = an_object(call.get("kwargs"), f"{here}.kwargs")
        found.append(Action(name=a_text(call.get("name"), f"{here}.name"), kwargs=dict(kwargs)))
    return found


def texts_of(value: object, where: str) -> list[str]:
    return [a_text(one, f"{where}[{number}]") for number, one in enumerate(a_list(value, where))]


def costs_of(value: Mapping[str, object]) -> dict[str, float]:
    """By role, as far as told: tau-bench's runner leaves the agent's out, but others write it in the same place."""
    found = {role: value.get(f"{role}_cost") for role in ("agent", "user")}
    return {role: float(cost) for role, cost in found.items() if isinstance(cost, int | float)}


def without(value: Mapping[str, object], *names: str) -> dict[str, object]:
    """What else there is: kept for the export."""
    return {name: part for name, part in value.items() if name not in names}
