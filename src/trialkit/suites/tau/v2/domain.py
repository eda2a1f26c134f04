"""A tau2 domain: content, tools and evaluation over one immutable database."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trialkit.dialogue import RESPOND, Action
from trialkit.errors import InputError
from trialkit.suites.tau.common.database import Tables
from trialkit.suites.tau.common.types import Malformed
from trialkit.suites.tau.v2 import scoring
from trialkit.suites.tau.v2.reading import text_of
from trialkit.suites.tau.v2.rows import RowTypes
from trialkit.suites.tau.v2.schemas import read_tools
from trialkit.suites.tau.v2.scoring import Tau2Score, Truth
from trialkit.suites.tau.v2.session import Environment, Tau2Session
from trialkit.suites.tau.v2.source import Source
from trialkit.suites.tau.v2.tasks import Tau2Task, read_tasks
from trialkit.suites.tau.v2.toolkit import Toolkit, tool_names

#: Tools that only later versions of tau2 than the wheel have.
_LATER = frozenset({"get_item_details"})


class Tau2Domain:
    """tau2/retail or tau2/airline. Everything it hands out is shared: callers must not mutate it."""

    #: tau2 adds no rules to the policy, and no tool of its ends the conversation: the user does, or the agent.
    rules: tuple[str, ...] = ()
    terminating: frozenset[str] = frozenset()

    def __init__(self, name: str, source: Source, rows: RowTypes, toolkit: type[Toolkit]) -> None:
        self.name = name
        self.policy = text_of(source.policy)
        self._source = source
        self._schemas = read_tools(source.code / "tools.py", source.code / "data_model.py")
        if strange := sorted(self._schemas.keys() - tool_names(toolkit)):
            raise self._other_tools(f"describes {', '.join(strange)}, which trialkit's {name} does not have")
        # Without a tool the ground truth would do nothing, and so would every agent that does as little as it.
        if missing := sorted(tool_names(toolkit) - self._schemas.keys() - _LATER):
            raise self._other_tools(f"does not describe {', '.join(missing)}, which trialkit's {name} has")
        self._listed = read_tasks(source.data)
        self._environment = Environment(
            tables=rows.read(source.database), rows=rows, toolkit=toolkit, offered=frozenset(self._schemas)
        )
        self._truths: dict[str, Truth] = {}

    def _other_tools(self, what: str) -> InputError:
        return InputError(
            f"{self._source.code / 'tools.py'}: {what}; use the content that `trialkit data fetch tau2` brings"
        )

    @property
    def tool_schemas(self) -> Sequence[Mapping[str, Any]]:
        return tuple(schema.function for schema in self._schemas.values())

    @property
    def tables(self) -> Tables:
        return self._environment.tables

    @property
    def user_guidelines(self) -> str:
        """tau2's own rules for the simulated user."""
        return text_of(self._source.user_guidelines)

    @property
    def splits(self) -> tuple[str, ...]:
        return tuple(self._listed)

    def listed(self, split: str) -> tuple[Tau2Task | Malformed, ...]:
        if split not in self._listed:
            raise InputError(f"{self.name} has no split {split!r}; it has {', '.join(self.splits)}")
        return self._listed[split]

    def tasks(self, split: str) -> tuple[Tau2Task, ...]:
        """Those that can be read."""
        return tuple(task for task in self.listed(split) if isinstance(task, Tau2Task))

    def open(self, task: Tau2Task | None = None) -> Tau2Session:
        """A session on the pristine database, or on a task's initial state. InputError if that cannot be had."""
        session = Tau2Session(self._environment)
        if task is not None and task.initial_state is not None and (found := list(session.begin(task.initial_state))):
            raise InputError(f"{self.name}, task {task.id}: {'; '.join(found)}")
        return session

    def score(self, task: Tau2Task, actions: Sequence[Action]) -> Tau2Score:
        """Of a recorded conversation: its actions are replayed in a session of their own."""
        session = self.open(task)
        for action in actions:
            if action["name"] != RESPOND:
                session.call(action["name"], action["kwargs"])
        return self.judge(task, session, actions)

    def judge(self, task: Tau2Task, session: Tau2Session, actions: Sequence[Action]) -> Tau2Score:
        """Of a live one: `session` was opened for the task and is as the conversation left it."""
        return scoring.judge(task, self._truth(task), self.tables, session, actions)

    def check(self, task: Tau2Task) -> list[str]:
        """What is off in the task, one sentence each; empty if it is sound."""
        return list(self._complaints(task))

    def problems(self, split: str) -> dict[str, list[str]]:
        """The tasks of a split in which something is off: task id → sentences."""
        checked = ((one.id, [one.why] if isinstance(one, Malformed) else self.check(one)) for one in self.listed(split))
        return {task_id: found for task_id, found in checked if found}

    def _complaints(self, task: Tau2Task) -> Iterator[str]:
        if not task.instruction.strip():
            yield "there is no instruction"
        for action in task.gold:
            schema = self._schemas.get(action.name)
            if schema is None:
                yield f"action {action.action_id} calls {action.name}, which is not a tool"
                continue
            yield from (f"action {action.action_id}, {action.name}: {c}" for c in schema.complaints(action.arguments))
        for wanted in task.outputs:
            if "," in wanted:
                yield f"the agent cannot be found to say {wanted!r}, because commas are taken out of what it says"
        try:
            session = self.open(task)
        except InputError as error:
            yield str(error)
            return
        yield from self._truth(task).problems
        yield from self.judge(task, session, ()).why.undecided

    def _truth(self, task: Tau2Task) -> Truth:
        """Replayed once per task and kept; two threads that come at once do the same work twice, which is harmless."""
        kept = self._truths.get(task.id)
        # The same task of another split has the same parts; one that a caller made has others.
        if kept and kept.task.criteria is task.criteria and kept.task.initial_state is task.initial_state:
            return kept
        session = self.open(task)
        problems = []
        for action in task.gold:
            if action.requestor != "assistant":
                problems.append(f"action {action.action_id}, {action.name}, is the user's, who has no tools here")
                continue
            observation = session.attempt(action.name, action.arguments)
            if observation.failed:
                problems.append(f"action {action.action_id}, {action.name}, answers {observation.text!r}")
        truth = self._truths[task.id] = Truth(task=task, changes=session.changed(), problems=tuple(problems))
        return truth
