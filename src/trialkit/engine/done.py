"""Runs that need nothing more: to resume one reads little, and writes nothing."""

from pathlib import Path

from trialkit.runfile import Counts, RunFile
from trialkit.suites import changes_since, suite_of_run

from .files import is_beside

#: Settings by which figures of the whole run are asked for.
_GATES = ("min_pass", "min_score", "until_decided")


def settled(path: Path) -> Counts | None:
    """What came of a run of which all is done, and written beside it as well; None: there is something to do."""
    with RunFile(path) as run:
        info, counts = run.info(), run.counts()
        asked = any(info.settings.get(gate) for gate in _GATES)
        if info.state != "done" or counts.open or counts.errors or asked:
            return None
        suite_of_run(info)  # InputError where it cannot be had
        return counts if not changes_since(info) and is_beside(run) else None
