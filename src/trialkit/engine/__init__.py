"""The engine: plan → schedule → record. It knows no suite by name.

`start`, `resume`, `replay`, `rejudge` and `revisit` run inside an event loop; `start_run` and its like bring their own.
"""

from typing import TYPE_CHECKING

from trialkit.doors import door

if TYPE_CHECKING:
    from .audit import AGAIN, AS_IT_IS, AUDITED, Audit, AuditEnd
    from .batching import check_batches
    from .branching import Branch, arm, branch_of
    from .bridging import UserBridge
    from .connect import connected
    from .done import settled
    from .executor import Executor, LocalExecutor
    from .files import beside, write_beside
    from .floor import Floor, Probed, probe_suite
    from .interrupt import blocking
    from .job import Job
    from .many import go_on, start_many, start_many_runs
    from .matrix import combinations, may_vary
    from .meter import Meter
    from .ready import read_settings, with_judge
    from .record import record_run
    from .rehearsal import Rehearsal, rehearse
    from .rejudging import Rejudged, rejudge, rejudge_run
    from .replaying import Replayed, replay, replay_run
    from .requests import requests_of
    from .rerun import Rerun
    from .reviewing import Reviewed, review, review_of
    from .revisiting import Revisited, revisit
    from .schedule import Tally
    from .session import Finished, OpenScreen, Screen, resume, resume_run, start, start_run
    from .until import Until, to_the_end

__all__ = [
    "AGAIN",
    "AS_IT_IS",
    "AUDITED",
    "Audit",
    "AuditEnd",
    "Branch",
    "Executor",
    "Finished",
    "Floor",
    "Job",
    "LocalExecutor",
    "Meter",
    "OpenScreen",
    "Probed",
    "Rehearsal",
    "Rejudged",
    "Replayed",
    "Rerun",
    "Reviewed",
    "Revisited",
    "Screen",
    "Tally",
    "Until",
    "UserBridge",
    "arm",
    "beside",
    "blocking",
    "branch_of",
    "check_batches",
    "combinations",
    "connected",
    "go_on",
    "may_vary",
    "probe_suite",
    "read_settings",
    "record_run",
    "rehearse",
    "rejudge",
    "rejudge_run",
    "replay",
    "replay_run",
    "requests_of",
    "resume",
    "resume_run",
    "review",
    "review_of",
    "revisit",
    "settled",
    "start",
    "start_many",
    "start_many_runs",
    "start_run",
    "to_the_end",
    "with_judge",
    "write_beside",
]

if not TYPE_CHECKING:
    __getattr__ = door(
        __name__,
        {
            "audit": "AGAIN AS_IT_IS AUDITED Audit AuditEnd",
            "batching": "check_batches",
            "branching": "Branch arm branch_of",
            "bridging": "UserBridge",
            "connect": "connected",
            "done": "settled",
            "executor": "Executor LocalExecutor",
            "files": "beside write_beside",
            "floor": "Floor Probed probe_suite",
            "interrupt": "blocking",
            "job": "Job",
            "many": "go_on start_many start_many_runs",
            "matrix": "combinations may_vary",
            "meter": "Meter",
            "ready": "read_settings with_judge",
            "record": "record_run",
            "rehearsal": "Rehearsal rehearse",
            "rejudging": "Rejudged rejudge rejudge_run",
            "replaying": "Replayed replay replay_run",
            "requests": "requests_of",
            "rerun": "Rerun",
            "reviewing": "Reviewed review review_of",
            "revisiting": "Revisited revisit",
            "schedule": "Tally",
            "session": "Finished OpenScreen Screen resume resume_run start start_run",
            "until": "Until to_the_end",
        },
    )
