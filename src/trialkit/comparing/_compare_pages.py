"""A comparison as a page, as JSON and as CSV."""

import json
from collections.abc import Sequence
from typing import Any

from trialkit.stats import Difference, Figure
from trialkit.text import counted, rate

from ._compare import Comparison, Contest, Flip, Side
from ._loaded import Loaded
from ._pages import Facts, Listing, Note, Page, Part
from ._words import p_value, verdict

FORMAT = "trialkit-compare/1"
#: More flips than this are no list but a flood; JSON and CSV have all.
_MOST_FLIPS = 20
_MOST_NAMES = 12
_CSV_COLUMNS = (
    "Case",
    "Type",
    "A passed",
    "A trials",
    "B passed",
    "B trials",
    "Change",
    "Critique A",
    "Critique B",
)


def comparison_page(one: Comparison) -> Page:
    parts: list[Part] = [Facts(rows=(("A", _run(one.before)), ("B", _run(one.after))))]
    if one.unlike:
        rows = tuple((unlike.what, unlike.before, unlike.after) for unlike in one.unlike)
        parts.append(Listing(title="What differs", columns=("", "A", "B"), rows=rows))
    parts += [Note(text=warning, loud=True) for warning in one.warnings]
    parts += [Note(text=text) for text in _left_out(one)]
    if one.paired:
        parts.append(_figures(one))
    parts.append(Note(text=verdict(one), strong=True))
    parts += _flips(one)
    return Page(title=f"{one.before.suite}: A against B", parts=tuple(parts))


def _run(run: Loaded) -> str:
    trials = run.trials
    return f"{run.subject} · {counted(len(run.cases), 'case')}, {counted(len(trials), 'trial')} · {run.path.name}"


def _left_out(one: Comparison) -> list[str]:
    said = [
        f"{what}: {_names(names)}."
        for what, names in (
            ("Only in A, so not compared", one.only_before),
            ("Only in B, so not compared", one.only_after),
            ("In both, but without a verdict in one, so not compared", one.unjudged),
        )
        if names
    ]
    errors = [(name, run.count("error")) for name, run in (("A", one.before), ("B", one.after))]
    told = " and ".join(f"{counted(count, 'trial')} of {name}" for name, count in errors if count)
    if told:
        said.append(f"{told} ended in error: no verdict could be had, so they count neither as pass nor as fail.")
    return said


def _names(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMES:,} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more


def _figures(one: Comparison) -> Listing:
    rows = [("pass rate", _rate(one.rate.before), _rate(one.rate.after), _points(one.rate.difference))]
    rows += [
        (f"pass^{k}", _rate(side.before), _rate(side.after), _points(side.difference))
        for k, side in enumerate(one.pass_hat_k, start=1)
        if k > 1  # pass^1 is the pass rate
    ]
    rows += [row for row in (_amounts("$ a trial", one.cost, 5), _amounts("seconds a trial", one.seconds, 2)) if row]
    return Listing(
        title=f"Over {counted(len(one.paired), 'paired case')}",
        columns=("", "A", "B", "B − A"),  # noqa: RUF001 - a minus sign
        rows=tuple(rows),
        note=f"95% intervals; test of the pass rate: {one.rate.difference.method}, {p_value(one.rate.difference.p)}",
    )


def _rate(figure: Figure) -> str:
    """`65.5% [56.3, 73.6]`: short enough for two of them and a difference in 80 columns."""
    value, low, high = figure.value, figure.low, figure.high
    if value is None or low is None or high is None:
        return "—"
    return f"{value * 100:.1f}% [{low * 100:.1f}, {high * 100:.1f}]"


def _points(difference: Difference) -> str:
    return _change(difference, 100, 1)


def _change(difference: Difference, unit: float, digits: int) -> str:
    value, low, high = difference.value, difference.low, difference.high
    if value is None:
        return "—"
    interval = "" if low is None or high is None else f" [{low * unit:+.{digits}f}, {high * unit:+.{digits}f}]"
    return f"{value * unit:+.{digits}f}{interval}"


def _amounts(name: str, side: Side, digits: int) -> tuple[str, str, str, str] | None:
    """None where it is unknown, or too little to be worth a line."""
    before, after = side.before.value, side.after.value
    if before is None or after is None or max(before, after) < 10**-digits:
        return None
    return name, f"{before:.{digits}f}", f"{after:.{digits}f}", _change(side.difference, 1, digits)


def _flips(one: Comparison) -> list[Part]:
    several = one.trials > 1
    titles = {
        "worse": "Passes less often in B" if several else "Flipped: pass → fail",
        "better": "Passes more often in B" if several else "Flipped: fail → pass",
    }
    parts: list[Part] = []
    for direction, title in titles.items():
        found = [flip for flip in one.flips if flip.direction == direction]
        if found:
            parts.append(_flip_listing(f"{title} ({counted(len(found), 'case')})", found))
    if not parts and one.paired:
        parts.append(Note(text="No case changed."))
    return parts


def _flip_listing(title: str, flips: Sequence[Flip]) -> Listing:
    shown = flips[:_MOST_FLIPS]
    left = len(flips) - len(shown)
    return Listing(
        title=title,
        columns=("Case", "A", "B", "What was said of A", "What was said of B"),
        rows=tuple(
            (flip.case_id, flip.before, flip.after, flip.critique_before, flip.critique_after) for flip in shown
        ),
        prose=("What was said of A", "What was said of B"),
        note=f"and {left:,} more; --format csv or json has all" if left else "",
    )


