"""What is read from a run file, as values."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from trialkit.vocabulary import CONTENT, JudgeInUse, Measure, Outcome, Verdict

from .records import BY_VERDICT, GOES_ON_FROM, RANDOM, CallSource, Label, Mark, Origin, Prompt, Remark, State


@dataclass(frozen=True, kw_only=True, slots=True)
class RunInfo:
    suite: str
    subject: str
    created: str
    settings: Mapping[str, Any]
    versions: Mapping[str, str]
    measures: tuple[Measure, ...]  # the first is the headline
    judges: tuple[JudgeInUse, ...]
    state: State
    reason: str
    wall_s: float
    definition: Mapping[str, Any] | None = None  # of a suite that is installed nowhere: what it is made of

    def __post_init__(self) -> None:
        if not self.measures:
            raise ValueError("it has no measure")

    @property
    def whole(self) -> bool:
        """Whether its trials begin at their beginning: else they measure no subject."""
        return GOES_ON_FROM not in self.versions

    @property
    def name(self) -> str:
        """What its user called it; empty: nothing."""
        return str(self.settings.get("name") or "")

    @property
    def tags(self) -> tuple[str, ...]:
        return tuple(map(str, self.settings.get("tags") or ()))

    def called(self, prompts: Iterable[Prompt]) -> str:
        """`gentler · openai/gpt-5 · analyzer v2 · branch=main`: a judge's prompt is told with the judge.

        A text that came with the suite's content, under the suite's name, is no choice that tells runs apart.
        """
        judging = {judge.prompt_hash for judge in self.judges}
        own = [prompt for prompt in prompts if prompt.hash not in judging and prompt.version != self.suite]
        versions = [f"{prompt.role} {prompt.version}" for prompt in own]
        return " · ".join(filter(None, (self.name, self.subject, self.versions.get(CONTENT), *versions, *self.tags)))


@dataclass(frozen=True, kw_only=True, slots=True)
class Counts:
    """Of the trials of a run: those that are `open` have not ended; each of the others has one outcome, or none."""

    total: int
    open: int
    passed: int
    failed: int
    scored: int
    errors: int
    unjudged: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Spending:
    """What the calls of one role took, per source. `cost` is None where a price is unknown."""

    role: str
    model: str
    source: CallSource
    calls: int
    input_tokens: int | None
    output_tokens: int | None
    cost: float | None
    latency_s: float


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedTrial:
    """A trial with all that the file holds of it, but for its transcript and its calls."""

    id: int
    case_id: str
    number: int
    started: str | None
    ended: str | None
    elapsed_s: float | None
    given: bool  # its answer came with the golden data
    output: Mapping[str, Any] | None
    error_kind: str | None
    error: str | None
    decided: Verdict | None
    verdicts: tuple[Verdict, ...]  # the newest of each judge
    origin: Origin | None = None  # it goes on from there; None: it is whole
    labels: tuple[Label, ...] = ()
    marks: tuple[Mark, ...] = ()
    remarks: tuple[Remark, ...] = ()
    spending: tuple[Spending, ...] = ()
    later: tuple[Spending, ...] = ()  # about the trial, when it had ended: no part of what the run cost

    @property
    def outcome(self) -> Outcome | None:
        """None: not ended yet, or nobody judged it."""
        if self.decided is not None:
            return self.decided.outcome
        return "error" if self.error is not None else None

    @property
    def label(self) -> Label | None:
        """The one that stands for all, where one must."""
        return leading(self.labels)

    @property
    def hopeless(self) -> bool:
        """It came without an answer, and none is to be asked for: trying again would change nothing."""
        return self.given and self.output is None

    @property
    def cost(self) -> float | None:
        return _sum(self.spending)

    def cost_of(self, role: str) -> float | None:
        return _sum(part for part in self.spending if part.role == role)


def leading(labels: Iterable[Label]) -> Label | None:
    """The one that settles it, else the first that says something, else the first."""
    return min(labels, key=lambda label: (not label.settles, label.outcome == "unsure"), default=None)


def _sum(spending: Iterable[Spending]) -> float | None:
    """None: some price is unknown."""
    costs = [part.cost for part in spending]
    return None if None in costs else sum(cost for cost in costs if cost is not None)


class ShortVerdict(NamedTuple):
    """A verdict without its findings. `later`: a judge gave it after the trial's end."""

    judge: str
    outcome: Outcome
    critique: str
    score: float | None = None
    scores: Mapping[str, float] = {}
    later: bool = False


class TrialResult(NamedTuple):
    """What came of a trial, without its answer and transcript: what comparing takes, quick to read and to make."""

    id: int
    case_id: str
    number: int
    ended: bool
    error: str | None
    decided: ShortVerdict | None
    #: by every judge, the oldest first; a judge that was asked several times stands there as often
    verdicts: tuple[ShortVerdict, ...]
    labels: tuple[Label, ...]
    drawn: str  # how it came to be labelled: random, passed, failed, or the hunt that picked it; empty: nobody noted it
    cost: float | None  # of the answer, without judging; None: unknown
    seconds: float | None  # likewise; None: some of it came from stored replies
    stored: bool = False  # every reply of its attempt was a stored one, of an earlier run

    @property
    def hunted(self) -> bool:
        """Somebody looked for it to be labelled: what people say of such trials tells nothing of others."""
        return self.drawn not in {"", RANDOM, *BY_VERDICT}

    @property
    def outcome(self) -> Outcome | None:
        """None: not ended yet, or nobody judged it."""
        if self.decided is not None:
            return self.decided.outcome
        return "error" if self.error is not None else None
