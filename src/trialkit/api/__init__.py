"""For notebooks and tests: `trialkit.run(suite)`, `trialkit.open_run(path)` and `trialkit.compare(a, b)`.

Everything is plain data: lists of dataclasses, and tables if pandas is installed.
"""

from .compared import Runs, compare
from .opened import Run, open_run
from .running import arun, arun_many, case_ids, run, run_many

__all__ = ["Run", "Runs", "arun", "arun_many", "case_ids", "compare", "open_run", "run", "run_many"]
