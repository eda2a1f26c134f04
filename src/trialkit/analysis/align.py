"""Judges held against people."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from trialkit.runfile import BY_VERDICT, ShortVerdict, TrialResult
from trialkit.stats import (
    Figure,
    JudgedTrial,
    JudgeFigures,
    LabelsNeeded,
    judge_figures,
    krippendorff_alpha,
    labels_needed,
    pass_rate,
    self_agreement,
)
from trialkit.vocabulary import Outcome

from .align_scores import ScoreAlignment, people_score, score_alignments
from .loaded import LoadedRun, verdict_of

#: A corrected rate is called known when its interval is this wide to each side.
HALF_WIDTH = 0.1
#: With fewer labels on what a judge passed, or failed, each of its rates is hardly more than an anecdote.
FEWEST = 10
#: How labels were drawn of which nobody noted it.
UNNOTED = "unnoted"
_SPLIT = 0.5  # as many annotators pass it as fail it


@dataclass(frozen=True, kw_only=True, slots=True)
class Disagreement:
    case: str
    trial: int
    people: Outcome
    judge: Outcome
    critique_people: str
    critique_judge: str
    random: bool  # else somebody looked for it, so it is in no rate


@dataclass(frozen=True, kw_only=True, slots=True)
class Unlabelled:
    """Trials of which none has a label: what people make of them nobody knows."""

    verdict: Outcome  # the judge's
    decided: Outcome | None  # what the judge that decides says of them; None: it goes without saying
    trials: int


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgeAlignment:
    """Its fields, and those of its parts, are called as in `align --format json`."""

    judge: str
    decides: bool
    overall: JudgeFigures
    groups: Mapping[str, JudgeFigures]
    pass_rate: Figure  # of all its verdicts, labelled or not
    trials: Mapping[str, int]  # how many it passed and failed
    labels_needed: LabelsNeeded | None
    unlabelled: tuple[Unlabelled, ...]
    without_verdict: int  # labelled trials on which it has none …
    scored: int  # … and on which it has a score, which no label can be held against
    self_agreement: Figure  # how often it says the same again, where it was asked several times
    disagreements: tuple[Disagreement, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Alignment:
    run: LoadedRun
    labelled: int  # trials with a label
    annotators: Mapping[str, int]  # name → labels
    krippendorff_alpha: Figure  # between annotators
    tied: tuple[str, ...]  # trials on which the annotators are split evenly: they count half and half
    unsure: int  # trials of which those who have seen them say no more than that
    drawn: Mapping[str, int]  # how labelled trials were drawn
    not_random: int  # of these, those that somebody looked for: shown, but in no rate
    judges: tuple[JudgeAlignment, ...]  # the best first; …
    scores: tuple[ScoreAlignment, ...] = ()  # … where trials are scored, these instead


def align_run(run: LoadedRun) -> Alignment:
    scored = run.measure.kind == "score"
    people = people_score if scored else _people
    labelled = [trial for trial in run.trials if people(trial) is not None]
    counts = Counter(label.annotator for trial in labelled for label in trial.labels)
    judges = [] if scored else [_judge(run, name, labelled) for name in run.everyone]
    votes = [[] if scored else list(map(_votes, case.trials)) for case in run.cases.values()]
    return Alignment(
        run=run,
        labelled=len(labelled),
        annotators=dict(sorted(counts.items())),
        krippendorff_alpha=krippendorff_alpha(votes),
        tied=tuple(f"{one.case_id} trial {one.number}" for one in labelled if not scored and _people(one) == _SPLIT),
        unsure=sum(bool(one.labels) and all(said.outcome == "unsure" for said in one.labels) for one in run.trials),
        drawn=dict(Counter(trial.drawn or UNNOTED for trial in labelled)),
        not_random=sum(trial.hunted for trial in labelled),
        judges=tuple(sorted(judges, key=_rank, reverse=True)),
        scores=score_alignments(run) if scored and labelled else (),
    )


def _votes(trial: TrialResult) -> tuple[int, int]:
    """Of those who judged for themselves."""
    said = [label.outcome for label in trial.labels if not label.settles]
    return said.count("pass"), said.count("fail")


def _people(trial: TrialResult) -> float | None:
    """1: they pass it, 0: they fail it, by who settled it or by most; None: nobody says either."""
    settled = next((label for label in trial.labels if label.settles), None)
    passed, failed = _votes(trial) if settled is None else (settled.outcome == "pass", settled.outcome == "fail")
    return None if not passed and not failed else _SPLIT if passed == failed else int(passed > failed)


def _judge(run: LoadedRun, judge: str, labelled: Sequence[TrialResult]) -> JudgeAlignment:
    newest, scored = _newest(run, judge)
    # drawn by the verdict that decides, labels are at random only among those that share it; also where nobody has
    # labelled them yet, for the others were drawn without them
    by_verdict = any(trial.drawn in BY_VERDICT for trial in run.trials) or any(not one.drawn for one in labelled)

    def seen(trial: TrialResult) -> JudgedTrial:
        decided = trial.decided.outcome if by_verdict and trial.decided else ""
        people = None if trial.hunted else _people(trial)
        return JudgedTrial(newest[id(trial)].outcome == "pass", people, decided)

    judged = {case.id: [seen(one) for one in case.trials if id(one) in newest] for case in run.cases.values()}
    groups: defaultdict[str, list[list[JudgedTrial]]] = defaultdict(list)
    for case_id, of_case in judged.items():
        groups[run.cases[case_id].group].append(of_case)
    told = {name: judge_figures(found) for name, found in sorted(groups.items()) if len(groups) > 1}
    cases = list(judged.values())
    return JudgeAlignment(
        judge=judge,
        decides=judge in run.judges,
        overall=judge_figures(cases),
        groups={name: figures for name, figures in told.items() if figures.confusion.n},
        pass_rate=pass_rate([[trial.judge for trial in of_case] for of_case in cases]),
        trials={
            how: sum(trial.judge is passed for of_case in cases for trial in of_case)
            for how, passed in zip(BY_VERDICT, (True, False), strict=True)
        },
        labels_needed=labels_needed(cases, HALF_WIDTH),
        unlabelled=_unlabelled(cases, judge in run.judges),
        without_verdict=sum(id(trial) not in newest and id(trial) not in scored for trial in labelled),
        scored=sum(id(trial) in scored for trial in labelled),
        self_agreement=consistency(run, judge),
        disagreements=_disagreements([trial for trial in labelled if id(trial) in newest], newest),
    )


def _unlabelled(cases: Sequence[Sequence[JudgedTrial]], decides: bool) -> tuple[Unlabelled, ...]:
    kinds: defaultdict[tuple[str, bool], list[JudgedTrial]] = defaultdict(list)
    for case in cases:
        for trial in case:
            kinds[trial.stratum, trial.judge].append(trial)
    found: list[tuple[str, Outcome, int]] = [
        (stratum, "pass" if passed else "fail", len(trials))
        for (stratum, passed), trials in sorted(kinds.items())
        if all(trial.human is None for trial in trials)
    ]
    return tuple(
        Unlabelled(
            verdict=verdict,
            # of the one that decides it goes without saying, unless it was asked again and says otherwise now
            decided=None if not stratum or (decides and stratum == verdict) else cast("Outcome", stratum),
            trials=trials,
        )
        for stratum, verdict, trials in found
    )


def _newest(run: LoadedRun, judge: str) -> tuple[dict[int, ShortVerdict], set[int]]:
    """By trial the judge's newest pass or fail; and the trials to which it gave a score alone."""
    found = {id(trial): verdict for trial in run.trials if (verdict := verdict_of(trial, judge)) is not None}
    scored = {trial for trial, verdict in found.items() if verdict.outcome == "scored"}
    return {trial: verdict for trial, verdict in found.items() if trial not in scored}, scored


