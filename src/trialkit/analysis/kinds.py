"""What kinds of failure and of error a run has."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from trialkit.runfile import RecordedTrial
from trialkit.suites import suite_in

from .summary import CaseSummary, Summary

#: Of a trial that was answered, and whose judge failed.
_NOT_JUDGED = "not judged"


def kinds_of(summary: Summary) -> Mapping[int, str]:
    """By trial id; trials of which nobody tells a kind are left out."""
    suite, checks = suite_in(summary.info), _shared_checks(summary.cases)

    def kind(trial: RecordedTrial) -> str:
        if trial.outcome == "error":
            return trial.error_kind or _NOT_JUDGED
        return suite.failure(trial) or _unmet(trial, checks) if trial.outcome == "fail" else ""

    told = {trial.id: kind(trial) for one in summary.cases for trial in one.trials}
    return {trial: found for trial, found in told.items() if found}


def _shared_checks(cases: Sequence[CaseSummary]) -> Collection[str]:
    """Those that are made of several cases: what is asked of one alone tells no kind."""
    made = Counter(
        check
        for one in cases
        for check in {finding.check for trial in one.trials if trial.decided for finding in trial.decided.findings}
    )
    return {check for check, count in made.items() if count > 1 or len(cases) == 1}


def _unmet(trial: RecordedTrial, checks: Collection[str]) -> str:
    """The first check that failed it."""
    findings = trial.decided.findings if trial.decided else ()
    return next((one.check for one in findings if one.met is False and one.check in checks), "")
