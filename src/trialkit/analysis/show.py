"""Pages of trials: one after the other, or the same of two runs side by side."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from trialkit.errors import InputError
from trialkit.pages import (
    ChatPair,
    Facts,
    Heading,
    Line,
    Money,
    Note,
    OutcomeCell,
    Page,
    Part,
    Passage,
    Prose,
    Seconds,
    Table,
    Words,
)
from trialkit.runfile import Label, Origin, RecordedTrial, RunFile
from trialkit.text.json import pretty
from trialkit.text.short import shortened
from trialkit.text.shown import counted
from trialkit.vocabulary import Case, Finding, Verdict

from .aligned import paired
from .steps import chat_of, chat_step, steps_of
from .summary import judges_disagree
from .user_faults import fault_line, faults_in, faults_of, is_at_fault

Where = Literal["failed", "passed", "errors", "disagree", "user-at-fault", "flipped"]
_KEPT: Mapping[Where, Callable[[RunFile, RecordedTrial], bool]] = {
    "failed": lambda _, trial: trial.outcome == "fail",
    "passed": lambda _, trial: trial.outcome == "pass",
    "errors": lambda _, trial: trial.outcome == "error",
    "disagree": lambda _, trial: judges_disagree(trial),
    "user-at-fault": lambda run, trial: is_at_fault(faults_of(run).get(trial.id, ())),
}
#: Flipped are trials that passed in one run and failed in the other.
WHERE: tuple[Where, ...] = (*_KEPT, "flipped")
_MARKS = {True: Words("✓", "good"), False: Words("✗", "bad"), None: Words("?", "doubtful")}


def trials_page(run: RunFile, case: str | None, where: Where | None, lines: int | None) -> Page:
    if where == "flipped":
        raise InputError("--where flipped: name two runs, of which trials passed in one and failed in the other")
    info, cases = run.info(), {one.id: one for one in run.cases()}
    chosen = _chosen(run, cases, case)
    kept = [trial for trial in chosen if where is None or _KEPT[where](run, trial)]
    parts = [part for trial in kept for part in trial_parts(run, cases[trial.case_id], trial, lines)]
    if not kept:
        parts.append(Note(text=f"none of {counted(len(chosen), 'trial')} is of this kind: {where}"))
    title = f"{info.suite}: {info.called(run.prompts())} · {len(kept):,} of {counted(len(run.trials()), 'trial')}"
    return Page(title=title, parts=tuple(parts))


def pair_page(one: RunFile, other: RunFile, case: str | None, where: Where | None, lines: int | None) -> Page:
    cases = {found.id: found for found in one.cases()}
    theirs = {(trial.case_id, trial.number): trial for trial in other.trials()}
    pairs = [
        (trial, theirs[trial.case_id, trial.number])
        for trial in _chosen(one, cases, case)
        if (trial.case_id, trial.number) in theirs
    ]
    if not pairs:
        raise InputError(f"{one.path} and {other.path} have no such trial in common")
    kept = [(left, right) for left, right in pairs if _is_kept(one, other, left, right, where)]
    parts = [part for left, right in kept for part in _pair(one, other, cases[left.case_id], left, right, lines)]
    if not kept:
        parts.append(Note(text=f"none of {counted(len(pairs), 'pair')} of trials is of this kind: {where}"))
    return Page(title=f"{_called(one)} | {_called(other)}", parts=tuple(parts))


def _is_kept(one: RunFile, other: RunFile, left: RecordedTrial, right: RecordedTrial, where: Where | None) -> bool:
    if where == "flipped":
        return {left.outcome, right.outcome} == {"pass", "fail"}
    return where is None or _KEPT[where](one, left) or _KEPT[where](other, right)


def _called(run: RunFile) -> str:
    return run.info().called(run.prompts())


def _chosen(run: RunFile, cases: Mapping[str, Case], wanted: str | None) -> Sequence[RecordedTrial]:
    """`CASE`, or `CASE/TRIAL`; a case's name may have a slash in it, too."""
    if wanted is None:
        return [trial for trial in run.trials() if trial.ended or trial.started]
    if wanted in cases:
        return run.trials(case_id=wanted)
    case_id, _, number = wanted.rpartition("/")
    found = [trial for trial in run.trials(case_id=case_id) if str(trial.number) == number]
    if found:
        return found
    if case_id in cases:
        count = len(run.trials(case_id=case_id))
        raise InputError(f"{run.path}: the case {case_id} has {counted(count, 'trial')}, and none is number {number}")
    known = ", ".join(list(cases)[:5]) + (", …" if len(cases) > 5 else "")
    raise InputError(f"{run.path}: there is no case {wanted}; it has {counted(len(cases), 'case')}: {known}")


