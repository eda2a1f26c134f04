"""An alignment as a page and as JSON."""

import shlex
from math import ceil

from trialkit.pages import Cell, Count, Facts, Heading, Name, Note, Number, OutcomeCell, Page, Part, Prose, Rate, Table
from trialkit.stats import Figure
from trialkit.text.json import pretty
from trialkit.text.shown import counted

from .align import FEWEST, HALF_WIDTH, Agreement, Alignment, Disagreement, JudgeAlignment

FORMAT = "trialkit-align/1"
_MOST = 20


def alignment_page(found: Alignment) -> Page:
    parts: list[Part] = [Facts(rows=tuple(_facts(found)))]
    if not found.labelled:
        parts.append(Note(text=_no_labels(found), strong=True))
        return _page(found, parts)
    if not found.judges:
        parts.append(Note(text="No judge has given a verdict, so there is nothing to hold against the labels."))
        return _page(found, parts)
    if found.tied:
        listed = ", ".join(found.tied[:_MOST])
        parts.append(Note(text=f"The annotators are split evenly on {listed}: left out, as there is no majority."))
    if found.not_random:
        parts.append(
            Note(
                text=f"{counted(found.not_random, 'labelled trial')} were not drawn at random: they are among the"
                " disagreements below, but in no rate, which they would bend."
            )
        )
    if len(found.judges) > 1:
        parts.append(_ranking(found))
    for judge in found.judges:
        parts += _judge(judge)
    return _page(found, parts)


def _page(found: Alignment, parts: list[Part]) -> Page:
    return Page(title=f"{found.run.suite}: judges against people", parts=tuple(parts))


def _facts(found: Alignment) -> list[tuple[str, str]]:
    run = found.run
    whose = "" if run.from_csv else f"{run.subject} · "
    facts = [("run", f"{whose}{counted(len(run.trials), 'trial')} · {run.path.name}")]
    by = ", ".join(f"{name} {count}" for name, count in found.annotators.items())
    facts.append(("labels", f"{counted(found.labelled, 'trial')} labelled" + (f" ({by})" if by else "")))
    if len(found.annotators) > 1:
        facts.append(("annotators", f"Krippendorff's alpha {_alpha(found.alpha)}"))
    return facts


def _alpha(figure: Figure) -> str:
    if figure.value is None:
        return "cannot be told: too few trials have two labels, or all say the same"
    return f"{Number(figure, digits=2)} over {counted(figure.n, 'trial')}"


def _no_labels(found: Alignment) -> str:
    if found.run.measure.kind == "score":
        return f"Trials are measured by {found.run.measure}, and labels say pass or fail: there is nothing to align."
    said = "There are no labels yet, so nothing is known of how well the judge agrees with people."
    if found.run.from_csv:
        return f"{said} Fill in the column Human Outcome (pass or fail) of some rows, picked at random."
    if not any(trial.ended for trial in found.run.trials):
        return f"{said} Nor is there anything to label: no trial has ended."
    draw = shlex.join(["trialkit", "label", str(found.run.path), "--sample", "30"])
    return f"{said} Draw trials with `{draw}`, fill in Human Outcome, and bring them back with `trialkit import`."


def _ranking(found: Alignment) -> Table:
    rows = tuple(
        (
            one.judge + (" *" if one.decides else ""),
            Count(one.overall.confusion.n),
            Rate(one.overall.agreement),
            Number(one.overall.kappa, digits=2),
        )
        for one in found.judges
    )
    return Table(
        title="Judges, the best first", columns=("Judge", "Labels", "Agreement", "Kappa"), rows=rows, note="* decides"
    )


def _judge(one: JudgeAlignment) -> list[Part]:
    parts: list[Part] = [Heading(text=f"Judge {one.judge}")]
    if not one.overall.confusion.n:
        parts.append(Note(text=_scored(one) or "It has no verdict on a labelled trial that was drawn at random."))
        return [*parts, *_disagreements(one)]
    parts += [_matrix(one), _figures(one), Note(text=summary(one))]
    parts += [Note(text=text) for text in (*too_few(one), _scored(one)) if text]
    return [*parts, *_disagreements(one)]


def _scored(one: JudgeAlignment) -> str:
    """Empty: it gave none of the labelled trials a score alone."""
    if not one.scored:
        return ""
    trials = counted(one.scored, "labelled trial")
    return f"It gave {trials} a score alone, and labels say pass or fail: they are left out."


def _matrix(one: JudgeAlignment) -> Table:
    counts = one.overall.confusion
    return Table(
        title="Confusion",
        columns=("", "judge: pass", "judge: fail"),
        rows=(
            ("people: pass", Count(counts.both_pass), Count(counts.missed)),
            ("people: fail", Count(counts.let_through), Count(counts.both_fail)),
        ),
    )


def _figures(one: JudgeAlignment) -> Table:
    rows = [_row("all", one.overall), *(_row(group, found) for group, found in one.groups.items())]
    return Table(
        title="Agreement",
        columns=("", "n", "agreement", "TPR", "TNR", "kappa"),
        rows=tuple(rows),
        note="TPR: of what people pass, the judge passes this share; TNR: likewise of what they fail; 95% intervals",
    )


def _row(name: str, found: Agreement) -> tuple[Cell | str, ...]:
    rates = (Rate(figure, short=True, digits=0) for figure in (found.agreement, found.tpr, found.tnr))
    return (name, Count(found.confusion.n), *rates, Number(found.kappa, digits=2))


