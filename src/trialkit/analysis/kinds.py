"""What kinds of failure and of error a run has."""

from collections.abc import Mapping

from trialkit.runfile import RecordedTrial
from trialkit.suites import suite_in

from .summary import Summary

#: Of a trial that was answered, and whose judge failed.
_NOT_JUDGED = "not judged"


def kinds_of(summary: Summary) -> Mapping[int, str]:
    """By trial id; trials of which nobody tells a kind are left out."""
    suite = suite_in(summary.info)

    def kind(trial: RecordedTrial) -> str:
        if trial.outcome == "error":
            return trial.error_kind or _NOT_JUDGED
        return suite.failure(trial) if trial.outcome == "fail" else ""

    told = {trial.id: kind(trial) for one in summary.cases for trial in one.trials}
    return {trial: found for trial, found in told.items() if found}