def consistency(run: LoadedRun, judge: str) -> Figure:
    """How often it says the same again."""

    def votes(trial: TrialResult) -> tuple[int, int]:
        outcomes = [verdict.outcome for verdict in trial.verdicts if verdict.judge == judge]
        return outcomes.count("pass"), outcomes.count("fail")

    return self_agreement([list(map(votes, case.trials)) for case in run.cases.values()])


def _disagreements(trials: Sequence[TrialResult], newest: Mapping[int, ShortVerdict]) -> tuple[Disagreement, ...]:
    told: list[tuple[TrialResult, Outcome]] = [
        (trial, "pass" if people else "fail") for trial in trials if (people := _people(trial)) in {0, 1}
    ]
    return tuple(
        Disagreement(
            case=trial.case_id,
            trial=trial.number,
            people=people,
            judge=newest[id(trial)].outcome,
            critique_people=" / ".join(
                one.critique for one in trial.labels if one.outcome == people and one.critique.strip()
            ),
            critique_judge=newest[id(trial)].critique,
            random=not trial.hunted,
        )
        for trial, people in told
        if newest[id(trial)].outcome != people
    )


def _rank(one: JudgeAlignment) -> tuple[float, float]:
    """By kappa, then by plain agreement; a judge without labels comes last."""
    kappa, plain = one.overall.kappa.value, one.overall.agreement.value
    return (kappa if kappa is not None else -2.0 if plain is None else -1.0, plain or 0.0)
