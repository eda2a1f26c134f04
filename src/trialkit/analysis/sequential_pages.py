"""What is known of two runs at any time, as a page and as JSON."""

from dataclasses import asdict

from trialkit.pages import Note, Page, Table, changed, measured
from trialkit.stats import Figure
from trialkit.text.json import pretty

from .compare import Comparison
from .compare_pages import flip_tables, gate_notes, run_data, set_up
from .sequential import Standing

FORMAT = "trialkit-sequential/1"


def sequential_page(one: Comparison, found: Standing, *, gated: bool) -> Page:
    told = Note(text=found.sentence, strong=True)
    parts = [told, *gate_notes(found.gate if gated else None), *set_up(one), decision_table(one, found)]
    parts += flip_tables(one)
    return Page(title=f"{one.before.suite}: A against B, at any time", parts=tuple(parts), again=told)


def decision_table(one: Comparison, found: Standing) -> Table:
    means = (measured(_alone(side), one.measure, short=True) for side in (one.headline.before, one.headline.after))
    note = f"of 95% however often it is looked at; {found.change.method}, {found.size}"
    if one.measure.kind == "pass":
        note = f"in points, {note}"
    return Table(
        title="However often it is looked at",
        columns=("", "A", "B", "B − A"),  # noqa: RUF001 - a minus sign
        rows=((one.measure.mean_name, *means, changed(found.change, one.measure)),),
        note=f"The interval is {note}",
    )


def _alone(figure: Figure) -> float | None:
    """Their own intervals are of one look only."""
    return figure.value


def sequential_json(one: Comparison, found: Standing, *, gated: bool) -> str:
    change = {name: getattr(found.change, name) for name in ("value", "low", "high", "n")}
    return pretty(
        {
            "format": FORMAT,
            "a": run_data(one.before),
            "b": run_data(one.after),
            "differs": [{"what": what, "a": a, "b": b} for what, (a, b) in one.differs],
            "warnings": list(one.warnings),
            "measure": asdict(one.measure),
            "margin": found.margin,
            "outcome": found.outcome,
            "but_for_errors": found.but_for_errors,
            "change": change,
            "pairs": found.pairs,
            "cases": found.cases,
            "trials_per_case": found.trials,
            "summary": found.sentence,
            "gate": found.gate.to_data() if gated else None,
        }
    )
