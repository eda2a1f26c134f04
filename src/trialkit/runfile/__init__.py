"""The run file: one run in one SQLite file."""

from .cost import cost_of
from .labels import write_labels
from .open import is_going_on, run_lock
from .reader import Glance, RunFile, RunInfo, Said, Spending, TrialRow
from .records import (
    CallRecord,
    Event,
    Header,
    Label,
    ModelInUse,
    Phase,
    PlannedTrial,
    Prompt,
    Remark,
    Source,
    State,
    TrialRecord,
)
from .thread import DatabaseThread
from .writer import RunWriter, create_run, note_exports, now, reopen_trials

__all__ = [
    "CallRecord",
    "DatabaseThread",
    "Event",
    "Glance",
    "Header",
    "Label",
    "ModelInUse",
    "Phase",
    "PlannedTrial",
    "Prompt",
    "Remark",
    "RunFile",
    "RunInfo",
    "RunWriter",
    "Said",
    "Source",
    "Spending",
    "State",
    "TrialRecord",
    "TrialRow",
    "cost_of",
    "create_run",
    "is_going_on",
    "note_exports",
    "now",
    "reopen_trials",
    "run_lock",
    "write_labels",
]
