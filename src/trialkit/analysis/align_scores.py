"""Judges held against people where trials are scored, as data and as parts of a page."""

import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from trialkit.pages import Change, Count, Name, Note, Number, Part, Prose, Table, measured
from trialkit.runfile import TrialResult
from trialkit.stats import Figure, mean_score, score_figures
from trialkit.text.shown import counted
from trialkit.vocabulary import Measure

from .loaded import LoadedRun, verdict_of

#: Where a trial of a case is shown.
CaseLink = Callable[[str, int], str]
_MOST = 20
#: With fewer labels a judge's figures are hardly more than an anecdote.
FEWEST = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class ScoreDisagreement:
    case: str
    trial: int
    people: float
    judge: float
    critique_people: str
    critique_judge: str
    random: bool  # else somebody looked for it, so it is in no figure


@dataclass(frozen=True, kw_only=True, slots=True)
class ScoreAlignment:
    """Its fields are called as in `align --format json`."""

    judge: str
    decides: bool
    labels: int  # labelled trials that it scored
    difference: Figure  # how much higher its scores are than people's
    correlation: Figure
    mean: Figure  # of all its scores, labelled or not
    corrected_mean: Figure
    without_verdict: int  # labelled trials that it gave no score
    disagreements: tuple[ScoreDisagreement, ...]  # the largest first


def score_alignments(run: LoadedRun) -> tuple[ScoreAlignment, ...]:
    """The one that goes closest together with people first."""
    found = [_judge(run, name) for name in run.everyone]
    return tuple(sorted(found, key=lambda one: one.correlation.value or -1.0, reverse=True))


def people_score(trial: TrialResult) -> float | None:
    """That of who settled it, else the annotators' mean."""
    said = [label for label in trial.labels if label.score is not None]
    scores = [one.score for one in [one for one in said if one.settles] or said if one.score is not None]
    return sum(scores) / len(scores) if scores else None


def _judge(run: LoadedRun, judge: str) -> ScoreAlignment:
    measure, value_of = run.measure, run.measure.reader(run.measures)
    cases, apart = [], []
    for case in run.cases.values():
        scored = [(one, verdict, value_of(verdict)) for one in case.trials if (verdict := verdict_of(one, judge))]
        told = [(trial, verdict, value) for trial, verdict, value in scored if value is not None]
        cases.append([(value, None if one.hunted else people_score(one)) for one, _, value in told])
        for trial, verdict, value in told:
            people = people_score(trial)
            if people is not None and people != value:
                apart.append(
                    ScoreDisagreement(
                        case=trial.case_id,
                        trial=trial.number,
                        people=people,
                        judge=value,
                        critique_people=" / ".join(one.critique for one in trial.labels if one.critique.strip()),
                        critique_judge=verdict.critique,
                        random=not trial.hunted,
                    )
                )
    figures = score_figures(cases, measure.low, measure.high)
    labelled = sum(people is not None for case in cases for _, people in case)
    seen = sum(people_score(trial) is not None for trial in run.trials if not trial.hunted)
    return ScoreAlignment(
        judge=judge,
        decides=judge in run.judges,
        labels=labelled,
        difference=figures.difference,
        correlation=figures.correlation,
        mean=mean_score([[value for value, _ in case] for case in cases], measure.low, measure.high),
        corrected_mean=figures.corrected_mean,
        without_verdict=seen - labelled,
        disagreements=tuple(sorted(apart, key=lambda one: -abs(one.people - one.judge))),
    )


def score_parts(run: LoadedRun, judges: tuple[ScoreAlignment, ...], link: CaseLink) -> Iterator[Part]:
    measure = run.measure
    yield Table(
        title=f"Judges against people, by {measure}",
        columns=("Judge", "Labels", "Off by", "Correlation", "Its mean", "Corrected mean"),
        rows=tuple(
            (
                one.judge + (" *" if one.decides else ""),
                Count(one.labels),
                Change(one.difference, digits=2),
                Number(one.correlation, digits=2),
                measured(one.mean, measure, short=True),
                measured(one.corrected_mean, measure, short=True),
            )
            for one in judges
        ),
        note="* decides. Off by: how much higher its scores are than people's. Corrected: the mean that"
        " people would have given to the whole run. 95% intervals",
    )
    few = max((one.labels for one in judges), default=0)
    if few < FEWEST:
        draw = shlex.join(["trialkit", "label", str(run.path), "--sample", str(FEWEST - few)])
        yield Note(text=f"{counted(few, 'label')} are few: draw more at random, `{draw}`.")
    for one in judges:
        if one.without_verdict:
            yield Note(text=f"{one.judge} gave {counted(one.without_verdict, 'labelled trial')} no score.")
        if one.disagreements:
            yield _disagreements(one, measure, link)


def _disagreements(one: ScoreAlignment, measure: Measure, link: CaseLink) -> Table:
    left = len(one.disagreements) - _MOST
    return Table(
        title=f"{one.judge}: where it differs from people ({len(one.disagreements)})",
        columns=("Case", "Trial", "People", "Judge", "What people said", "What the judge said"),
        rows=tuple(
            (
                Name(row.case, link=link(row.case, row.trial)),
                Count(row.trial),
                measured(row.people, measure, short=True),
                measured(row.judge, measure, short=True),
                Prose(row.critique_people),
                Prose(row.critique_judge),
            )
            for row in one.disagreements[:_MOST]
        ),
        note=f"and {left:,} more; --format json has all" if left > 0 else "",
    )
