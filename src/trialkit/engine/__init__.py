"""The engine: plan → schedule → record. It knows no suite by name."""

from ._files import edited_beside, write_beside
from ._record import Recorded, record_run
from ._rejudge import Rejudged, rejudge_run
from ._replay import Replayed, replay_run
from ._revisit import Revisited, revisit
from ._schedule import Job, Tally
from ._session import Finished, Screen, read_settings, resume_run, start_run

__all__ = [
    "Finished",
    "Job",
    "Recorded",
    "Rejudged",
    "Replayed",
    "Revisited",
    "Screen",
    "Tally",
    "edited_beside",
    "read_settings",
    "record_run",
    "rejudge_run",
    "replay_run",
    "resume_run",
    "revisit",
    "start_run",
    "write_beside",
]
