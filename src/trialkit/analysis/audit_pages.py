"""Judges on trial as a page and as JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from trialkit.engine import AGAIN
from trialkit.pages import Cell, Facts, Heading, Money, Note, Number, Page, Part, PValue, Rate, Table, Words
from trialkit.stats import Figure
from trialkit.text.json import pretty
from trialkit.text.shown import counted

from .align import FEWEST
from .audit import JudgeAudit, Moved, VariantResult
from .loaded import LoadedRun

FORMAT = "trialkit-audit/1"
_NOTE = (
    "Of the answers that it had failed, or passed, the share that it says otherwise about, with 95% intervals."
    " p: is that more often than when the same is asked again? (Holm)"
)


def audit_page(run: LoadedRun, judges: Sequence[JudgeAudit]) -> Page:
    parts: list[Part] = [Facts(rows=(("run", f"{run.called} · {run.path.name}"),))]
    if not judges:
        parts.append(Note(text="No judge of this run was put on trial."))
    if len(judges) > 1:
        parts.append(_ranking(judges))
    if judges:
        parts.append(_costs(judges))
    parts += [part for one in judges for part in _judge(one)]
    return Page(title=f"{run.suite}: judges on trial", parts=tuple(parts))


def _ranking(judges: Sequence[JudgeAudit]) -> Table:
    rows = tuple(
        (_named(one), _rate(one.to_pass), _rate(one.to_fail), _rate(one.corrected_pass_rate)) for one in judges
    )
    return Table(
        title="Judges, the steadiest first",
        columns=("Judge", "Fail → pass", "Pass → fail", "Corrected rate"),
        rows=rows,
        note="* decides. Verdicts that turned over what changes nothing; the pass rate, corrected by labels",
    )


def _costs(judges: Sequence[JudgeAudit]) -> Table:
    rows = tuple(
        (
            _named(one),
            Number(one.calls_per_verdict.value, digits=2),
            Money(one.cost_per_verdict_usd.value),
            _rate(one.unreadable),
        )
        for one in judges
    )
    return Table(
        title="What asking takes", columns=("Judge", "Calls", "Cost", "Unreadable"), rows=rows, note="a verdict"
    )


def _judge(one: JudgeAudit) -> list[Part]:
    rows = tuple((_called(found), *_moved(found.to_pass), *_moved(found.to_fail)) for found in one.variants)
    table = Table(title="", columns=("Variant", "Fail → pass", "p", "Pass → fail", "p"), rows=rows, note=_NOTE)
    return [
        Heading(text=f"Judge {one.judge}"),
        Note(text=" ".join(verdict_on(one)), strong=True),
        *([table] if rows else []),
        Note(text=_size(one)),
    ]


def _named(one: JudgeAudit) -> str:
    return one.judge + (" *" if one.decides else "")


def _called(found: VariantResult) -> Words:
    return Words(found.variant + (" (must fail)" if found.right == "fail" else ""))


def _moved(moved: Moved) -> tuple[Cell, Cell]:
    return _rate(moved.share), PValue(moved.p)


def _rate(figure: Figure) -> Rate:
    return Rate(figure, short=True, digits=0)


def _size(one: JudgeAudit) -> str:
    said = (
        f"{counted(one.passed + one.failed + one.without_verdict, 'answer')}: {one.passed} passed, {one.failed} failed"
    )
    said += f", {one.without_verdict} without a verdict" if one.without_verdict else ""
    return f"{said}." + (f" {one.not_asked} more were decided without asking it." if one.not_asked else "")


def verdict_on(one: JudgeAudit) -> Iterator[str]:
    """In words; the worst first."""
    if not one.passed + one.failed:
        yield "It gave no verdict on the answers as they are, so there is nothing to hold its others against."
        return
    again = one.variants[0]
    if one.talked_into:
        yield f"The judge can be talked into a pass: {_listed(one.talked_into, 'to_pass')} of what it had failed."
    if one.overlooks:
        missed = "; ".join(f"only {Rate(found.to_fail.share)} are failed ({found.variant})" for found in one.overlooks)
        yield f"It overlooks what must fail: of what it had passed {missed}."
    if one.talked_out:
        told = _listed(one.talked_out, "to_fail")
        yield f"What changes nothing turns passes into fails: {told} of what it had passed."
    if one.contradicts_itself:
        yield (
            "It contradicts itself: asked the same again it passes"
            f" {Rate(again.to_pass.share)} of what it had failed and fails {Rate(again.to_fail.share)} of what it had"
            " passed."
        )
    if one.unreadable_often:
        yield f"Of its verdicts {Rate(one.unreadable)} could not be read."
    if one.suspects:
        told = _listed(one.suspects, "to_pass")
        yield f"Too few answers to tell it from chance, but it may be talked into a pass: {told} of what it had failed."
    elif not (one.talked_into or one.talked_out or one.overlooks or one.contradicts_itself):
        few = one.passed + one.failed
        hardly = f", which {counted(few, 'answer')} can hardly show" if few < FEWEST else ""
        yield f"Nothing that should not move it moves it more than chance{hardly}."
    yield from _left_open(one)


def _listed(found: Sequence[VariantResult], side: str) -> str:
    return ", ".join(f"{one.variant} {Rate(getattr(one, side).share)}" for one in found)


def _left_open(one: JudgeAudit) -> Iterator[str]:
    """What so few answers cannot tell."""
    if not one.failed:
        yield "It failed none of these answers, so nothing could be talked into a pass."
    elif not (one.talked_into or one.suspects or one.contradicts_itself):
        harmless = [found for found in one.variants if found.right == "same" and found.variant != AGAIN]
        highest = max((found.to_pass.share.high or 0.0 for found in harmless), default=0.0)
        few = f" (it failed {one.failed} only)" if one.failed < FEWEST else ""
        yield f"Up to {Rate(highest, digits=0)} of its fails may still be talked into a pass by one of these{few}."


def audit_json(run: LoadedRun, judges: Sequence[JudgeAudit]) -> str:
    data = {
        "format": FORMAT,
        "run": {"file": str(run.path), "suite": run.suite, "subject": run.subject},
        "judges": [{**asdict(one), "summary": " ".join(verdict_on(one))} for one in judges],
    }
    return pretty(data)
