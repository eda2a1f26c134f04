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
    case_id: str
    trial: int
    human: Outcome
    judge: Outcome
    critique_human: str
    critique_judge: str
    at_random: bool  # else somebody looked for it, so it is in no rate


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgeAlignment:
    judge: str
    decides: bool
    overall: Agreement
    groups: Mapping[str, Agreement]
    raw_rate: Figure  # of all its verdicts, labelled or not
    corrected: Figure
    needed: LabelsNeeded | None
    no_verdict: int  # labelled trials on which it has none …
    scored: int  # … and on which it has a score, which no label can be held against
    consistency: Figure  # how often it says the same again, where it was asked several times
    disagreements: tuple[Disagreement, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Alignment:
    run: LoadedRun
    labelled: int  # trials with a label
    annotators: Mapping[str, int]  # name → labels
    alpha: Figure  # between annotators
    tied: tuple[str, ...]  # trials on which the annotators are split evenly: nobody's side is taken
    not_random: int  # labelled trials that were not drawn at random: shown, but in no rate
    judges: tuple[JudgeAlignment, ...]  # the best first


def align_run(run: LoadedRun) -> Alignment:
    labelled = [trial for trial in run.trials if trial.labels]
    human = {id(trial): outcome for trial in labelled if (outcome := _majority(trial)) is not None}
    untied = [trial for trial in labelled if id(trial) in human]
    counts = Counter(label.annotator for trial in labelled for label in trial.labels)
    names = dict.fromkeys(verdict.judge for trial in run.trials for verdict in trial.verdicts)
    judges = [_judge(run, name, untied, human) for name in names]
    return Alignment(
        run=run,
        labelled=len(labelled),
        annotators=dict(sorted(counts.items())),
        alpha=krippendorff_alpha([[_votes(trial) for trial in case.trials] for case in run.cases.values()]),
        tied=tuple(f"{trial.case_id} trial {trial.number}" for trial in labelled if id(trial) not in human),
        not_random=sum(not _at_random(trial) for trial in untied),
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


def _judge(
    run: LoadedRun, judge: str, labelled: Sequence[TrialResult], human: Mapping[int, Literal["pass", "fail"]]
) -> JudgeAlignment:
    newest, scored = _newest(run, judge)
    both = [trial for trial in labelled if id(trial) in newest]
    drawn = [trial for trial in both if _at_random(trial)]
    groups: defaultdict[str, list[TrialResult]] = defaultdict(list)
    for trial in drawn:
        groups[run.cases[trial.case_id].group].append(trial)
    pairs = _by_case(drawn, human, newest)
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
        groups={
            group: _agreement(list(_by_case(found, human, newest).values()))
            for group, found in sorted(groups.items())
            if len(groups) > 1
        },
        raw_rate=pass_rate([verdicts for verdicts, _ in judged]),
        corrected=corrected_rate(judged),
        needed=labels_needed(judged, HALF_WIDTH),
        no_verdict=sum(id(trial) not in newest and id(trial) not in scored for trial in labelled),
        scored=sum(id(trial) in scored for trial in labelled),
        consistency=self_agreement([[votes_of(judge, trial) for trial in case.trials] for case in run.cases.values()]),
        disagreements=tuple(
            _disagreement(trial, human[id(trial)], newest[id(trial)])
            for trial in both
            if human[id(trial)] != newest[id(trial)].outcome
        ),
    )


def _newest(run: LoadedRun, judge: str) -> tuple[dict[int, ShortVerdict], set[int]]:
    """By trial the judge's newest pass or fail; and the trials to which it gave a score alone."""
    found = {id(trial): verdict for trial in run.trials if (verdict := verdict_of(trial, judge)) is not None}
    scored = {trial for trial, verdict in found.items() if verdict.outcome == "scored"}
    return {trial: verdict for trial, verdict in found.items() if trial not in scored}, scored


def votes_of(judge: str, trial: TrialResult) -> tuple[int, int]:
    """How often the judge passed a trial, and how often it failed it."""
    outcomes = [verdict.outcome for verdict in trial.verdicts if verdict.judge == judge]
    return outcomes.count("pass"), outcomes.count("fail")


def _by_case(
    trials: Sequence[TrialResult], human: Mapping[int, str], newest: Mapping[int, ShortVerdict]
) -> dict[str, list[LabelledTrial]]:
    pairs: defaultdict[str, list[LabelledTrial]] = defaultdict(list)
    for trial in trials:
        pairs[trial.case_id].append((human[id(trial)] == "pass", newest[id(trial)].outcome == "pass"))
    return pairs


def _agreement(cases: Sequence[Sequence[LabelledTrial]]) -> Agreement:
    return Agreement(
        confusion=confusion([pair for one in cases for pair in one]),
        agreement=agreement(cases),
        tpr=true_pass_rate(cases),
        tnr=true_fail_rate(cases),
        kappa=cohens_kappa(cases),
    )


def _disagreement(trial: TrialResult, human: Literal["pass", "fail"], verdict: ShortVerdict) -> Disagreement:
    critiques = [label.critique for label in trial.labels if label.outcome == human and label.critique.strip()]
    return Disagreement(
        case_id=trial.case_id,
        trial=trial.number,
        human=human,
        judge=verdict.outcome,
        critique_human=" / ".join(critiques),
        critique_judge=verdict.critique,
        at_random=_at_random(trial),
    )


def _rank(one: JudgeAlignment) -> tuple[float, float]:
    """By kappa, then by plain agreement; a judge without labels comes last."""
    kappa, plain = one.overall.kappa.value, one.overall.agreement.value
    return (kappa if kappa is not None else -2.0 if plain is None else -1.0, plain or 0.0)