def trial_parts(run: RunFile, case: Case, trial: RecordedTrial, lines: int | None = None) -> Iterator[Part]:
    yield Heading(text=_heading(case, trial.number, f" {OutcomeCell(trial.outcome)}"))
    if trial.origin:
        yield Note(text=f"it goes on from {origin_told(trial, trial.origin)}; the steps before are those of that trial")
    if trial.error:
        yield Note(text=f"{trial.error_kind}: {trial.error}", loud=True)
    for verdict in trial.verdicts:
        yield from _verdict(verdict)
    yield from (Note(text=_said(label)) for label in trial.labels)
    for mark in trial.marks:
        where = f"step {mark.step}" if mark.step else "it"
        yield Note(text=f"{mark.annotator} marks {where} as {mark.kind}{': ' if mark.critique else ''}{mark.critique}")
    yield from (Note(text=fault_line(fault)) for fault in faults_in(run, case, trial))
    steps = steps_of(run, trial)
    if steps:
        yield chat_of(steps, lines=lines)
    elif trial.output is not None:
        yield Passage(title="Answer", text=pretty(trial.output).rstrip())
    yield Facts(rows=(("took", Line((Seconds(trial.elapsed_s), " · ", Money(trial.cost)))),))


def origin_told(trial: RecordedTrial, origin: Origin) -> str:
    return f"step {origin.step} of trial {trial.case_id}/{origin.number} in {origin.run}"


def _heading(case: Case, number: int, outcome: str = "") -> str:
    title = f" {shortened(case.title)}" if case.title != case.id else ""
    return f"{case.id}/{number}{outcome}{title}"


def _said(label: Label) -> str:
    what = label.outcome if label.score is None else f"{label.score:g}"
    said = f"{label.annotator} {'settles it:' if label.settles else 'says'} {what}"
    return f"{said}: {label.critique}" if label.critique else said


def _verdict(verdict: Verdict) -> Iterator[Part]:
    yield Note(text=f"{verdict.judge} says {verdict.outcome}: {verdict.critique}", strong=True)
    if verdict.findings:
        rows = tuple((_MARKS[one.met], Prose(_found(one), lines=6)) for one in verdict.findings)
        yield Table(title="", columns=("", "Check"), rows=rows)


def _found(one: Finding) -> str:
    return f"{one.check}: {one.evidence}" if one.evidence else one.check


def pair_parts(one: RunFile, other: RunFile, case: Case) -> Iterator[Part]:
    """Of a case all trials that both runs have."""
    theirs = {trial.number: trial for trial in other.trials(case_id=case.id)}
    for left in one.trials(case_id=case.id):
        if left.number in theirs:
            yield from _pair(one, other, case, left, theirs[left.number], None)


def _pair(
    one: RunFile, other: RunFile, case: Case, left: RecordedTrial, right: RecordedTrial, lines: int | None
) -> Iterator[Part]:
    yield Heading(text=_heading(case, left.number))
    for name, trial in (("A", left), ("B", right)):
        if trial.decided:
            yield Note(text=f"{name}: {trial.decided.outcome}: {trial.decided.critique}")
    rows, parts_at = paired(steps_of(one, left), steps_of(other, right))
    told = tuple((chat_step(a) if a else None, chat_step(b) if b else None) for a, b in rows)
    names = [f"{name}: {OutcomeCell(trial.outcome)}" for name, trial in (("A", left), ("B", right))]
    yield ChatPair(left=names[0], right=names[1], rows=told, parts_at=parts_at, lines=lines)
