"""Which trials of a run are asked for: all that chooses them stands in the address."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

from starlette.datastructures import QueryParams

from trialkit.analysis.summary import CaseSummary, judges_disagree
from trialkit.runfile import RecordedTrial

from .shelf import OpenedRun, Shelf

#: What `show` may be, and what the trials are called that it leaves.
OUTCOMES: Mapping[str, str] = {
    "": "all",
    "pass": "passed",
    "fail": "failed",
    "scored": "scored",
    "error": "in error",
    "none": "without a verdict",
}
LABELS: Mapping[str, str] = {
    "": "any",
    "some": "labelled",
    "none": "not labelled",
    "pass": "people say pass",
    "fail": "people say fail",
    "unsure": "people are unsure",
    "against": "people say otherwise",
}
#: Before a word that people have marked trials or steps with.
MARKED = "marked "


@dataclass(frozen=True, kw_only=True, slots=True)
class TrialChoice:
    """Empty: whatever it is."""

    show: str = ""
    kind: str = ""  # of the failure or error
    group: str = ""  # of the case
    label: str = ""
    disagree: str = ""  # the judges do
    words: str = ""  # of the case
    said: str = ""  # in the transcript

    @classmethod
    def of(cls, query: QueryParams) -> "TrialChoice":
        return cls(**{one.name: query.get(one.name, "").strip() for one in fields(cls)})

    @property
    def query(self) -> dict[str, str]:
        """For addresses."""
        return {one.name: value for one in fields(self) if (value := getattr(self, one.name))}

    def trials(self, shelf: Shelf, name: str, run: OpenedRun) -> list[tuple[CaseSummary, RecordedTrial]]:
        """In the order of the cases."""
        said = shelf.that_say(name, self.said) if self.said else None
        return [
            (one, trial)
            for one in run.summary.cases
            if self._is_of(one)
            for trial in one.trials
            if (said is None or trial.id in said) and self._keeps(trial, run.kinds.get(trial.id, ""))
        ]

    def _is_of(self, one: CaseSummary) -> bool:
        case = one.case
        return self.group in {"", case.group} and self.words.lower() in f"{case.id} {case.title}".lower()

    def _keeps(self, trial: RecordedTrial, kind: str) -> bool:
        if self.show and self.show != (trial.outcome or "none"):
            return False
        if self.label and not _is_labelled(trial, self.label):
            return False
        return self.kind in {"", kind} and (not self.disagree or judges_disagree(trial))


def _is_labelled(trial: RecordedTrial, wanted: str) -> bool:
    said = {label.outcome for label in trial.labels}
    if wanted.startswith(MARKED):
        return wanted.removeprefix(MARKED) in {mark.kind for mark in trial.marks}
    if wanted in {"some", "none"}:
        return bool(said) == (wanted == "some")
    return bool(said & {"pass", "fail"} - {trial.outcome}) if wanted == "against" else wanted in said
