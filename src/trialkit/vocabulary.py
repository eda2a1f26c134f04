"""The words that every part of the house shares: case, measure, finding, verdict, usage."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from typing import Any, Literal, Protocol

#: `scored`: a verdict that is a number alone, neither a pass nor a fail. `error`: no verdict could be had.
Outcome = Literal["pass", "fail", "scored", "error"]
#: Among the versions that a run tells of: name and version of what its cases are made of, where there are several,
#: `NAME@VERSION`. Runs of unlike ones are never held against each other.
CONTENT = "content"
#: No number that is worth counting is larger, and means and variances of larger ones would be beyond any.
LARGEST = 1e100


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """One scenario or task, with its ground truth, as JSON data that the suite understands."""

    id: str
    title: str
    group: str  # what the report breaks the figures down by
    data: Mapping[str, Any]
    identity: str = ""  # a hash of what is asked and of what is true; empty: the suite tells it from the data
    skipped: str = ""  # why it has no trials; empty: it has some
    tags: tuple[str, ...] = ()  # what else comparisons break the figures down by; a case may have several


class Judged(Protocol):
    """What a measure looks at in a verdict."""

    @property
    def outcome(self) -> Outcome: ...

    @property
    def score(self) -> float | None: ...

    @property
    def scores(self) -> Mapping[str, float]: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Measure:
    """What a trial is worth: whether it passed, or a score."""

    name: str
    kind: Literal["pass", "score"] = "score"
    low: float | None = None  # the range of a score; None: there is no end on that side
    high: float | None = None
    higher_is_better: bool = True
    unit: str = ""

    def __post_init__(self) -> None:
        if not all(abs(end) <= LARGEST for end in (self.low, self.high) if end is not None):
            raise ValueError(
                f"the measure {self.name} has an end that is no number, or beyond {LARGEST:g}; leave out an end that"
                " there is not"
            )
        if self.low is not None and self.high is not None and self.low >= self.high:
            raise ValueError(f"the measure {self.name} ranges from {self.low:g} to {self.high:g}")

    def __str__(self) -> str:
        """`quality (1 to 5)`, `latency (from 0, s, lower is better)`, `pass or fail`."""
        if self.kind == "pass":
            return "pass or fail"
        low, high = (None if end is None else f"{end:g}" for end in (self.low, self.high))
        told = [f"{low} to {high}" if low and high else f"from {low}" if low else f"up to {high}" if high else ""]
        told += [self.unit, "" if self.higher_is_better else "lower is better"]
        return f"{self.name} ({', '.join(filter(None, told)) or 'any number'})"

    def holds(self, value: float) -> bool:
        """Whether it is a number that can be counted with, and in the range."""
        least, most = (-inf if self.low is None else self.low), (inf if self.high is None else self.high)
        return abs(value) <= LARGEST and least <= value <= most

    @property
    def mean_name(self) -> str:
        """What a mean of it is called."""
        return "pass rate" if self.kind == "pass" else f"average {self.name}"

    @property
    def span(self) -> float:
        """From the worst to the best; of a score without an end it is endless."""
        return inf if self.low is None or self.high is None else self.high - self.low

    def is_gain(self, change: float) -> bool:
        """Whether a change by so much is one for the better."""
        return change > 0 if self.higher_is_better else change < 0

    def reader(self, measures: Sequence["Measure"]) -> Callable[[Judged], float | None]:
        """Reads the trial's worth from a verdict; None: it does not tell. `measures` are all of the suite's."""
        if self.kind == "pass":
            return _passed
        scores = [measure.name for measure in measures if measure.kind == "score"]
        return partial(_score, self.name, scores[:1] == [self.name])


def _passed(verdict: Judged) -> float | None:
    return float(verdict.outcome == "pass") if verdict.outcome in {"pass", "fail"} else None


def _score(name: str, is_first: bool, verdict: Judged) -> float | None:
    if verdict.outcome == "error":
        return None
    return verdict.scores.get(name, verdict.score if is_first else None)


PASS = Measure(name="pass", kind="pass", low=0.0, high=1.0)
_ANY = Measure(name="score")  # of a verdict that has one, though the suite has no measure of it


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgeInUse:
    """Who decides the trials of a run. `name` is what verdicts are signed with."""

    name: str
    kind: str  # rules, model, environment, recorded …
    model: str = ""
    prompt: str = ""  # its version
    prompt_hash: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Usage:
    """Tokens as a provider counted them. `input_tokens` is all of the input, cached parts included."""

    input_tokens: int
    output_tokens: int
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    reasoning_tokens: int = 0  # of the output, those that the model thought with; 0: none, or nobody says

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cache_read_tokens=self.cache_read_tokens + other.cache_read_tokens,
            cache_write_tokens=self.cache_write_tokens + other.cache_write_tokens,
            reasoning_tokens=self.reasoning_tokens + other.reasoning_tokens,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One check of a judge. `met` is None where the judge could not decide it."""

    check: str
    met: bool | None
    evidence: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """What a judge decided. `error` means that no verdict could be had; it is never a fail."""

    judge: str = ""  # empty: the one judge that a small suite has
    outcome: Outcome
    critique: str
    findings: tuple[Finding, ...] = ()
    score: float | None = None  # of the suite's first measure that is a score
    scores: Mapping[str, float] = field(default_factory=dict)  # of its further ones, by name
    details: Mapping[str, Any] = field(default_factory=dict)  # JSON data: whatever else a report may want to count


def checked(verdicts: Sequence[Verdict], measures: Sequence[Measure]) -> list[Verdict]:
    """As they count: a verdict that does not fit what the suite measures is an `error`."""
    found = []
    for place, verdict in enumerate(verdicts):
        wrong = "" if verdict.outcome == "error" else _misfit(verdict, measures, decides=not place)
        if wrong or verdict.outcome == "error":
            critique = f"{wrong}. It said: {verdict.critique}" if wrong else verdict.critique
            verdict = replace(verdict, outcome="error", critique=critique, score=None, scores={})  # noqa: PLW2901
        found.append(verdict)
    return found


def _misfit(verdict: Verdict, measures: Sequence[Measure], *, decides: bool) -> str:
    """What is wrong; empty: nothing."""
    scores = [measure for measure in measures if measure.kind == "score"]
    unknown = verdict.scores.keys() - {measure.name for measure in scores}
    if unknown:
        return f"the suite has no measure called {', '.join(sorted(unknown))}"
    for measure in scores or [_ANY]:
        value = measure.reader([*measures, measure])(verdict)
        if value is not None and not measure.holds(value):
            return f"the score {value:g} is none of {measure}"
    if decides and measures[0].reader(measures)(verdict) is None:
        return f"the verdict is {verdict.outcome}, but the suite is measured by {measures[0]}"
    return ""
