"""The engine: plan → schedule → record. It knows no suite by name.

`start`, `resume`, `replay`, `rejudge` and `revisit` run inside an event loop; `start_run` and its like bring their own.
"""

from .audit import AGAIN, AS_IT_IS, AUDITED, Audit, AuditEnd
from .connect import connected
from .executor import Executor, LocalExecutor
from .files import beside, write_beside
from .interrupt import blocking
from .job import Job
from .record import record_run
from .rejudge import Rejudged, rejudge, rejudge_run
from .replay import Replayed, replay, replay_run
from .review import Reviewed, review, review_of
from .revisit import Revisited, revisit
from .schedule import Tally
from .session import Finished, OpenScreen, Screen, read_settings, resume, resume_run, start, start_run

__all__ = [
    "AGAIN",
    "AS_IT_IS",
    "AUDITED",
    "Audit",
    "AuditEnd",
    "Executor",
    "Finished",
    "Job",
    "LocalExecutor",
    "OpenScreen",
    "Rejudged",
    "Replayed",
    "Reviewed",
    "Revisited",
    "Screen",
    "Tally",
    "beside",
    "blocking",
    "connected",
    "read_settings",
    "record_run",
    "rejudge",
    "rejudge_run",
    "replay",
    "replay_run",
    "resume",
    "resume_run",
    "review",
    "review_of",
    "revisit",
    "start",
    "start_run",
    "write_beside",
]
