"""A benchmark's domain with its content: tasks, tools, database and reward. tau-bench's and tau2's differ in how."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NotRequired, TypedDict

from trialkit.dialogue import RESPOND, Action, By
from trialkit.errors import InputError
from trialkit.models import Tool
from trialkit.suites import CheckedContent, Problem

from .database import Changes, Row, Tables
from .score import Score
from .tasks import REQUESTOR, EnvAssertion, Malformed, RequestedCall, Task, as_action

#: The tool of every domain that hands the user over to a person.
TRANSFER = "transfer_to_human_agents"


class ToolFunction(TypedDict):
    name: str
    description: NotRequired[str]
    parameters: Mapping[str, Any]  # JSON schema of an object


class ToolSchema(TypedDict):
    """As OpenAI's function tools are written."""

    type: NotRequired[str]
    function: ToolFunction


class TauEnvironment(ABC):
    """One trial's environment. It belongs to one trial and is not to be shared between threads."""

    __slots__ = ()

    @abstractmethod
    def call(self, name: str, arguments: Mapping[str, object], by: By = "agent") -> str:
        """The observation. Whatever the name and arguments are, it never raises."""

    @abstractmethod
    def changed(self) -> Changes:
        """Every row that differs from the pristine database, as copies."""

    def left(self) -> Changes:
        """The same, and what of the user's own world differs, where the user has one."""
        return self.changed()

    def user_state(self) -> dict[str, Row]:
        """The user's own world, whole, as a copy; empty where the user has none."""
        return {}

    def check(self, name: str, arguments: Mapping[str, object], by: By = "agent") -> bool:
        """Whether an assertion holds in a party's world; raises if that cannot be told."""
        return self.holds(EnvAssertion(env_type=REQUESTOR[by], func_name=name, arguments=arguments))

    def holds(self, assertion: EnvAssertion) -> bool:
        """Whether the environment is as asserted; raises if it cannot tell."""
        raise ValueError(f"there is no function {assertion.func_name}")


class Domain(ABC):
    """Shared, immutable, safe to use from many trials at once: callers must not mutate what it hands out."""

    name: str  # as the user writes it: `tau-bench/retail`
    policy: str
    rules: tuple[str, ...] = ()  # tau-bench has some beside its policy
    tool_schemas: Sequence[ToolSchema]  # what a model is shown, as the source has it
    user_tool_schemas: Sequence[ToolSchema] = ()  # the same for the user
    splits: tuple[str, ...]
    tables: Tables  # the pristine database
    ending_tools: frozenset[str] = frozenset()  # whoever calls one ends the conversation, whether or not it succeeds
    key_arguments: tuple[str, ...]  # what a write is about, such as `order_id`; the most telling first

    @property
    def content(self) -> str:
        """Name and version, `tau2@1.0.1`, where there are several and it is one that we know; else nothing."""
        return ""

    @property
    def user_guidelines(self) -> str:
        """tau2 has rules for the simulated user."""
        return ""

    @abstractmethod
    def listed(self, split: str) -> Sequence[Task | Malformed]:
        """All that stands in the split, in its order. InputError if there is no such split."""

    @abstractmethod
    def open(self, task: Task | None = None) -> TauEnvironment:
        """Fresh, on the pristine database or on the task's initial state. InputError if that cannot be had."""

    @abstractmethod
    def judge(self, task: Task, environment: TauEnvironment, actions: Sequence[Action]) -> Score:
        """Of a conversation: the environment was opened for the task and is as the actions left it."""

    @abstractmethod
    def check(self, task: Task) -> list[str]:
        """What is off in the task, one sentence each; empty if it is sound."""

    def same_observation(self, one: str, other: str) -> bool:
        """Whether a recorded observation says what ours does."""
        return one == other

    def tasks(self, split: str) -> tuple[Task, ...]:
        """Those that can be read. InputError if there is no such split."""
        return tuple(one for one in self.listed(split) if isinstance(one, Task))

    def problems(self, split: str) -> dict[str, list[str]]:
        """The tasks of a split in which something is off: task id → sentences."""
        checked = ((one.id, [one.why] if isinstance(one, Malformed) else self.check(one)) for one in self.listed(split))
        return {task_id: found for task_id, found in checked if found}

    def checked(self) -> CheckedContent:
        """All splits; a task that stands in several of them, as tau2's do, is told of once."""
        found: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        for split in self.splits:
            for task, sentences in self.problems(split).items():
                found.setdefault((task, tuple(sentences)), []).append(split)
        listed = (one for split in self.splits for one in self.listed(split))
        tasks = {(one.id, one.why if isinstance(one, Malformed) else one.instruction) for one in listed}
        return CheckedContent(
            tasks=len(tasks),
            splits=self.splits,
            problems=tuple(
                Problem(splits=tuple(splits), task=task, sentences=sentences)
                for (task, sentences), splits in found.items()
            ),
        )

    def score(self, task: Task, actions: Sequence[Action | RequestedCall]) -> Score:
        """Of a recorded conversation, replayed in an environment of its own up to the action that ends it."""
        environment = self.open(task)
        taken = []
        for action in map(as_action, actions):
            taken.append(action)
            if action["name"] != RESPOND:
                environment.call(action["name"], action["kwargs"], action.get("by", "agent"))
            if action["name"] in self.ending_tools:
                break
        return self.judge(task, environment, taken)

    @cached_property
    def tools(self) -> tuple[Tool, ...]:
        """The agent's, as a request has them."""
        return _tools(self.tool_schemas)

    @cached_property
    def user_tools(self) -> tuple[Tool, ...]:
        return _tools(self.user_tool_schemas)

    def _expect_split(self, split: str) -> None:
        if split not in self.splits:
            raise InputError(f"{self.name} has no split {split!r}; it has {', '.join(self.splits) or 'none'}")


def _tools(schemas: Sequence[ToolSchema]) -> tuple[Tool, ...]:
    functions = [schema["function"] for schema in schemas]
    return tuple(
        Tool(name=one["name"], description=one.get("description", ""), parameters=one["parameters"])
        for one in functions
    )
