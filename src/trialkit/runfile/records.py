"""What a run file holds, as values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from trialkit.models import Reply
from trialkit.vocabulary import PASS, JudgeInUse, Measure, Outcome, Verdict

CallSource = Literal["live", "cache"]
Phase = Literal["attempt", "judge", "after"]  # of a trial; after its end it may be looked at again
State = Literal["running", "done", "stopped"]
#: How a trial was drawn to be labelled: at random among all, or among those that the judge that decides passed or
#: failed. Any other word: somebody looked for it; empty: nobody noted it.
RANDOM = "random"
BY_VERDICT = ("passed", "failed")


#: Among the versions of a run whose trials go on from another's: which step of which.
GOES_ON_FROM = "goes on from"


@dataclass(frozen=True, kw_only=True, slots=True)
class Prompt:
    role: str
    version: str
    hash: str
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelInUse:
    """Who plays a role. `key` is what request keys are made with; nothing here is secret."""

    role: str
    name: str
    endpoint: str
    key: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Label:
    """A person's verdict on a trial."""

    annotator: str
    outcome: Literal["pass", "fail", "scored", "unsure"]
    critique: str
    score: float | None = None  # where trials are scored
    settles: bool = False  # it ends a disagreement between annotators, whom its annotator has heard


@dataclass(frozen=True, kw_only=True, slots=True)
class Mark:
    """What a person found in a trial, such as `hallucinated`."""

    annotator: str
    kind: str  # a word of the annotators' own
    critique: str = ""
    step: int = 0  # of the transcript, from 1; 0: the whole trial


@dataclass(frozen=True, kw_only=True, slots=True)
class Remark:
    """Something found out about a trial after its end, such as whose fault a failure was."""

    kind: str
    author: str
    data: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Event:
    kind: str
    data: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class CallRecord:
    """One model call as it ended: with a reply, or with an error. An answer that is no reply is paid for as well."""

    trial_id: int
    phase: Phase
    role: str
    model: str
    request_key: str
    nth: int
    source: CallSource
    reply: Reply | None
    error_kind: str | None
    error: str | None
    attempts: int
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None  # US dollars; None: unknown, or nothing was counted
    latency_s: float
    left_out: str = ""  # parameters of the request that the model does not take, with commas
    void: bool = False  # paid for, but it led to nothing and was asked for anew

    @property
    def answered(self) -> bool:
        """Whether there is something to pay for: after a time-out too, for the server may have gone on."""
        return self.reply is not None or self.input_tokens is not None or self.error_kind == "timeout"


@dataclass(frozen=True, kw_only=True, slots=True)
class TrialRecord:
    """A trial as it ended. The first verdict is the one that decides."""

    output: Mapping[str, Any] | None
    verdicts: tuple[Verdict, ...]
    events: tuple[Event, ...] = ()
    error_kind: str | None = None
    error: str | None = None
    started: str
    elapsed_s: float

    @property
    def outcome(self) -> Outcome | None:
        """None: nobody judged it."""
        if self.verdicts:
            return self.verdicts[0].outcome
        return "error" if self.error is not None else None


@dataclass(frozen=True, kw_only=True, slots=True)
class Header:
    suite: str
    subject: str
    settings: Mapping[str, Any]
    versions: Mapping[str, str]
    prompts: tuple[Prompt, ...]
    models: tuple[ModelInUse, ...]
    measures: tuple[Measure, ...] = (PASS,)  # the first is the headline
    judges: tuple[JudgeInUse, ...] = ()
    definition: Mapping[str, Any] | None = None  # of a suite that is installed nowhere: what it is made of


@dataclass(frozen=True, kw_only=True, slots=True)
class Origin:
    """Where a trial goes on from: the moment before a step of a trial of the same case, in another run."""

    run: str  # the name of its file …
    created: str  # … and when that was begun, for files are renamed
    number: int
    step: int  # as `show` counts them
    replies: int  # that had come by then


@dataclass(frozen=True, kw_only=True, slots=True)
class PlannedTrial:
    """A trial before it runs. It may bring an answer along, and even its end, from an earlier run."""

    case_id: str
    number: int
    output: Mapping[str, Any] | None = None
    label: Label | None = None
    ended: TrialRecord | None = None
    origin: Origin | None = None
    calls: tuple[CallRecord, ...] = ()  # that it begins with; `trial_id` is not known yet
