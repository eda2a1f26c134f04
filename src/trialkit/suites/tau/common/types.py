"""What a tau domain, its tasks and its sessions are to the rest of trialkit; tau-bench and tau2 both fit it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from trialkit.dialogue import Action, Environment
from trialkit.suites.tau.common.database import Row, Tables


@dataclass(frozen=True, kw_only=True, slots=True)
class Task:
    """One case: what the user wants, and the ground truth that says when it was done."""

    id: str
    split: str
    instruction: str
    actions: tuple[Action, ...]
    #: Strings that the agent has to say.
    outputs: tuple[str, ...]
    #: None where the benchmark does not name the user apart from the instruction.
    user_id: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Malformed:
    """What stands in a split where a task belongs, and why it is none."""

    id: str
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RowDifference:
    """A row that is not as the ground truth leaves it; None stands for a row that does not exist."""

    table: str
    key: str
    expected: Row | None
    found: Row | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Why:
    """The evidence for a score; empty where nothing was off."""

    rows: tuple[RowDifference, ...] = ()
    missing_outputs: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Score:
    """What a finished conversation earned. A part is None where the task does not ask for it."""

    reward: float
    r_actions: float | None
    r_outputs: float | None
    why: Why


class Session(Environment, Protocol):
    """One trial's environment. It belongs to one trial and is not to be shared between threads."""

    def changed(self) -> dict[str, dict[str, Row]]:
        """Every row that differs from the pristine database, as copies: table → key → row."""


T = TypeVar("T", bound=Task)
S = TypeVar("S", bound=Session)


class Domain(Protocol[T, S]):
    """A benchmark's domain: shared, immutable, safe to use from many trials at once."""

    @property
    def name(self) -> str:
        """As the user writes it: `tau-bench/retail`."""

    @property
    def policy(self) -> str: ...

    @property
    def rules(self) -> Sequence[str]: ...

    @property
    def tool_schemas(self) -> Sequence[Mapping[str, Any]]:
        """What a model is shown, in the form of OpenAI's function tools, as the source has it."""

    @property
    def splits(self) -> Sequence[str]: ...

    @property
    def tables(self) -> Tables:
        """The pristine database."""

    @property
    def terminating(self) -> frozenset[str]:
        """The tools that end the conversation, whether or not the call succeeds."""

    def listed(self, split: str) -> Sequence[T | Malformed]:
        """All that stands in the split, in its order. InputError if there is no such split."""

    def tasks(self, split: str) -> Sequence[T]:
        """Those that can be read. InputError if there is no such split."""

    def open(self) -> S:
        """A fresh session on the pristine database."""

    def score(self, task: T, actions: Sequence[Action]) -> Score:
        """Of a recorded conversation: its actions are replayed in a session of their own."""

    def judge(self, task: T, session: S, actions: Sequence[Action]) -> Score:
        """Of a live one: `session` is as the conversation left it, so nothing is replayed."""

    def check(self, task: T) -> list[str]:
        """What is off in the task, one sentence each; empty if it is sound."""

    def problems(self, split: str) -> dict[str, list[str]]:
        """The tasks of a split in which something is off: task id → sentences."""
