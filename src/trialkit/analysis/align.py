"""Judges held against people."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from trialkit.runfile import ShortVerdict, TrialResult
from trialkit.stats import (
    Confusion,
    Figure,
    LabelledTrial,
    LabelsNeeded,
    agreement,
    cohens_kappa,
    confusion,
    corrected_rate,
    krippendorff_alpha,
    labels_needed,
    pass_rate,
    self_agreement,
    true_fail_rate,
    true_pass_rate,
)
from trialkit.vocabulary import Outcome

from .loaded import LoadedRun, verdict_of

#: A corrected rate is called known when its interval is this wide to each side.
HALF_WIDTH = 0.1
#: With fewer labelled passes or fails than this, TPR or TNR is hardly more than an anecdote.
FEWEST = 10
RANDOM = "random"


@dataclass(frozen=True, kw_only=True, slots=True)
class Agreement:
    confusion: Confusion
    agreement: Figure
    tpr: Figure
    tnr: Figure
    kappa: Figure


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
class JudgeAlignment:
    """Its fields, and those of its parts, are called as in `align --format json`."""

    judge: str
    decides: bool
    overall: Agreement
    groups: Mapping[str, Agreement]
    pass_rate: Figure  # of all its verdicts, labelled or not
    corrected_pass_rate: Figure
    labels_needed: LabelsNeeded | None
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
    tied: tuple[str, ...]  # trials on which the annotators are split evenly: nobody's side is taken
    not_random: int  # labelled trials that were not drawn at random: shown, but in no rate
    judges: tuple[JudgeAlignment, ...]  # the best first


def align_run(run: LoadedRun) -> Alignment:
    labelled = [trial for trial in run.trials if trial.labels]
    people = [(trial, outcome) for trial in labelled if (outcome := _majority(trial)) is not None]
    counts = Counter(label.annotator for trial in labelled for label in trial.labels)
    judges = [_judge(run, name, people) for name in run.everyone]
    return Alignment(
        run=run,
        labelled=len(labelled),
        annotators=dict(sorted(counts.items())),
        krippendorff_alpha=krippendorff_alpha([[_votes(one) for one in case.trials] for case in run.cases.values()]),
        tied=tuple(f"{trial.case_id} trial {trial.number}" for trial in labelled if _majority(trial) is None),
        not_random=sum(not _at_random(trial) for trial, _ in people),
        judges=tuple(sorted(judges, key=_rank, reverse=True)),
    )


def _votes(trial: TrialResult) -> tuple[int, int]:
    passed = sum(label.outcome == "pass" for label in trial.labels)
    return passed, len(trial.labels) - passed


def _majority(trial: TrialResult) -> Literal["pass", "fail"] | None:
    passed, failed = _votes(trial)
    if passed == failed:
        return None
    return "pass" if passed > failed else "fail"


def _at_random(trial: TrialResult) -> bool:
    return trial.drawn in {"", RANDOM}


def _judge(run: LoadedRun, judge: str, people: Sequence[tuple[TrialResult, Literal["pass", "fail"]]]) -> JudgeAlignment:
    newest, scored = _newest(run, judge)
    both = [(trial, human, newest[id(trial)]) for trial, human in people if id(trial) in newest]
    pairs: defaultdict[str, list[LabelledTrial]] = defaultdict(list)
    for trial, human, verdict in both:
        if _at_random(trial):
            pairs[trial.case_id].append((human == "pass", verdict.outcome == "pass"))
    groups: defaultdict[str, list[list[LabelledTrial]]] = defaultdict(list)
    for case_id, of_case in pairs.items():
        groups[run.cases[case_id].group].append(of_case)
    judged = [
        (
            [newest[id(trial)].outcome == "pass" for trial in case.trials if id(trial) in newest],
            pairs.get(case.id, []),
        )
        for case in run.cases.values()
    ]
    return JudgeAlignment(
        judge=judge,
        decides=judge in run.judges,
        overall=_agreement(list(pairs.values())),
        groups={group: _agreement(found) for group, found in sorted(groups.items()) if len(groups) > 1},
        pass_rate=pass_rate([verdicts for verdicts, _ in judged]),
        corrected_pass_rate=corrected_rate(judged),
        labels_needed=labels_needed(judged, HALF_WIDTH),
        without_verdict=sum(id(trial) not in newest and id(trial) not in scored for trial, _ in people),
        scored=sum(id(trial) in scored for trial, _ in people),
        self_agreement=consistency(run, judge),
        disagreements=tuple(_disagreement(*one) for one in both if one[1] != one[2].outcome),
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


def _agreement(cases: Sequence[Sequence[LabelledTrial]]) -> Agreement:
    return Agreement(
        confusion=confusion([pair for one in cases for pair in one]),
        agreement=agreement(cases),
        tpr=true_pass_rate(cases),
        tnr=true_fail_rate(cases),
        kappa=cohens_kappa(cases),
    )


def _disagreement(trial: TrialResult, human: Outcome, verdict: ShortVerdict) -> Disagreement:
    critiques = [label.critique for label in trial.labels if label.outcome == human and label.critique.strip()]
    return Disagreement(
        case=trial.case_id,
        trial=trial.number,
        people=human,
        judge=verdict.outcome,
        critique_people=" / ".join(critiques),
        critique_judge=verdict.critique,
        random=_at_random(trial),
    )


def _rank(one: JudgeAlignment) -> tuple[float, float]:
    """By kappa, then by plain agreement; a judge without labels comes last."""
    kappa, plain = one.overall.kappa.value, one.overall.agreement.value
    return (kappa if kappa is not None else -2.0 if plain is None else -1.0, plain or 0.0)