def summary(one: JudgeAlignment) -> str:
    counts, n = one.overall.confusion, one.overall.confusion.n
    agreed = counts.both_pass + counts.both_fail
    said = f"It agrees with people on {agreed} of {counted(n, 'labelled trial')}"
    said += f"; it passes {counts.let_through} that people fail and fails {counts.missed} that they pass."
    said += f" Its own pass rate is {Rate(one.raw_rate)}"
    if one.corrected.value is not None:
        said += f"; corrected for its errors it is {Rate(one.corrected)}"
    elif one.corrected.low is not None:
        low, high = Rate(one.corrected.low), Rate(one.corrected.high)
        said += f"; corrected for its errors it lies in [{low}, {high}]"
    said += "."
    if one.consistency.n:
        said += (
            f" Asked again about the same answer it says the same in {Rate(one.consistency)}"
            f" ({counted(one.consistency.n, 'trial')})."
        )
    if one.no_verdict:
        said += f" It has no verdict on {counted(one.no_verdict, 'labelled trial')}."
    return said


def too_few(one: JudgeAlignment) -> list[str]:
    """How many more labels are needed, and of which kind."""
    counts, said = one.overall.confusion, []
    for name, kind, n in (
        ("TPR", "pass", counts.both_pass + counts.missed),
        ("TNR", "fail", counts.let_through + counts.both_fail),
    ):
        if n < FEWEST:
            said.append(
                f"Too few labels for the {name}: people {kind} {n} of the labelled trials;"
                f" label about {FEWEST - n} more that they {kind}."
            )
    needed, half = one.needed, f"±{HALF_WIDTH * 100:.0f} points"
    if needed is None:
        return said
    if needed.of_passes is None or needed.of_fails is None:
        said.append(f"No number of labels narrows the corrected rate down to {half}: the run has too few trials.")
    elif needed.of_passes + needed.of_fails:
        kinds = [
            f"{counted(count, 'more trial')} that the judge {verdict}"
            for count, verdict in ((needed.of_passes, "passed"), (needed.of_fails, "failed"))
            if count
        ]
        drawn = _drawn_at_random(one.raw_rate.value or 0.0, needed.of_passes, needed.of_fails)
        said.append(
            f"To know the corrected rate to {half}, label about {' and '.join(kinds)};"
            f" drawn at random, that takes {counted(drawn, 'trial')}."
        )
    return said


def _drawn_at_random(rate: float, passes: int, fails: int) -> int:
    """How many trials hold so many of both kinds, if the judge passes this share."""
    return ceil(max(passes / rate if passes else 0.0, fails / (1 - rate) if fails else 0.0))


def _disagreements(one: JudgeAlignment) -> list[Part]:
    if not one.disagreements:
        return []
    shown = one.disagreements[:_MOST]
    left = len(one.disagreements) - len(shown)
    return [
        Table(
            title=f"Disagreements ({len(one.disagreements)})",
            columns=("Case", "Trial", "People", "Judge", "What people said", "What the judge said"),
            rows=tuple(
                (
                    Name(row.case_id),
                    Count(row.trial),
                    OutcomeCell(row.human),
                    OutcomeCell(row.judge),
                    Prose(row.critique_human),
                    Prose(row.critique_judge),
                )
                for row in shown
            ),
            note=f"and {left:,} more; --format json has all" if left else "",
        )
    ]


def alignment_json(found: Alignment) -> str:
    data = {
        "format": FORMAT,
        "run": {"file": str(found.run.path), "suite": found.run.suite, "subject": found.run.subject},
        "labelled": found.labelled,
        "annotators": dict(found.annotators),
        "krippendorff_alpha": found.alpha.to_data(),
        "tied": list(found.tied),
        "not_random": found.not_random,
        "judges": [_judge_data(one) for one in found.judges],
    }
    return pretty(data)


def _judge_data(one: JudgeAlignment) -> dict[str, object]:
    needed = one.needed
    return {
        "judge": one.judge,
        "decides": one.decides,
        **_agreement_data(one.overall),
        "groups": {group: _agreement_data(found) for group, found in one.groups.items()},
        "pass_rate": one.raw_rate.to_data(),
        "corrected_pass_rate": one.corrected.to_data(),
        "labels_needed": needed
        and {"half_width": needed.half, "judge_passed": needed.of_passes, "judge_failed": needed.of_fails},
        "without_verdict": one.no_verdict,
        "scored": one.scored,
        "self_agreement": one.consistency.to_data(),
        "disagreements": [_disagreement_data(row) for row in one.disagreements],
    }


def _agreement_data(found: Agreement) -> dict[str, object]:
    counts = found.confusion
    return {
        "confusion": {
            "both_pass": counts.both_pass,
            "people_pass_judge_fail": counts.missed,
            "people_fail_judge_pass": counts.let_through,
            "both_fail": counts.both_fail,
        },
        "agreement": found.agreement.to_data(),
        "tpr": found.tpr.to_data(),
        "tnr": found.tnr.to_data(),
        "kappa": found.kappa.to_data(),
    }


def _disagreement_data(row: Disagreement) -> dict[str, object]:
    return {
        "case": row.case_id,
        "trial": row.trial,
        "people": row.human,
        "judge": row.judge,
        "critique_people": row.critique_human,
        "critique_judge": row.critique_judge,
        "random": row.at_random,
    }
