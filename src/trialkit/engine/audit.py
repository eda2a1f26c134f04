"""Puts the judges of a run on trial: they are asked about recorded answers again, as they are and said otherwise.

What they say is kept in remarks of the kind `audited`: no verdict of the run, and nothing that a replay needs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Self

from trialkit.errors import InputError
from trialkit.runfile import RecordedTrial, Remark, RunFile
from trialkit.suites import Variant

from .panel import Panel
from .revisiting import Revisited
from .trial import LiveTrial

#: Of the remarks.
AUDITED = "audited"
AS_IT_IS, AGAIN = "as it is", "the same again"
#: How often the unchanged answer is asked about, beside the first time: what moves a judge without any reason.
REPEATS = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Audit:
    """What an audit will ask. Nothing is asked yet."""

    panel: Panel
    waiting: Sequence[RecordedTrial]
    questions: Mapping[int, Sequence[Variant]]  # by trial, in the order in which they are asked
    known: int  # answers that these judges were asked about before
    recorded: int  # of the questions, those that the run's own verdict answers

    @property
    def verdicts(self) -> int:
        return sum(len(self.questions[row.id]) for row in self.waiting)

    @classmethod
    def of(cls, path: Path, changes: Mapping[str, object], sample: int | None, seed: int | None) -> Self:
        panel = Panel.of(path, changes)
        measure = panel.setup.suite.measures[0]
        if measure.kind != "pass":
            raise InputError(f"{path}: its trials are measured by {measure}; an audit counts passes that become fails")
        with RunFile(path) as run:
            cases = {case.id: case for case in run.cases()}
        drawn = _drawn(panel.answered, sample, seed)
        waiting = [row for row in drawn if not _done(row, panel.author)]
        unseeded = panel.setup.settings.seed is None  # a later request carries no seed: it is another one
        recorded = [row for row in waiting if unseeded and set(panel.names) <= {one.judge for one in row.verdicts}]
        return cls(
            panel=panel,
            waiting=waiting,
            questions={
                row.id: [
                    Variant(name=AS_IT_IS, output=row.output or {}),
                    *[Variant(name=AGAIN, output=row.output or {})] * REPEATS,
                    *panel.setup.suite.variants(cases[row.case_id], row.output or {}),
                ]
                for row in waiting
            },
            known=len(drawn) - len(waiting),
            recorded=len(recorded),
        )

    async def run(self) -> "AuditEnd":
        visit = _Auditing(self)
        done = await self.panel.visit(self.waiting, visit)
        return AuditEnd(failed=visit.failed, done=done)


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditEnd:
    failed: int  # calls that no reply came to; the same audit asks them again
    done: Revisited


def _drawn(rows: Sequence[RecordedTrial], sample: int | None, seed: int | None) -> list[RecordedTrial]:
    """As many passes as fails where there are enough: rates are told by what the verdict was, so this bends none."""
    if sample is None or sample >= len(rows):
        return list(rows)
    random = Random(seed)  # noqa: S311 - not a secret
    shuffled = random.sample(list(rows), len(rows))
    passed = [row for row in shuffled if row.outcome == "pass"]
    others = [row for row in shuffled if row.outcome != "pass"]
    fewer, more = sorted((passed, others), key=len)
    taken = fewer[: sample // 2]
    return sorted([*taken, *more[: sample - len(taken)]], key=lambda row: row.id)


def _done(row: RecordedTrial, author: str) -> bool:
    said = [one.data for one in row.remarks if one.kind == AUDITED and one.author == author]
    return bool(said) and not said[-1]["failed"]


@dataclass(slots=True)
class _Auditing:
    audit: Audit
    failed: int = field(default=0)

    async def __call__(self, trial: LiveTrial, row: RecordedTrial) -> Remark:
        panel, said = self.audit.panel, []
        for question in self.audit.questions[row.id]:
            asked, failed, trial.cost = trial.asked, trial.failed, 0.0
            verdicts = await panel.judge(trial, question.output)
            if panel.roles and not trial.asked:  # what is decided without the model tells nothing of it
                break
            one = {"variant": question.name, "right": question.verdict, "calls": trial.asked - asked}
            told = {verdict.judge: {"outcome": verdict.outcome, "critique": verdict.critique} for verdict in verdicts}
            said.append({**one, "cost": trial.cost, "failed": trial.failed > failed, "verdicts": told})
        self.failed += trial.failed
        data = {"judges": list(panel.names), "failed": trial.failed, "said": said}
        return Remark(kind=AUDITED, author=panel.author, data=data)
