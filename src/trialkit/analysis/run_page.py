"""A run as a page: a table of its cases or trials, the figures, and the suite's own tables."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import fsum

from trialkit.pages import (
    Cell,
    Count,
    Facts,
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
from trialkit.runfile import RecordedTrial
from trialkit.text.shown import counted
from trialkit.vocabulary import Measure

from .run_facts import figures, made_with
from .steady import variance_tables
from .summary import CaseSummary, Summary, judges_disagree

#: More rows than this are no table but a flood: then only those that did worst are shown, up to as many.
_MOST_ROWS = 50
_LINES = 2  # of a critique in a terminal


def digest_page(summary: Summary) -> Page:
    """For a terminal: of a long run only what did not pass."""
    parts: list[Part] = []
    if summary.counts.open == summary.counts.total:
        pass  # a column of `not run` tells nothing: the figures say why
    elif _tells_trials(summary) and (summary.counts.total <= _MOST_ROWS or not _several(summary)):
        parts += _digest(summary, _each_trial(summary), "trial")
    else:
        parts += _digest(summary, summary.cases, "case")
    return _page(summary, [*parts, Facts(rows=tuple(figures(summary))), *_own_tables(summary)])


def whole_page(summary: Summary, file: str, *, each_trial: bool = True) -> Page:
    """For a file: what the run was, its figures, and every case; every trial too, where a case has several."""
    parts: list[Part] = [Facts(rows=(*figures(summary), *made_with(summary, file))), *_own_tables(summary)]
    if _several(summary) or not _tells_trials(summary):
        parts.append(_table("Cases", summary, summary.cases))
    if _tells_trials(summary) and (each_trial or not _several(summary)):
        parts.append(_table("Trials", summary, _each_trial(summary)))
    return _page(summary, parts)


def _page(summary: Summary, parts: Sequence[Part]) -> Page:
    info = summary.info
    return Page(
        title=f"{info.suite}: {info.subject} ({info.created[:16].replace('T', ' ')} UTC)",
        parts=tuple(parts),
    )


def _own_tables(summary: Summary) -> Iterator[Table]:
    """What the suite tells, and what it left out; which cases tell most."""
    if summary.skipped:
        yield Table(
            title=f"Skipped: {counted(len(summary.skipped), 'case')}",
            columns=("Case", "Why"),
            rows=tuple((Name(name), why) for name, why in summary.skipped.items()),
            note="Skipped cases count in no figure.",
        )
    yield from summary.details.tables
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
    yield replace(_table("", summary, shown), note=note)


def _worst(summary: Summary, every: Sequence[CaseSummary]) -> tuple[Sequence[CaseSummary], str]:
    measure = summary.headline.measure
    if measure.kind == "pass":
        return [one for one in every if one.count("pass") < len(one.trials)][:_MOST_ROWS], "those that did not pass"
    return sorted(every, key=lambda one: _badness(summary, one, measure))[:_MOST_ROWS], "the worst"


def _badness(summary: Summary, one: CaseSummary, measure: Measure) -> tuple[bool, float]:
    """What has no score first, then the worst."""
    worth = _worth(summary, one, measure)
    return worth is not None, (1 if measure.higher_is_better else -1) * (worth or 0.0)


def _worth(summary: Summary, one: CaseSummary, measure: Measure) -> float | None:
    values = one.values(measure, summary.info.measures)
    return fsum(values) / len(values) if values else None


def _table(title: str, summary: Summary, shown: Sequence[CaseSummary]) -> Table:
    """A row for each case, or for each trial if each of `shown` has no more than that one."""
    several = any(len(one.trials) > 1 for one in shown)
    numbered = not several and _several(summary)
    grouped = len(summary.headline.groups) > 1
    scores = [] if several and summary.headline.measure.kind == "pass" else _scores(summary)
    facts = [] if several else _fact_names(summary, shown, {measure.name for measure in scores})
    columns = (
        "Case",
        *(["Type"] if grouped else []),
        *(["Trial"] if numbered else []),
        _counted_by(summary).capitalize() if several else "Outcome",
        *(_heading(measure.name) + (f" ({measure.unit})" if measure.unit else "") for measure in scores),
        *map(_heading, facts),
        "Critique",
    )
    rows = tuple(
        (
            Name(one.case.id),
            *([Name(one.case.group, "dim", most=16)] if grouped else []),
            *([Count(one.trials[0].number)] if numbered else []),
            _share(one, _counted_by(summary)) if several else _outcome(one.trials[0]),
            *(_score(_worth(summary, one, measure), measure, several=several) for measure in scores),
            *(fact(_told(summary, one).get(name)) for name in facts),
            Prose(_critique(summary, one) if several else _said(one.trials[0]), lines=_LINES),
        )
        for one in shown
    )
    return Table(title=title, columns=columns, rows=rows)


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


def _outcome(trial: RecordedTrial) -> OutcomeCell:
    otherwise = "not judged" if trial.ended else "not run"
    return OutcomeCell(trial.outcome, otherwise=otherwise, disputed=judges_disagree(trial))


def _critique(summary: Summary, one: CaseSummary) -> str:
    """Of the trial that tells most: the first that did not pass, the one with the worst score."""
    measure = summary.headline.measure
    ended = [trial for trial in one.trials if trial.ended]
    if measure.kind == "score":
        ended.sort(key=lambda trial: _badness(summary, replace(one, trials=(trial,)), measure))
    telling = next((trial for trial in ended if trial.outcome != "pass" or measure.kind == "score"), None)
    return "" if telling is None else f"trial {telling.number}: {_said(telling)}"


def _said(trial: RecordedTrial) -> str:
    said = trial.decided.critique if trial.decided else trial.error or ""
    if judges_disagree(trial):
        others = [v for v in trial.verdicts if trial.decided and v.judge != trial.decided.judge]
        said += "".join(f" ≠ {verdict.judge} says {verdict.outcome}: {verdict.critique}" for verdict in others)
    return said
