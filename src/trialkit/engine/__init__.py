"""The engine: plan → schedule → record. It knows no suite by name.

`start`, `resume`, `replay`, `rejudge` and `revisit` run inside an event loop; `start_run` and its like bring their own.
"""

from .audit import AGAIN, AS_IT_IS, AUDITED, Audit, AuditEnd
from .connect import connected
from .executor import Executor, LocalExecutor
from .files import beside, write_beside
from .interrupt import blocking
from .job import Job
from .ready import read_settings
from .record import record_run
from .rejudge import Rejudged, rejudge, rejudge_run
from .replay import Replayed, replay, replay_run
from .review import Reviewed, review, review_of
from .revisit import Revisited, revisit
from .schedule import Tally
from .session import Finished, OpenScreen, Screen, resume, resume_run, start, start_run
from .until import Until, to_the_end

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
    "Until",
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
    "to_the_end",
    "write_beside",
]
