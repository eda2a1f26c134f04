"""The judges of a run, side by side, where there are no labels to hold them against."""

from trialkit.pages import Amount, Cell, Count, Note, Page, Rate, Table, measured
from trialkit.stats import Figure, mean_score, pass_rate
from trialkit.vocabulary import Measure

from .align import consistency
from .loaded import LoadedRun, verdict_of


def judges_page(run: LoadedRun) -> Page:
    note = (
        "* decides. Same again: asked twice about an answer, it says the same twice."
        " Whether a judge is right only labels tell: trialkit label, then trialkit align"
    )
    columns = ("Judge", "Verdicts", run.measure.mean_name.capitalize(), "As decided", "Same again")
    rows = tuple(_row(run, name) for name in run.everyone)
    return Page(
        title=f"{run.suite}: judges of {run.path.name}",
        parts=(Table(title="Judges", columns=columns, rows=rows, note=note),)
        if rows
        else (Note(text="No judge has given a verdict."),),
    )


def _row(run: LoadedRun, judge: str) -> tuple[Cell | str, ...]:
    given = [verdict for trial in run.trials for verdict in trial.verdicts if verdict.judge == judge]
    values, same = _values(run, judge)
    measure = run.measure
    return (
        judge + (" *" if judge in run.judges else ""),
        Count(sum(verdict.outcome != "error" for verdict in given)),
        _mean(mean_score(values, measure.low, measure.high), measure),
        _rate(None if judge in run.judges else pass_rate(same)),
        _rate(consistency(run, judge)),
    )


def _values(run: LoadedRun, judge: str) -> tuple[list[list[float]], list[list[bool]]]:
    """By case what the judge says that its trials are worth, and whether that is what was decided."""
    value_of = run.measure.reader(run.measures)
    values, same = [], []
    for case in run.cases.values():
        found = [(verdict_of(trial, judge), trial.decided) for trial in case.trials]
        told = [(value_of(one), decided) for one, decided in found if one is not None]
        values.append([value for value, _ in told if value is not None])
        decided_too = [(value, value_of(decided)) for value, decided in told if decided is not None]
        same.append([value == other for value, other in decided_too if None not in {value, other}])
    return values, same


def _mean(figure: Figure, measure: Measure) -> Amount:
    return _rate(figure) if measure.kind == "pass" else measured(figure, measure, short=True)


def _rate(figure: Figure | None) -> Rate:
    return Rate(figure, short=True, digits=0)
