"""`run --against A --until-decided`: cases in a random order, then repeats, until it is known how B compares with A."""

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from trialkit.engine import Job, Until
from trialkit.errors import InputError
from trialkit.pages import Cell, Facts, Line, Money, Note, Page
from trialkit.runfile import RunFile, TrialRecord
from trialkit.settings import RunSettings
from trialkit.suites import Content, Suite
from trialkit.text.shown import counted

from .compare import compare_runs
from .compare_gate import GateOutcome
from .loaded import LoadedRun, load_run
from .sequential import Planned, Standing, check_margin, decide, decide_runs
from .sequential_pages import decision_table
from .summary import Summary

#: Up to so many trials it is looked at after each one; then as often as there is a hundredth more.
_EACH = 200


def until_decided(suite: Suite[Any], settings: RunSettings) -> Until:
    if settings.batch:
        raise InputError("--until-decided ends a run early, but in batches all trials are asked at once: leave out one")
    if settings.against is None:
        raise InputError("--until-decided: against which run? Name it: --against RUN")
    before, measure = load_run(settings.against, all_judges=False), suite.measures[0]
    if (before.suite, before.measure) != (suite.name, measure):
        raise InputError(
            f"--against {settings.against}: a run of {before.suite}, measured by {before.measure};"
            f" this one is of {suite.name}, measured by {measure}"
        )
    if before.state == "running":
        raise InputError(f"--against {settings.against}: that run has not ended; trialkit resume finishes it")
    check_margin(measure, settings.margin)
    return _UntilDecided(before, settings)


class _UntilDecided:
    def __init__(self, before: LoadedRun, settings: RunSettings) -> None:
        self._before = before
        self._settings = settings
        self._worths = {case_id: before.worths(case_id) for case_id in before.cases}
        self._trials: dict[tuple[str, int], Planned] = {}  # in the order of the plan
        self._next = 0

    def plan(self, content: Content) -> Content:
        judged = {case_id for case_id, case in self._before.cases.items() if case.values}
        every = {trial.case_id for trial in content.trials}
        if not every & judged:
            raise InputError(f"--against {self._settings.against}: it has a verdict on none of these cases")
        order = sorted(every & judged)
        Random(self._settings.seed).shuffle(order)  # noqa: S311 - no secret
        places = {case_id: place for place, case_id in enumerate(order)}
        kept = [trial for trial in content.trials if trial.case_id in places]
        left = counted(len(every - judged), "case")
        told = [f"{left} left out, of which the other run has no verdict"] if every - judged else []
        trials = sorted(kept, key=lambda trial: (trial.number, places[trial.case_id]))
        return replace(content, trials=trials, notices=[*content.notices, *told])

    def opened(self, run: RunFile) -> str:
        self._reader = self._before.measure.reader(run.info().measures)
        for trial in run.results(all_judges=False):
            worth = self._reader(trial.decided) if trial.decided else None
            self._trials[trial.case_id, trial.number] = Planned(trial.case_id, trial.number, trial.ended, worth)
        return self._told()

    def ended(self, job: Job, record: TrialRecord) -> str:
        key = (job.case.id, job.number)
        worth = self._reader(record.verdicts[0]) if record.verdicts else None
        self._trials[key] = self._trials[key]._replace(ended=True, worth=worth)
        self._next -= 1
        return self._told() if self._next <= 0 else ""

    def _told(self) -> str:
        trials, settings = list(self._trials.values()), self._settings
        self._next = max(1, (sum(trial.ended for trial in trials) - _EACH) // 100)
        found = decide(trials, self._worths, self._before.measure, settings.margin, by_order=True)
        return "" if found.outcome == "undecided" else f"decided: {found.sentence[:-1]}, after {found.size}"


def decision_page(summary: Summary, path: Path, settings: RunSettings) -> tuple[Page, GateOutcome]:
    """How B compares with A by now, and what it cost to know."""
    assert settings.against is not None  # noqa: S101 - checked before the run
    one = compare_runs(load_run(settings.against, all_judges=False), load_run(path, all_judges=False))
    found = decide_runs(one.before, one.after, settings.margin, errors_may_lie=True)
    page = Page(
        title=f"A: {settings.against.name}, B: {path.name}",
        parts=(
            Note(text=found.sentence, strong=True),
            *(Note(text=warning, loud=True) for warning in one.warnings),
            decision_table(one, found),
            _taken(summary, found),
        ),
    )
    return page, found.gate


def _taken(summary: Summary, found: Standing) -> Facts:
    """Against the fixed design: all trials that were planned."""
    counts = summary.counts
    trials = f"{counts.total - counts.open} of {counts.total} planned"
    return Facts(rows=(("cases", found.size), ("trials", trials), ("cost", _cost(summary))))


def _cost(summary: Summary) -> Cell | str:
    each, spent = summary.cost_per_trial.value, summary.paid.value
    if each is None or spent is None:
        return "unknown"
    saved = each * summary.counts.open
    return Line((Money(spent), " of about ", Money(spent + saved), " for all; ", Money(saved), " saved"))
