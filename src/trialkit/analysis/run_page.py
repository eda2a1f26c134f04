"""A run as a page: a table of its cases or trials, the figures, and the suite's own tables."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import fsum

from trialkit.pages import (
    Cell,
    Chart,
    Count,
    Facts,
    Money,
    Name,
    Note,
    Number,
    OutcomeCell,
    Page,
    Part,
    Passed,
    Prose,
    Table,
    fact,
    measured,
)
from trialkit.runfile import RecordedTrial, RunFile
from trialkit.stats import known_sum
from trialkit.suites import shown_without
from trialkit.text.shown import counted
from trialkit.vocabulary import Measure

from .charts import Link, charts
from .floor import floor_table
from .run_facts import figures, made_with, result
from .show import origin_told, trial_parts
from .steady import variance_tables
from .summary import CaseSummary, Summary, judges_disagree
from .user_faults import user_table

#: More rows than this are no table but a flood: then only those that did worst are shown, up to as many.
_MOST_ROWS = 25
_LINES = 2  # of a critique in a terminal


def digest_page(summary: Summary, *, drawn: bool = False) -> Page:
    """For a terminal, or, `drawn`, for a notebook: of a long run only what did not pass."""
    parts = [*top(summary), *(charts(summary) if drawn else ()), *own_tables(summary)]
    if summary.counts.open == summary.counts.total:
        pass  # a column of `not run` tells nothing: the figures say why
    elif _tells_trials(summary) and (summary.counts.total <= _MOST_ROWS or not _several(summary)):
        parts += _digest(summary, _each_trial(summary), "trial")
    else:
        parts += _digest(summary, summary.cases, "case")
    return _page(summary, parts)


def whole_page(summary: Summary, file: str) -> Page:
    """For Markdown: a row for each case, since what is pasted into a pull request must not be endless."""
    parts = [*top(summary), Facts(rows=tuple(made_with(summary, file))), *own_tables(summary)]
    return _page(summary, [*parts, _table("Cases", summary, summary.cases)])


def report_page(summary: Summary, run: RunFile) -> Page:
    """For a page of HTML: pictures, and each trial step by step, which is read only when it is written."""
    parts = [*top(summary), *charts(summary, _anchor), *own_tables(summary)]
    if _several(summary):
        parts.append(_table("Cases", summary, summary.cases))
    title = "Trials" if _several(summary) else "Cases"
    parts.append(_table(title, summary, _each_trial(summary), link=_anchor))
    parts.append(Facts(rows=tuple(made_with(summary, run.path.name))))
    folded = (
        (_name(trial), partial(trial_parts, run, one.case, trial))
        for one in summary.cases
        for trial in one.trials
        if trial.ended or trial.started
    )
    return replace(_page(summary, parts), folded=folded)


def _name(trial: RecordedTrial) -> str:
    return f"trial-{trial.id}"


def _anchor(trial: RecordedTrial) -> str:
    return f"#{_name(trial)}" if trial.ended or trial.started else ""


def _page(summary: Summary, parts: Sequence[Part]) -> Page:
    info = summary.info
    return Page(
        title=f"{info.suite}: {info.called(summary.prompts)} ({info.created[:16].replace('T', ' ')} UTC)",
        parts=tuple(parts),
        again=Facts(rows=tuple(result(summary))[:1]),
    )


def top(summary: Summary) -> list[Part]:
    """What it comes to, and what is wrong with that; then all other figures that are but one line."""
    first, doubts, others = tuple(result(summary)), [*evidence(summary)], tuple(figures(summary))
    return [Facts(rows=first), *doubts, Facts(rows=others)] if doubts else [Facts(rows=(*first, *others))]


def evidence(summary: Summary) -> Iterator[Note]:
    """A repeated run costs nothing, and tells nothing that the first has not told."""
    if why := shown_without(summary.info):
        yield Note(text=f"Shown without what its suite would add, whose code was not run: {why}.")
    origins = {origin_told(trial, trial.origin): None for one in summary.cases for trial in one.trials if trial.origin}
    if origins:
        more = f" and {len(origins) - 1} other steps" if len(origins) > 1 else ""
        yield Note(text=f"NO WHOLE TRIALS: they go on from {next(iter(origins))}{more}.", loud=True)
    if summary.stored:
        ended = summary.counts.total - summary.counts.open
        every = summary.stored == ended
        told, of = ("NO", f"all {ended:,}") if every else ("NOT ALL IS", f"{summary.stored:,} of {ended:,}")
        yield Note(
            text=f"{told} NEW EVIDENCE: the answers of {of} trials are stored replies of an earlier run."
            " Ask the model again with --no-cache.",
            loud=True,
        )


def own_tables(summary: Summary) -> Iterator[Table | Chart]:
    """What the suite tells, and what it left out; which cases tell most."""
    if summary.skipped:
        yield Table(
            title=f"Skipped: {counted(len(summary.skipped), 'case')}",
            columns=("Case", "Why"),
            rows=tuple((Name(name), why) for name, why in summary.skipped.items()),
            note="Skipped cases count in no figure.",
        )
    if floor := floor_table(summary):
        yield floor
    yield from summary.details.tables
    if (user := summary.user) is not None:
        yield from user_table(user, summary.headline.measure)
    yield from variance_tables(summary)


def _several(summary: Summary) -> bool:
    return any(len(one.trials) > 1 for one in summary.cases)


def _tells_trials(summary: Summary) -> bool:
    """Whether there is more to a trial than its outcome."""
    return bool(summary.facts or _scores(summary))


def _scores(summary: Summary) -> list[Measure]:
    return [mean.measure for mean in summary.means if mean.measure.kind == "score" and mean.figure.n]


def _each_trial(summary: Summary) -> list[CaseSummary]:
    return [replace(one, trials=(trial,)) for one in summary.cases for trial in one.trials]


def _digest(summary: Summary, every: Sequence[CaseSummary], what: str) -> Iterator[Part]:
    shown, why = every, ""
    if len(every) > _MOST_ROWS:
        shown, why = _worst(summary, every)
    of = f"{len(every):,} {what}s"
    if not shown:
        yield Note(text=f"all {of} passed")
        return
    note = f"{len(shown)} of {of} shown: {why}" if len(shown) < len(every) else ""
    yield replace(_table(f"{what.capitalize()}s", summary, shown), note=note)


def _worst(summary: Summary, every: Sequence[CaseSummary]) -> tuple[Sequence[CaseSummary], str]:
    measure = summary.headline.measure
    if measure.kind == "pass":
        kept = [one for one in every if one.count("pass") < len(one.trials)]
        return sorted(kept, key=_passed)[:_MOST_ROWS], "those that did not pass, the worst first"
    return sorted(every, key=lambda one: _badness(summary, one, measure))[:_MOST_ROWS], "the worst"


def _passed(one: CaseSummary) -> float:
    return sum(one.verdicts) / len(one.verdicts) if one.verdicts else 0.0


def _badness(summary: Summary, one: CaseSummary, measure: Measure) -> tuple[bool, float]:
    """What has no score first, then the worst."""
    worth = _worth(summary, one, measure)
    return worth is not None, (1 if measure.higher_is_better else -1) * (worth or 0.0)


def _worth(summary: Summary, one: CaseSummary, measure: Measure) -> float | None:
    values = one.values(measure, summary.info.measures)
    return fsum(values) / len(values) if values else None


def _table(title: str, summary: Summary, shown: Sequence[CaseSummary], link: Link = lambda _: "") -> Table:
    """A row for each case, or for each trial, with its `link`, if each of `shown` has no more than that one."""
    several = any(len(one.trials) > 1 for one in shown)
    numbered = not several and _several(summary)
    grouped = len(summary.headline.groups) > 1
    scores = [] if several and summary.headline.measure.kind == "pass" else _scores(summary)
    facts = [] if several else _fact_names(summary, shown, {measure.name for measure in scores})
    costs = any(trial.cost for one in shown for trial in one.trials)
    columns = (
        "Case",
        *(["Type"] if grouped else []),
        *(["Trial"] if numbered else []),
        _counted_by(summary).capitalize() if several else "Outcome",
        *(_heading(measure.name) + (f" ({measure.unit})" if measure.unit else "") for measure in scores),
        *map(_heading, facts),
        *(["Cost a trial" if several else "Cost"] if costs else []),
        "Critique",
    )
    rows = tuple(
        (
            Name(one.case.id, link="" if several else link(one.trials[0])),
            *([Name(one.case.group, "dim", most=16)] if grouped else []),
            *([Count(one.trials[0].number)] if numbered else []),
            _share(one, _counted_by(summary)) if several else _outcome(summary, one.trials[0]),
            *(_score(_worth(summary, one, measure), measure, several=several) for measure in scores),
            *(fact(_told(summary, one).get(name)) for name in facts),
            *([_cost(one)] if costs else []),
            Prose(_critique(summary, one) if several else _said(summary, one.trials[0]), lines=_LINES),
        )
        for one in shown
    )
    return Table(title=title, columns=columns, rows=rows)


def _cost(one: CaseSummary) -> Money:
    """Of a trial; of several their mean."""
    costs = [trial.cost for trial in one.trials if trial.ended is not None]
    total = known_sum(costs)
    return Money(None if total is None or not costs else total / len(costs))


def _score(worth: float | None, measure: Measure, *, several: bool) -> Cell:
    """The unit stands above."""
    return measured(worth, replace(measure, unit=""), short=True) if several else Number(worth, digits=None)


def _told(summary: Summary, one: CaseSummary) -> Mapping[str, object]:
    return summary.facts.get(one.trials[0].id, {})


def _heading(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _fact_names(summary: Summary, shown: Sequence[CaseSummary], but: set[str]) -> list[str]:
    """Of what fits a cell, in the order in which the suite gives it; without what no row has."""
    every = (pair for one in shown for pair in _told(summary, one).items())
    named = dict.fromkeys(name for name, value in every if not isinstance(value, dict | list | None))
    return [name for name in named if name not in but]


def _counted_by(summary: Summary) -> str:
    """What a case's trials are counted by: where none can pass, those that have a score."""
    counts = summary.counts
    return "scored" if counts.scored and not counts.passed + counts.failed else "passed"


