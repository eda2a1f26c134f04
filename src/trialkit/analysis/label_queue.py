"""Whose turn it is: the trials that were drawn to be labelled, and which of them an annotator has left."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from trialkit.runfile import BY_VERDICT, RANDOM, TrialResult

#: How trials come into the queue. One that somebody picked and labelled is nobody else's to label.
_DRAWN = {RANDOM, *BY_VERDICT, "disagree"}


@dataclass(frozen=True, kw_only=True, slots=True)
class LabelQueue:
    drawn: tuple[TrialResult, ...]
    left: tuple[TrialResult, ...]  # without a label by this annotator
    disputed: tuple[TrialResult, ...]  # on which annotators differ, and which nobody has settled


def queue_of(annotator: str, trials: Sequence[TrialResult]) -> LabelQueue:
    """In an order that has nothing to do with what is in a trial, so that what is labelled so far is a sample, too.

    It is the same for all: two people who stop halfway have labelled the same trials.
    """
    ordered = sorted(trials, key=lambda one: sha256(f"{one.case_id}/{one.number}".encode()).digest())
    drawn = tuple(trial for trial in ordered if trial.drawn in _DRAWN)
    return LabelQueue(
        drawn=drawn,
        left=tuple(trial for trial in drawn if not _labelled_by(annotator, trial)),
        disputed=tuple(filter(_disputed, ordered)),
    )


def _labelled_by(annotator: str, trial: TrialResult) -> bool:
    return any(label.annotator == annotator and not label.settles for label in trial.labels)


def _disputed(trial: TrialResult) -> bool:
    said = {(label.outcome, label.score) for label in trial.labels if label.outcome != "unsure"}
    return len(said) > 1 and not any(label.settles for label in trial.labels)
