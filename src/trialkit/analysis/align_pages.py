"""An alignment as a page and as JSON."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from math import ceil

from trialkit.pages import (
    Cell,
    Count,
    Facts,
    Heading,
    Name,
    Note,
    Number,
    OutcomeCell,
    Page,
    Part,
    Prose,
    Rate,
    Table,
)
from trialkit.stats import Figure, JudgeFigures
from trialkit.text.json import pretty
from trialkit.text.shown import counted

from .align import FEWEST, HALF_WIDTH, UNNOTED, Alignment, JudgeAlignment, Unlabelled
from .align_scores import CaseLink, score_parts
from .labels import label_column

FORMAT = "trialkit-align/1"
_MOST = 20
_PAST = {"pass": "passed", "fail": "failed", "error": "could not judge", "scored": "scored"}


def alignment_page(found: Alignment, link: CaseLink = lambda _case, _trial: "") -> Page:
    """`link` is where a trial is shown; empty: nowhere."""
    parts: list[Part] = [Facts(rows=tuple(_facts(found)))]
    if not found.labelled:
        parts.append(Note(text=_no_labels(found), strong=True))
    elif not found.judges and not found.scores:
        parts.append(Note(text="No judge has given a verdict, so there is nothing to hold against the labels."))
    else:
        parts += [Note(text=text) for text in _left_out(found)]
        if len(found.judges) > 1:
            parts.append(_ranking(found))
        parts += [part for judge in found.judges for part in _judge(found, judge, link)]
        parts += score_parts(found.run, found.scores, link) if found.scores else ()
    return Page(title=f"{found.run.suite}: judges against people", parts=tuple(parts))


def _left_out(found: Alignment) -> Iterator[str]:
    if found.tied:
        yield (
            f"The annotators are split evenly on {', '.join(found.tied[:_MOST])}: such a trial counts half as a"
            " pass and half as a fail. `trialkit view` has a page on which they are settled."
        )
    if found.unsure:
        yield f"On {counted(found.unsure, 'trial')} people are unsure: such trials are in no rate."
    if found.not_random:
        yield (
            f"Labelled, but not drawn at random: {counted(found.not_random, 'trial')}; among the disagreements"
            " below, but in no rate, which that would bend."
        )
    unnoted = found.drawn.get(UNNOTED, 0)
    if unnoted and found.labelled < sum(trial.ended for trial in found.run.trials):
        yield (
            f"How {counted(unnoted, 'labelled trial')} were drawn nobody noted. They are taken as drawn at random"
            f"{'' if found.scores else ' among trials with the same verdict'}; where somebody picked them for what is"
            " in them, the figures below are wrong. Write random, or hunted if they were picked, into the column Drawn."
        )


def _facts(found: Alignment) -> list[tuple[str, str]]:
    run = found.run
    whose = "" if run.from_csv else f"{run.called} · "
    facts = [("run", f"{whose}{counted(len(run.trials), 'trial')} · {run.path.name}")]
    by = ", ".join(f"{name} {count}" for name, count in found.annotators.items())
    facts.append(("labels", f"{counted(found.labelled, 'trial')} labelled" + (f" ({by})" if by else "")))
    if len(found.annotators) > 1 and not found.scores:
        alpha = found.krippendorff_alpha
        told = f"{Number(alpha, digits=2)} over {counted(alpha.n, 'trial')}"
        none = "cannot be told: too few trials have two labels, or all say the same"
        facts.append(("annotators", f"Krippendorff's alpha {none if alpha.value is None else told}"))
    return facts


def _no_labels(found: Alignment) -> str:
    said = "There are no labels yet, so nothing is known of how well the judge agrees with people."
    if found.run.from_csv:
        return f"{said} Fill in the column Human Outcome (pass or fail) of some rows, picked at random."
    if not any(trial.ended for trial in found.run.trials):
        return f"{said} Nor is there anything to label: no trial has ended."
    column = label_column(found.run.measure)
    view, draw = (shlex.join(["trialkit", verb, str(found.run.path)]) for verb in ("view", "label"))
    sheet = f"`{draw} --sample 30`, fill in {column}, and bring them back with `trialkit import`"
    return f"{said} Label trials in the browser, `{view}`; or draw a sheet of them with {sheet}."


def _ranking(found: Alignment) -> Table:
    rows = tuple(
        (
            one.judge + (" *" if one.decides else ""),
            Count(one.overall.confusion.n),
            rate_cell(one.overall.agreement),
            kappa_cell(one.overall.kappa),
        )
        for one in found.judges
    )
    return Table(
        title="Judges, the best first", columns=("Judge", "Labels", "Agreement", "Kappa"), rows=rows, note="* decides"
    )


def _judge(found: Alignment, one: JudgeAlignment, link: CaseLink) -> list[Part]:
    parts: list[Part] = [Heading(text=f"Judge {one.judge}")]
    if one.overall.confusion.n:
        parts += [Note(text=text, strong=True) for text in (summary(one), *map(_unknown, one.unlabelled))]
        parts += [_matrix(one), _figures(one)]
        told = [*advice(found, one), _scored(one)]
    else:
        told = [_scored(one) or "It has no verdict on a labelled trial that was drawn at random."]
    return [*parts, *(Note(text=text) for text in told if text), *_disagreements(one, link)]


def _unknown(missing: Unlabelled) -> str:
    which = f"it {_PAST[missing.verdict]}"
    if missing.decided is not None:
        which += f" and the judge that decides {_PAST[missing.decided]}"
    return (
        f"No label on any of the {counted(missing.trials, 'trial')} that {which}: what people make of them is"
        " unknown, and so are the judge's rates; brackets hold what they may be."
    )


def _scored(one: JudgeAlignment) -> str:
    """Empty: it gave none of the labelled trials a score alone."""
    if not one.scored:
        return ""
    trials = counted(one.scored, "labelled trial")
    return f"It gave {trials} a score alone, and labels say pass or fail: they are left out."


def _matrix(one: JudgeAlignment) -> Table:
    counts = one.overall.confusion

    def count(value: float) -> Number:
        return Number(value, digits=None)

    return Table(
        title="Confusion",
        columns=("", "judge: pass", "judge: fail"),
        rows=(
            ("people: pass", count(counts.both_pass), count(counts.people_pass_judge_fail)),
            ("people: fail", count(counts.people_fail_judge_pass), count(counts.both_fail)),
        ),
        note="labelled trials; the rates below are told of the whole run",
    )


def _figures(one: JudgeAlignment) -> Table:
    rows = [_row("all", one.overall), *(_row(group, found) for group, found in one.groups.items())]
    return Table(
        title="Agreement",
        columns=("", "n", "agreement", "TPR", "TNR", "kappa"),
        rows=tuple(rows),
        note="TPR: of what people pass, the judge passes this share; TNR: likewise of what they fail; 95% intervals",
    )


def _row(name: str, found: JudgeFigures) -> tuple[Cell | str, ...]:
    rates = (rate_cell(figure) for figure in (found.agreement, found.tpr, found.tnr))
    return (name, Count(found.confusion.n), *rates, kappa_cell(found.kappa))


def rate_cell(figure: Figure) -> Rate:
    """Where labels do not tell it, what is still possible."""
    low, high = (Rate(end, short=True, digits=0) for end in (figure.low, figure.high))
    return Rate(figure, short=True, digits=0, unknown="—" if figure.low is None else f"in [{low}, {high}]")


def kappa_cell(figure: Figure) -> Number:
    low, high = (Number(end, digits=2) for end in (figure.low, figure.high))
    return Number(figure, digits=2, unknown="—" if figure.low is None else f"in [{low}, {high}]")


def summary(one: JudgeAlignment) -> str:
    counts = one.overall.confusion
    said = (
        f"It agrees with people on {counts.both_pass + counts.both_fail:g} of {counted(counts.n, 'labelled trial')}; it"
        f" passes {counts.people_fail_judge_pass:g} that people fail and fails {counts.people_pass_judge_fail:g} that"
        " they pass."
    )
    said += f" Its own pass rate is {Rate(one.pass_rate)}"
    corrected = one.overall.corrected_pass_rate
    if corrected.value is not None:
        said += f"; corrected for its errors it is {Rate(corrected)}"
    elif corrected.low is not None:
        said += f"; corrected for its errors it lies in [{Rate(corrected.low)}, {Rate(corrected.high)}]"
    said += "."
    if one.self_agreement.n:
        said += (
            f" Asked again about the same answer it says the same in {Rate(one.self_agreement)}"
            f" ({counted(one.self_agreement.n, 'trial')})."
        )
    if one.without_verdict:
        said += f" It has no verdict on {counted(one.without_verdict, 'labelled trial')}."
    return said


def advice(found: Alignment, one: JudgeAlignment) -> list[str]:
    """How many more labels are needed, and of which kind: a judge's verdicts are a kind that can be drawn from without
    bending a rate; what people will say of a trial is none.
    """
    counts, said = one.overall.confusion, []
    short = {  # what a verdict's labels are too few for
        "passed": ("TPR", "pass", counts.both_pass + counts.people_pass_judge_fail),
        "failed": ("TNR", "fail", counts.people_fail_judge_pass + counts.both_fail),
    }
    labelled = {
        "passed": counts.both_pass + counts.people_fail_judge_pass,
        "failed": counts.people_pass_judge_fail + counts.both_fail,
    }
    for name, kind, n in short.values():
        if n < FEWEST:
            said.append(f"Too few labels for the {name}: people {kind} {n:g} of the labelled trials.")
    needed, half = one.labels_needed, f"±{HALF_WIDTH * 100:.0f} points"
    wanted = {"passed": needed and needed.judge_passed, "failed": needed and needed.judge_failed}
    if None in wanted.values():
        said.append(f"No number of labels narrows the corrected rate down to {half}: the run has too few trials.")
    more = {}
    for verdict, count in labelled.items():
        most = max(wanted[verdict] or 0, ceil(FEWEST - count), ceil(FEWEST - short[verdict][2]))
        if (fitting := min(most, one.trials[verdict] - ceil(count))) > 0:
            more[verdict] = fitting
    if more:
        aim = "To know its rates better" if None in wanted.values() else f"To know the corrected rate to {half}"
        kinds = " and ".join(f"{counted(n, 'more trial')} that the judge {verdict}" for verdict, n in more.items())
        said.append(f"{aim}, label about {kinds}{_how(found, one, more)}.")
    return said


def _how(found: Alignment, one: JudgeAlignment, more: Mapping[str, int]) -> str:
    """How to draw them."""
    if found.run.from_csv:
        return ", drawn at random among these; write passed or failed, whichever it is, into the column Drawn"
    run = str(found.run.path)
    if one.decides:
        commands = [
            shlex.join(["trialkit", "label", run, "--where", kind, "--sample", str(n)]) for kind, n in more.items()
        ]
        return f": {' and '.join(f'`{command}`' for command in commands)}"
    drawn = ceil(max(count * sum(one.trials.values()) / one.trials[kind] for kind, count in more.items()))
    return f": `{shlex.join(['trialkit', 'label', run, '--sample', str(drawn)])}`"


def _disagreements(one: JudgeAlignment, link: CaseLink) -> list[Part]:
    left = len(one.disagreements) - _MOST
    table = Table(
        title=f"Disagreements ({len(one.disagreements)})",
        columns=("Case", "Trial", "People", "Judge", "What people said", "What the judge said"),
        rows=tuple(
            (
                Name(row.case, link=link(row.case, row.trial)),
                Count(row.trial),
                OutcomeCell(row.people),
                OutcomeCell(row.judge),
                Prose(row.critique_people),
                Prose(row.critique_judge),
            )
            for row in one.disagreements[:_MOST]
        ),
        note=f"and {left:,} more; --format json has all" if left > 0 else "",
    )
    return [table] if table.rows else []


def alignment_json(found: Alignment) -> str:
    data = {
        "format": FORMAT,
        "run": {"file": str(found.run.path), "suite": found.run.suite, "subject": found.run.subject},
        "measure": asdict(found.run.measure),
        "labelled": found.labelled,
        "annotators": dict(found.annotators),
        "krippendorff_alpha": found.krippendorff_alpha.to_data(),
        "tied": list(found.tied),
        "unsure": found.unsure,
        "drawn": dict(found.drawn),
        "not_random": found.not_random,
        "judges": [asdict(one) for one in found.scores] or [_judge_data(one) for one in found.judges],
    }
    return pretty(data)


def _judge_data(one: JudgeAlignment) -> dict[str, object]:
    data = asdict(one)
    return {"judge": one.judge, "decides": one.decides, **data.pop("overall"), **data}
