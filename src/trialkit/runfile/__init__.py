"""The run file: one run in one SQLite file."""

from .labels import write_labels
from .leftovers import clear_leftovers, find_leftovers
from .lock import is_going_on, refuse_going_on, run_lock
from .reader import RunFile
from .records import (
    BY_VERDICT,
    RANDOM,
    CallRecord,
    CallSource,
    Event,
    Header,
    Label,
    ModelInUse,
    Phase,
    PlannedTrial,
    Prompt,
    Remark,
    State,
    TrialRecord,
)
from .results import Counts, RecordedTrial, RunInfo, ShortVerdict, Spending, TrialResult
from .thread import DatabaseThread
from .writer import RunWriter, create_run, note_exports, now, reopen_trials

__all__ = [
    "BY_VERDICT",
    "RANDOM",
    "CallRecord",
    "CallSource",
    "Counts",
    "DatabaseThread",
    "Event",
    "Header",
    "Label",
    "ModelInUse",
    "Phase",
    "PlannedTrial",
    "Prompt",
    "RecordedTrial",
    "Remark",
    "RunFile",
    "RunInfo",
    "RunWriter",
    "ShortVerdict",
    "Spending",
    "State",
    "TrialRecord",
    "TrialResult",
    "clear_leftovers",
    "create_run",
    "find_leftovers",
    "is_going_on",
    "note_exports",
    "now",
    "refuse_going_on",
    "reopen_trials",
    "run_lock",
    "write_labels",
]
