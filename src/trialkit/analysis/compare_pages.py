"""A comparison as a page and as JSON."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace

from trialkit.pages import (
    Cell,
    Change,
    Code,
    Dot,
    Dots,
    Facts,
    Line,
    Name,
    Note,
    Number,
    OutcomeCell,
    Page,
    Part,
    Prose,
    Rate,
    Table,
    Words,
    changed,
    measured,
)
from trialkit.stats import ErrorRates
from trialkit.text.json import pretty
from trialkit.text.shown import counted
from trialkit.vocabulary import Measure

from .charts import pass_hat_chart
from .compare import BothRuns, Comparison, Flip
from .compare_gate import GateOutcome
from .frontier import frontier_data, frontier_parts
from .groups import group_data, group_parts
from .loaded import LoadedRun
from .users import user_data, user_parts
from .words import conclusion, difference_name, p_value

FORMAT = "trialkit-compare/1"
#: More flips than this are no list but a flood; JSON and CSV have all, and pages that show what happened.
_MOST_FLIPS = 20
_MOST_NAMES = 12
_OUTCOMES = {"pass": OutcomeCell("pass"), "fail": OutcomeCell("fail")}


def comparison_page(one: Comparison, gate: GateOutcome | None = None, link: Callable[[str], str] | None = None) -> Page:
    """`link` is where the trials of a case that flipped are shown, of all of them; None: nowhere."""
    told = Note(text=conclusion(one), strong=True)
    parts = [told, *gate_notes(gate), *set_up(one)]
    if one.paired:
        parts.append(_drawn(one, figures_table(one)))
    parts += flip_tables(one, link)
    parts += group_parts(one)
    parts += user_parts((one.before, one.after))
    parts += frontier_parts((one.before, one.after))
    return Page(title=f"{one.before.suite}: A against B", parts=tuple(parts), again=told)


def set_up(one: Comparison) -> list[Part]:
    """What speaks against a comparison, what is compared, in what it differs, and what is left out."""
    parts: list[Part] = [Note(text=warning, loud=True) for warning in one.warnings]
    parts.append(Facts(rows=(("A", run_facts(one.before)), ("B", run_facts(one.after)))))
    if one.differs:
        rows = tuple((what, *values) for what, values in one.differs)
        parts.append(Table(title="What differs", columns=("", "A", "B"), rows=rows))
    return parts + [Note(text=text) for text in left_out(one)]


def gate_notes(gate: GateOutcome | None) -> list[Note]:
    return [] if gate is None else [Note(text=f"Gate: {gate.state}. {gate.why}.", strong=True)]


def run_facts(run: LoadedRun) -> Line:
    size = f"{counted(len(run.cases), 'case')}, {counted(len(run.trials), 'trial')}"
    return Line((size if run.from_csv else f"{run.called} · {size}", " · ", Code(run.path.name)))


def left_out(one: Comparison) -> list[str]:
    said = [
        f"{what}: {some_names(names)}."
        for what, names in (
            ("Only in A, so not compared", one.only_before),
            ("Only in B, so not compared", one.only_after),
            ("In both, but without a verdict in one, so not compared", one.unjudged),
        )
        if names
    ]
    return said + error_notes({"A": one.before, "B": one.after})


def error_notes(named: Mapping[str, LoadedRun]) -> list[str]:
    errors = {name: run.count("error") for name, run in named.items()}
    told = " and ".join(f"{counted(count, 'trial')} of {name}" for name, count in errors.items() if count)
    if not told:
        return []
    return [f"{told} ended in error: no verdict could be had, so they count in no figure."]


def some_names(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMES:,} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more


def _drawn(one: Comparison, figures: Table) -> Part:
    """How pass^k falls in both; of one trial a case, the difference alone."""
    hats = {"A": [side.before for side in one.pass_hat_k], "B": [side.after for side in one.pass_hat_k]}
    curve = pass_hat_chart(hats)
    if curve:
        return replace(curve, whole=figures)
    dot = Dot(one.measure.mean_name, changed(one.headline.difference, one.measure))
    return Dots(title=difference_name(one.measure), by="", dots=(dot,), whole=figures)


def figures_table(one: Comparison) -> Table:
    # pass^1 is the pass rate
    hats = [(f"pass^{k}", one.measure, side) for k, side in enumerate(one.pass_hat_k, start=1) if k > 1]
    further = [(other.mean_name, other, side) for other, side in one.further.items() if _tells_more(side, one.headline)]
    rows: list[tuple[Cell | str, ...]] = [
        (
            name,
            measured(side.before, by, short=True),
            measured(side.after, by, short=True),
            changed(side.difference, by),
        )
        for name, by, side in [(one.measure.mean_name, one.measure, one.headline), *hats, *further]
    ]
    if one.errors is not None:
        rows.append(
            (
                "errors",
                *(Rate(side, short=True) for side in (one.errors.before, one.errors.after)),
                Change(one.errors.difference, scale=100),
            )
        )
    if one.before.with_judging == one.after.with_judging:
        rows += [row for row in (_cost(one.cost), _amounts("s a trial", one.seconds, 1, 2)) if row]
    return Table(
        title=f"Over {counted(len(one.paired), 'paired case')}",
        columns=("", "A", "B", "B − A"),  # noqa: RUF001 - a minus sign
        rows=tuple(rows),
        note=_how(one),
    )


def _how(one: Comparison) -> str:
    difference, measures = one.headline.difference, (one.measure, *one.further)
    told = ["95% intervals"]
    if any(measure.kind == "pass" for measure in measures):
        told.append("rates differ in points")
    told += [f"{measure.name}: lower is better" for measure in measures if not measure.higher_is_better]
    note = f"{', '.join(told)}; {difference.method}, {p_value(difference.p)}"
    if one.errors is not None:
        note += f"; of errors {p_value(one.errors.difference.p)}"
    if one.before.with_judging != one.after.with_judging:
        note += ". Cost and time are not compared: those of a CSV without Answer Cost USD include judging"
    return note


def _tells_more(side: BothRuns, headline: BothRuns) -> bool:
    """A reward of 0 or 1 says what the pass rate says."""
    same = (side.before.value, side.after.value) == (headline.before.value, headline.after.value)
    return bool(side.difference.n) and not same


def _cost(side: BothRuns) -> tuple[Cell | str, ...] | None:
    """In cents where it is little, as it is for a single answer: else 80 columns would not do."""
    most = max(side.before.value or 0.0, side.after.value or 0.0)
    if most >= 0.1:
        return _amounts("$ a trial", side, 1, 3)
    return _amounts("¢ a trial", side, 100, 3 if most >= 0.0001 else 5)


def _amounts(name: str, side: BothRuns, scale: float, digits: int) -> tuple[Cell | str, ...] | None:
    """None where nothing was spent."""
    before, after = side.before.value, side.after.value
    if before == after == 0:
        return None
    told = (Number(value, digits=digits, scale=scale, unknown="unknown") for value in (before, after))
    return name, *told, Change(side.difference, digits=digits, scale=scale)


def flip_tables(one: Comparison, link: Callable[[str], str] | None = None) -> list[Part]:
    parts: list[Part] = []
    for direction, title in _titles(one).items():
        found = [flip for flip in one.flips if flip.direction == direction]
        if found:
            parts.append(_flip_table(f"{title} ({counted(len(found), 'case')})", found, one.measure, link))
    if not parts and one.paired:
        parts.append(Note(text="No case changed."))
    return parts


def _titles(one: Comparison) -> dict[str, str]:
    if one.measure.kind == "score":
        return {"worse": f"Worse {one.measure.name} in B", "better": f"Better {one.measure.name} in B"}
    if any("/" in str(flip.before) for flip in one.flips):
        return {"worse": "Passes less often in B", "better": "Passes more often in B"}
    return {"worse": "Flipped: pass → fail", "better": "Flipped: fail → pass"}


def _flip_table(title: str, flips: Sequence[Flip], measure: Measure, link: Callable[[str], str] | None) -> Table:
    shown = flips if link else flips[:_MOST_FLIPS]
    left = len(flips) - len(shown)
    return Table(
        title=title,
        columns=("Case", "A", "B", "What was said of A", "What was said of B"),
        rows=tuple(
            (
                Name(flip.case_id, link=link(flip.case_id) if link else ""),
                *(_worth(found, measure) for found in (flip.before, flip.after)),
                Prose(flip.critique_before),
                Prose(flip.critique_after),
            )
            for flip in shown
        ),
        note=f"and {left:,} more; --format html, csv or json has all" if left else "",
    )


def _worth(found: str | float, measure: Measure) -> Cell:
    if isinstance(found, str):
        return _OUTCOMES.get(found) or Words(found)
    return measured(found, measure)


def comparison_json(one: Comparison, gate: GateOutcome | None = None) -> str:
    data = {"format": FORMAT, **comparison_data(one), **group_data(one)}
    data["cost_against_quality"] = frontier_data((one.before, one.after))
    data["user_variance"] = user_data((one.before, one.after))
    return pretty({**data, "gate": gate.to_data() if gate else None})


def comparison_data(one: Comparison) -> dict[str, object]:
    return {
        "a": run_data(one.before),
        "b": run_data(one.after),
        "differs": [{"what": what, "a": a, "b": b} for what, (a, b) in one.differs],
        "warnings": list(one.warnings),
        "paired": len(one.paired),
        "only_in_a": list(one.only_before),
        "only_in_b": list(one.only_after),
        "without_verdict": list(one.unjudged),
        "measure": asdict(one.measure),
        "headline": one.headline.to_data(),
        "pass_rate": one.headline.to_data() if one.measure.kind == "pass" else None,
        "pass_hat_k": [side.to_data() for side in one.pass_hat_k],
        "measures": {measure.name: side.to_data() for measure, side in one.further.items()},
        "errors": _errors(one.errors) if one.errors else None,
        "survives_errors": one.survives_errors,
        "cost_per_trial_usd": one.cost.to_data(),
        "seconds_per_trial": one.seconds.to_data(),
        "significant": one.headline.difference.significant,
        "regression": one.regression,
        "summary": conclusion(one),
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


def _errors(found: ErrorRates) -> dict[str, object]:
    ends = {"least": found.least, "most": found.most}
    rates = {"a": found.before.to_data(), "b": found.after.to_data(), "difference": found.difference.to_data()}
    return rates | {name: end.to_data() if end else None for name, end in ends.items()}


def run_data(run: LoadedRun) -> dict[str, object]:
    return {
        "file": str(run.path),
        "suite": run.suite,
        "subject": run.subject,
        "name": run.name,
        "tags": list(run.tags),
        "prompts": run.prompts,
        "created": run.created,
        "cases": len(run.cases),
        "trials": len(run.trials),
        "errors": run.count("error"),
        "judges": list(run.judges),
    }