def contest_page(several: Contest) -> Page:
    names = [chr(ord("A") + place) if place < 26 else f"#{place + 1}" for place in range(len(several.runs))]
    letter = {id(run): name for run, name in zip(several.runs, names, strict=True)}
    runs = tuple(
        (name, run.subject, str(len(run.trials)), rate(figure), run.path.name)
        for name, run, figure in zip(names, several.runs, several.rates, strict=True)
    )
    pairs = tuple(
        (
            f"{letter[id(one.after)]} − {letter[id(one.before)]}",  # noqa: RUF001 - a minus sign
            str(len(one.paired)),
            _points(one.rate.difference),
            _bare(one.rate.difference.p),
            _bare(corrected),
            "yes" if corrected is not None and corrected < 0.05 else "no",
        )
        for one, corrected in zip(several.pairs, several.corrected, strict=True)
    )
    loud = dict.fromkeys(
        f"{letter[id(one.before)]} and {letter[id(one.after)]}: {said}"
        for one in several.pairs
        for said in one.warnings
    )
    return Page(
        title=f"{several.runs[0].suite}: {len(several.runs)} runs",
        parts=(
            Listing(title="Runs", columns=("", "Subject", "Trials", "Pass rate", "File"), rows=runs),
            *(Note(text=said, loud=True) for said in loud),
            Listing(
                title="Every pair",
                columns=("Pair", "Cases", "Points", "p", "p (Holm)", "Differ"),
                rows=pairs,
                note=f"p (Holm) is corrected for {counted(len(pairs), 'test')}; flips: trialkit compare with two runs",
            ),
            Note(text=_contest_verdict(several, letter), strong=True),
        ),
    )


def _bare(p: float | None) -> str:
    return p_value(p).removeprefix("p ").removeprefix("= ")


def _contest_verdict(several: Contest, letter: dict[int, str]) -> str:
    told = [
        f"{letter[id(one.after)]} passes {'more' if (one.rate.difference.value or 0) > 0 else 'less'} often than"
        f" {letter[id(one.before)]}"
        for one, p in zip(several.pairs, several.corrected, strict=True)
        if p is not None and p < 0.05
    ]
    return f"More than noise: {'; '.join(told)}." if told else "No two of these runs can be told apart from noise."


def comparison_json(one: Comparison) -> str:
    return _json({"format": FORMAT, **_data(one)})


def contest_json(several: Contest) -> str:
    runs = zip(several.runs, several.rates, strict=True)
    pairs = zip(several.pairs, several.corrected, strict=True)
    return _json(
        {
            "format": FORMAT,
            "runs": [{**_run_data(run), "pass_rate": figure.to_data()} for run, figure in runs],
            "pairs": [{**_data(one), "p_holm": corrected} for one, corrected in pairs],
        }
    )


def _data(one: Comparison) -> dict[str, Any]:
    return {
        "a": _run_data(one.before),
        "b": _run_data(one.after),
        "differs": [{"what": u.what, "a": u.before, "b": u.after} for u in one.unlike],
        "warnings": list(one.warnings),
        "paired": len(one.paired),
        "only_in_a": list(one.only_before),
        "only_in_b": list(one.only_after),
        "without_verdict": list(one.unjudged),
        "pass_rate": _side(one.rate),
        "pass_hat_k": [_side(side) for side in one.pass_hat_k],
        "cost_per_trial_usd": _side(one.cost),
        "seconds_per_trial": _side(one.seconds),
        "significant": one.rate.difference.significant,
        "regression": one.regression,
        "summary": verdict(one),
        "flips": [
            {
                "case": flip.case_id,
                "title": flip.title,
                "direction": flip.direction,
                "a": flip.before,
                "b": flip.after,
                "critique_a": flip.critique_before,
                "critique_b": flip.critique_after,
            }
            for flip in one.flips
        ],
    }


def _run_data(run: Loaded) -> dict[str, Any]:
    return {
        "file": str(run.path),
        "suite": run.suite,
        "subject": run.subject,
        "created": run.created,
        "cases": len(run.cases),
        "trials": len(run.trials),
        "errors": run.count("error"),
        "judges": list(run.judges),
    }


def _side(side: Side) -> dict[str, Any]:
    return {"a": side.before.to_data(), "b": side.after.to_data(), "difference": side.difference.to_data()}


def _json(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def comparison_csv(one: Comparison) -> str:
    """One row for each paired case."""
    from trialkit.suites.commodity.csvfile import write_rows  # noqa: PLC0415 - only for this format

    flips = {flip.case_id: flip for flip in one.flips}
    rows = []
    for name in one.paired:
        before, after, flip = one.before.cases[name], one.after.cases[name], flips.get(name)
        counts = (sum(before.verdicts), len(before.verdicts), sum(after.verdicts), len(after.verdicts))
        said = (flip.direction, flip.critique_before, flip.critique_after) if flip else ("same", "", "")
        rows.append([name, before.group, *map(str, counts), *said])
    return write_rows(_CSV_COLUMNS, rows)
