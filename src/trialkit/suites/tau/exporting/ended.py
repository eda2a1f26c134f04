"""What both benchmarks' result files are made from: the trials of a run, and what was kept of imported ones."""

from collections.abc import Iterator
from dataclasses import dataclass

from trialkit.runfile import RecordedTrial, RunFile
from trialkit.suites.tau.importing import RECORDED
from trialkit.text.json import JsonObject
from trialkit.vocabulary import Case


@dataclass(frozen=True, kw_only=True, slots=True)
class Ended:
    """One trial that ended."""

    case: Case
    row: RecordedTrial

    @property
    def output(self) -> JsonObject:
        return dict(self.row.output or {})

    @property
    def source(self) -> JsonObject:
        """The rest of the entry that an imported trial was made of; empty for others."""
        found = (verdict.details.get("source") for verdict in self.row.verdicts if verdict.judge == RECORDED)
        return next((source for source in found if source), {})

    @property
    def reward(self) -> float:
        """Both formats write 0 where there is none; `error` says what it stands for."""
        return (self.row.decided.score if self.row.decided else None) or 0.0

    @property
    def error(self) -> str | None:
        if self.row.outcome != "error":
            return None
        return self.row.error or (self.row.decided.critique if self.row.decided else "no verdict")

    @property
    def details(self) -> JsonObject:
        return dict(self.row.decided.details) if self.row.decided else {}

    def messages(self) -> Iterator[tuple[int, JsonObject, JsonObject]]:
        """Each with its place and what else it had."""
        messages = self.output.get("messages", ())
        extras = self.source.get("extras") or [{}] * len(messages)
        for place, (message, extra) in enumerate(zip(messages, extras, strict=True)):
            yield place, message, extra

    def evidence(self, kind: str) -> list[JsonObject]:
        """Of the breakdown."""
        breakdown = self.details.get("breakdown") or {}
        return [one for one in breakdown.get("evidence", ()) if one["kind"] == kind]

    def unsaid(self) -> list[str]:
        """The required outputs that were not said, as the breakdown has them."""
        return [one["output"] for one in self.evidence("output_not_said")]


def ended_trials(run: RunFile) -> list[Ended]:
    """Those that have a verdict, or ended in error."""
    cases = {case.id: case for case in run.once(RunFile.cases)}
    rows = run.once(RunFile.trials)
    return [Ended(case=cases[row.case_id], row=row) for row in rows if row.ended and row.outcome is not None]
