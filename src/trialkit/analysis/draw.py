"""Draws the trials that people should label."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Literal

from trialkit.errors import InputError
from trialkit.runfile import BY_VERDICT, RANDOM, RecordedTrial, RunFile, TrialResult
from trialkit.vocabulary import Outcome

Sampling = Literal["random", "passed", "failed", "disagree"]
_OUTCOMES: Mapping[str, Outcome] = dict(zip(BY_VERDICT, ("pass", "fail"), strict=True))


@dataclass(frozen=True, kw_only=True, slots=True)
class Draw:
    trials: tuple[tuple[RecordedTrial, str], ...]  # with how it was drawn
    eligible: int


def draw_trials(
    run: RunFile, sample: int, where: Sampling = "random", seed: int | None = None, *, per_stratum: bool = False
) -> Draw:
    """`random`: every answered trial has the same chance, but for those of an earlier random sample. A trial that was
    labelled when hunting is drawn with its label: to leave such trials out would bend the sample.

    `passed`, `failed`: likewise among those that the judge that decides passed or failed. `disagree`: only trials on
    which judges contradict each other or themselves; good for hunting, bad for rates. With `per_stratum` so many of the
    judge's passes and as many of its fails.
    """
    results = {trial.id: trial for trial in run.results()}
    if (per_stratum or where in BY_VERDICT) and run.info().measures[0].kind != "pass":
        raise InputError(f"{run.path}: its trials are scored, they neither pass nor fail; draw at random from all")
    answered = [row for row in run.trials() if row.ended and row.output is not None]
    eligible = [row for row in answered if _may_be_drawn(results[row.id], where)]
    if per_stratum:
        strata = {how: [row for row in eligible if row.outcome == outcome] for how, outcome in _OUTCOMES.items()}
    else:
        strata = {where: eligible}
    if not any(strata.values()):
        none_left = "the judges agree on all that is unlabelled"
        if where != "disagree":
            of_them = "that have an answer" if where == RANDOM else f"that the judge {where}"
            none_left = f"all {of_them} have labels, or are drawn already"
        raise InputError(f"{run.path}: there is nothing to draw: {none_left}")
    random = Random(seed)  # noqa: S311 - a sample, not a secret
    drawn = [
        (row, where if where == "disagree" else how)
        for how, stratum in strata.items()
        for row in random.sample(stratum, min(sample, len(stratum)))
    ]
    return Draw(trials=tuple(drawn), eligible=sum(map(len, strata.values())))


def _may_be_drawn(trial: TrialResult, where: Sampling) -> bool:
    fresh = not trial.labels and not trial.drawn
    if where == "disagree":
        return fresh and _disputed(trial)
    fits = where == RANDOM or trial.outcome == _OUTCOMES[where]
    return fits and (fresh or trial.hunted)


def _disputed(trial: TrialResult) -> bool:
    verdicts = [verdict for verdict in trial.verdicts if verdict.outcome != "error"]
    return len({verdict.score if verdict.outcome == "scored" else verdict.outcome for verdict in verdicts}) > 1
