"""The run file: one run in one SQLite file."""

from typing import TYPE_CHECKING

from trialkit.doors import door

if TYPE_CHECKING:
    from .found import newest_run, run_files, stamp_of
    from .holder import holding_process, stop_holder
    from .labels import remove_mark, write_labels, write_mark
    from .leftovers import clear_leftovers, find_leftovers
    from .lock import is_going_on, refuse_going_on, run_lock
    from .open import check_run_file
    from .reader import RunFile
    from .records import (
        BY_VERDICT,
        GOES_ON_FROM,
        RANDOM,
        CallRecord,
        CallSource,
        Event,
        Header,
        Label,
        Mark,
        ModelInUse,
        Origin,
        Phase,
        PlannedTrial,
        Prompt,
        Remark,
        State,
        TrialRecord,
    )
    from .reply_notes import ReplyNotes
    from .results import Counts, RecordedTrial, RunInfo, ShortVerdict, Spending, TrialResult, leading
    from .thread import DatabaseThread
    from .writer import RunWriter, create_run, note_exports, now, reopen_trials

__all__ = [
    "BY_VERDICT",
    "GOES_ON_FROM",
    "RANDOM",
    "CallRecord",
    "CallSource",
    "Counts",
    "DatabaseThread",
    "Event",
    "Header",
    "Label",
    "Mark",
    "ModelInUse",
    "Origin",
    "Phase",
    "PlannedTrial",
    "Prompt",
    "RecordedTrial",
    "Remark",
    "ReplyNotes",
    "RunFile",
    "RunInfo",
    "RunWriter",
    "ShortVerdict",
    "Spending",
    "State",
    "TrialRecord",
    "TrialResult",
    "check_run_file",
    "clear_leftovers",
    "create_run",
    "find_leftovers",
    "holding_process",
    "is_going_on",
    "leading",
    "newest_run",
    "note_exports",
    "now",
    "refuse_going_on",
    "remove_mark",
    "reopen_trials",
    "run_files",
    "run_lock",
    "stamp_of",
    "stop_holder",
    "write_labels",
    "write_mark",
]

if not TYPE_CHECKING:
    __getattr__ = door(
        __name__,
        {
            "found": "newest_run run_files stamp_of",
            "holder": "holding_process stop_holder",
            "labels": "remove_mark write_labels write_mark",
            "leftovers": "clear_leftovers find_leftovers",
            "lock": "is_going_on refuse_going_on run_lock",
            "open": "check_run_file",
            "reader": "RunFile",
            "records": "BY_VERDICT GOES_ON_FROM RANDOM CallRecord CallSource Event Header Label Mark ModelInUse "
            "Origin Phase PlannedTrial Prompt Remark State TrialRecord",
            "reply_notes": "ReplyNotes",
            "results": "Counts RecordedTrial RunInfo ShortVerdict Spending TrialResult leading",
            "thread": "DatabaseThread",
            "writer": "RunWriter create_run note_exports now reopen_trials",
        },
    )
