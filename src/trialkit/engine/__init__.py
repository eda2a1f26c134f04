"""The engine: plan → schedule → record. It knows no suite by name."""

from ._replay import Replayed, replay_run
from ._schedule import Job, Tally
from ._session import Finished, Screen, read_settings, resume_run, start_run

__all__ = ["Finished", "Job", "Replayed", "Screen", "Tally", "read_settings", "replay_run", "resume_run", "start_run"]
