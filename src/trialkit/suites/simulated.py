"""The simulated user of a run on trial: what the detectors hold against it, from the run file alone."""

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from trialkit.dialogue import End, UserFault, find_user_faults
from trialkit.runfile import RecordedTrial, RunFile
from trialkit.vocabulary import Case

from .base import Suite

_ROLE = "user"  # as `OfUser` has it, which takes longer to load than a report may


def user_faults(
    run: RunFile, suite: Suite[Any], cases: Iterable[Case], rows: Iterable[RecordedTrial]
) -> Mapping[int, tuple[UserFault, ...]]:
    """By trial, of those in which somebody simulated a user; an empty tuple where it did nothing wrong."""
    roles = {model.role for model in run.models()}
    # of a conversation that was held elsewhere nobody tells who took part: it is taken for simulated
    talks = [row for row in rows if (_ROLE in roles or (row.given and not roles)) and _is_conversation(row)]
    wanted = {row.case_id for row in talks}
    scenarios = {case.id: suite.scenario(case) for case in cases if case.id in wanted}
    return {row.id: find_user_faults((row.output or {})["messages"], scenarios[row.case_id]) for row in talks}


def _is_conversation(row: RecordedTrial) -> bool:
    """An answer may have messages without anybody having conversed."""
    output = row.output or {}
    return output.get("end") in get_args(End) and isinstance(output.get("messages"), list)
