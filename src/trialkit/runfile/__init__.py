"""The run file: one run in one SQLite file."""

from ._cost import cost_of
from ._labels import write_labels
from ._open import is_going_on, run_lock
from ._reader import Glance, RunFile, RunInfo, Said, Spending, TrialRow
from ._records import (
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
from ._thread import DatabaseThread
from ._writer import RunWriter, create_run, note_exports, now, reopen_trials

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