def _share(one: CaseSummary, counted_by: str) -> Passed:
    if counted_by == "scored":
        return Passed(passed=one.count("scored"), judged=one.count("scored"), errors=one.count("error"))
    return Passed(passed=one.count("pass"), judged=len(one.verdicts), errors=one.count("error"))


def _outcome(summary: Summary, trial: RecordedTrial) -> OutcomeCell:
    otherwise = "not judged" if trial.ended else "not run"
    return OutcomeCell(trial.outcome, otherwise=otherwise, disputed=summary.rivals and judges_disagree(trial))


def _critique(summary: Summary, one: CaseSummary) -> str:
    """Of the trial that tells most: the first that did not pass, the one with the worst score."""
    measure = summary.headline.measure
    ended = [trial for trial in one.trials if trial.ended]
    if measure.kind == "score":
        ended.sort(key=lambda trial: _badness(summary, replace(one, trials=(trial,)), measure))
    telling = next((trial for trial in ended if trial.outcome != "pass" or measure.kind == "score"), None)
    return "" if telling is None else f"trial {telling.number}: {_said(summary, telling)}"


def _said(summary: Summary, trial: RecordedTrial) -> str:
    said = trial.decided.critique if trial.decided else trial.error or ""
    if summary.rivals and judges_disagree(trial):
        others = [v for v in trial.verdicts if trial.decided and v.judge != trial.decided.judge]
        said += "".join(f" ≠ {verdict.judge} says {verdict.outcome}: {verdict.critique}" for verdict in others)
    return said
