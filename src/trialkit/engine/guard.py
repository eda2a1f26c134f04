"""Work of a suite's, whose faults must not end the run: they are told apart here, and nowhere else."""

import traceback
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import TypeVar

from trialkit.errors import JudgeError, ModelError, ReplayError

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """How somebody else's work failed: what the trial, the verdict or the remark that it was for says instead."""

    kind: str  # a model's kind of error, or replay, judge, crash
    message: str
    traceback: str = ""  # of a crash


def fault_of(error: Exception) -> Fault:
    if isinstance(error, ModelError):
        return Fault(kind=error.kind, message=str(error))
    if isinstance(error, ReplayError):
        return Fault(kind="replay", message=str(error))
    if isinstance(error, JudgeError):
        return Fault(kind="judge", message=str(error))
    trace = "".join(traceback.format_exception(error))
    return Fault(kind="crash", message=f"{type(error).__name__}: {error}", traceback=trace)


async def guarded(work: Awaitable[T]) -> T | Fault:
    """What comes of a suite's work: its fault is that of one trial, not the end of the run."""
    try:
        return await work
    except Exception as error:  # noqa: BLE001 - it may raise anything
        return fault_of(error)
