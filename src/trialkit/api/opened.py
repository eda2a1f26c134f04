"""A run that is read: its figures, its trials, as plain data, and as tables if pandas is installed."""

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any

from trialkit.analysis.run_page import digest_page
from trialkit.analysis.summary import Summary, summarize
from trialkit.errors import InputError, TrialkitError
from trialkit.pages import measured, notebook_html
from trialkit.runfile import Event, RecordedTrial, RunFile
from trialkit.stats import Figure
from trialkit.text.shown import counted
from trialkit.vocabulary import Finding, Verdict


class Run:
    """A run, read once. A run that is still going on is as it was when it was opened."""

    def __init__(self, path: Path) -> None:
        with RunFile(path) as run:
            self.path = path
            self.info = run.info()
            self.cases = run.cases()
            self.trials = run.trials()

    def __repr__(self) -> str:
        size = f"{counted(len(self.cases), 'case')}, {counted(len(self.trials), 'trial')}"
        worth = f"{self.info.measures[0].mean_name} {measured(self.headline, self.info.measures[0])}"
        state = "" if self.info.state == "done" else f", {self.info.state}: {self.info.reason}"
        return f"<Run of {self.info.suite} by {self.info.subject}: {size}, {worth}{state}>"

    def _repr_html_(self) -> str:
        return notebook_html(digest_page(self._summary, drawn=True))

    @cached_property
    def _summary(self) -> Summary:
        with RunFile(self.path) as run:
            return summarize(run)

    @property
    def headline(self) -> Figure:
        """What the trials are worth on average, each case counting the same: `value`, `low`, `high`, `n`."""
        return self._summary.headline.figure

    @property
    def pass_rate(self) -> Figure:
        """The headline, as it is called where trials pass or fail."""
        self._pass_or_fail()
        return self.headline

    def _pass_or_fail(self) -> None:
        measure = self.info.measures[0]
        if measure.kind != "pass":
            raise InputError(f"these trials are measured by {measure}, so none passes; `headline` is their mean")

    @property
    def verdicts(self) -> list[tuple[RecordedTrial, Verdict]]:
        """Every judge's newest verdict, with its trial: of the run's own judges, and of those that judged it again."""
        return [(trial, one) for trial in self.trials for one in _newest(trial)]

    def transcript(self, case_id: str, trial: int = 1) -> list[Event]:
        """All that happened in a trial, in order."""
        found = {row.number: row.id for row in self.trials_of(case_id)}
        if trial not in found:
            there = ", ".join(map(str, found)) or "none"
            raise InputError(f"{self.path}: case {case_id} has no trial {trial}; its trials are {there}")
        with RunFile(self.path) as run:
            return run.transcript(found[trial])

    def trials_of(self, case_id: str) -> list[RecordedTrial]:
        """InputError: there is no such case."""
        known = [case.id for case in self.cases]
        if case_id not in known:
            near = get_close_matches(str(case_id), known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"its cases are {', '.join(known[:10])}"
            raise InputError(f"{self.path}: there is no case {case_id!r}; {hint}{' …' if len(known) > 10 else ''}")
        return [row for row in self.trials if row.case_id == case_id]

    def check(self, case_id: str, at_least: int | None = None) -> None:
        """For tests: AssertionError unless so many trials of the case passed, by default all; it says why not.

        TrialkitError where trials without a verdict leave that open: an error is no fail.
        """
        self._pass_or_fail()
        trials = self.trials_of(case_id)
        wanted, passed = len(trials) if at_least is None else at_least, sum(one.outcome == "pass" for one in trials)
        said = [
            f"trial {one.number}: {one.decided.critique if one.decided else one.error or 'not run'}"
            for one in trials
            if one.outcome != "pass"
        ]
        told = "\n".join([f"{case_id}: {passed} of {counted(len(trials), 'trial')} passed, {wanted} must", *said])
        open_ = sum(one.outcome not in {"pass", "fail"} for one in trials)
        if not trials or passed < wanted <= passed + open_:
            raise TrialkitError(f"undecided: {told}")
        if passed < wanted:
            raise AssertionError(told)

    def to_rows(self) -> list[dict[str, Any]]:
        """A flat row for each trial."""
        groups = {case.id: case for case in self.cases}
        return [
            {
                "case": trial.case_id,
                "title": groups[trial.case_id].title,
                "group": groups[trial.case_id].group,
                "trial": trial.number,
                "outcome": trial.outcome,
                "passed": None if trial.outcome not in {"pass", "fail"} else trial.outcome == "pass",
                "score": trial.decided.score if trial.decided else None,
                "judge": trial.decided.judge if trial.decided else None,
                "critique": trial.decided.critique if trial.decided else None,
                "label": trial.label.outcome if trial.label else None,
                "label_score": trial.label.score if trial.label else None,
                "error": trial.error,
                "cost_usd": trial.cost,
                "elapsed_s": trial.elapsed_s,
            }
            for trial in self.trials
        ]

    def to_pandas(self) -> Any:
        """The rows as a DataFrame; ImportError says how to get pandas where it is not installed."""
        try:
            import pandas as pd  # type: ignore[import-untyped]  # noqa: PLC0415 - optional, and slow to import
        except ImportError:
            raise ImportError("to_pandas needs pandas: pip install pandas; to_rows gives the same as a list") from None
        return pd.DataFrame(self.to_rows())


def _newest(trial: RecordedTrial) -> list[Verdict]:
    found = {one.judge: one for one in trial.verdicts}
    for remark in trial.remarks:
        if remark.kind == "rejudged":
            found |= {one["judge"]: _verdict(one) for one in remark.data["verdicts"]}
    return list(found.values())


def _verdict(data: Mapping[str, Any]) -> Verdict:
    return Verdict(**{**data, "findings": tuple(Finding(**finding) for finding in data["findings"])})


def open_run(path: str | Path) -> Run:
    """A run file, read whole."""
    return Run(Path(path))
