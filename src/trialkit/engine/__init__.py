"""The engine: plan → schedule → record. It knows no suite by name."""

from .files import edited_beside, write_beside
from .record import Recorded, record_run
from .rejudge import Rejudged, rejudge_run
from .replay import Replayed, replay_run
from .revisit import Revisited, revisit
from .schedule import Job, Tally
from .session import Finished, Screen, read_settings, resume_run, start_run

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
