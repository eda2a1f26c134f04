"""A tau2 domain: content, tools and evaluation over one immutable database."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from trialkit.dialogue import Action
from trialkit.errors import InputError
from trialkit.suites.tau.common.domain import Domain, TauEnvironment
from trialkit.suites.tau.common.score import Score, Truth
from trialkit.suites.tau.common.tasks import BY, Malformed, Task
from trialkit.text.files import read_file
from trialkit.text.json import Json, JsonObject

from . import scoring
from .environment import Kit, Tau2Environment, World, json_or_text
from .rows import Rows
from .schemas import read_tools
from .source import Files, text_of, value_of
from .suite import Tau2Suite
from .tasks import TaskList
from .toolkit import USER, Toolkit, tool_names

_TASKS = "tasks.json"
#: Tools that only later versions of tau2 than the wheel have.
_LATER = frozenset({"get_item_details"})


class Tau2Domain(Domain):
    def __init__(self, suite: Tau2Suite, files: Files) -> None:
        self.name = suite.name
        self.key_arguments = suite.key_arguments
        self.policy = files.policy(suite.policy_parts)
        self._files = files
        self._suite = suite
        rows = Rows(files.code / "data_model.py")
        tables = rows.read(files.database)
        kits = {BY["assistant"]: self._kit("tools.py", "data_model.py", rows, suite.toolkit, suite.backstage)}
        if suite.user_toolkit is not None:
            model = "data_model.py"
            if files.user_database.is_file():
                model = "user_data_model.py"
                rows = Rows(files.code / model)
                tables[USER] = rows.read_single(files.user_database)
            kits[BY["user"]] = self._kit("user_tools.py", model, rows, suite.user_toolkit, suite.user_backstage)
            self.user_tool_schemas = tuple(tool.schema for tool in kits[BY["user"]].tools.values())
        self.tool_schemas = tuple(tool.schema for tool in kits[BY["assistant"]].tools.values())
        self._tasks = TaskList(files.data)
        self.splits = self._tasks.splits
        self.tables = tables
        self._world = World(tables=tables, kits=kits)
        self._truths: dict[str, Truth] = {}

    def _kit(self, file: str, models: str, rows: Rows, toolkit: type[Toolkit], backstage: type[Toolkit] | None) -> Kit:
        """The tools as the source describes them; those that we have and no others."""
        described = read_tools(self._files.code / file, self._files.code / models)
        if strange := sorted(described.keys() - tool_names(toolkit)):
            raise self._other_tools(file, f"describes {', '.join(strange)}, which trialkit's {self.name} does not have")
        # Without a tool the ground truth would do nothing, and so would every agent that does as little as it.
        if missing := sorted(tool_names(toolkit) - described.keys() - _LATER):
            raise self._other_tools(file, f"does not describe {', '.join(missing)}, which trialkit's {self.name} has")
        return Kit(toolkit=toolkit, backstage=backstage, tools=described, rows=rows)

    def _other_tools(self, file: str, what: str) -> InputError:
        return InputError(f"{self._files.code / file}: {what}; use the content that `trialkit data fetch tau2` brings")

    @cached_property
    def written_tasks(self) -> Mapping[str, JsonObject]:
        """By id, as they stand in the file."""
        return {str(task.get("id")): task for task in value_of(self._files.data / _TASKS) if isinstance(task, dict)}

    @cached_property
    def content(self) -> str:
        """All files of its data are those of that version; how its tools are described is not data."""
        data = {name: one for name, one in self._suite.checksums.items() if not name.endswith(".py")}
        found = {name: _digest(self._files.data / name) for name in data}
        version = self._suite.versions.get(found.pop(_TASKS, ""), "")
        same = all(data[name] == one for name, one in found.items())
        return f"tau2@{version}" if version and same else ""

    @property
    def user_guidelines(self) -> str:
        return text_of(self._files.user_guidelines(tools=BY["user"] in self._world.kits))

    def listed(self, split: str) -> tuple[Task | Malformed, ...]:
        self._expect_split(split)
        return self._tasks.listed(split)

    def open(self, task: Task | None = None) -> Tau2Environment:
        environment = Tau2Environment(self._world)
        if task is not None and (found := list(environment.begin(task.initial_state))):
            raise InputError(f"{self.name}, task {task.id}: {'; '.join(found)}")
        return environment

    def judge(self, task: Task, environment: TauEnvironment, actions: Sequence[Action]) -> Score:
        return scoring.judge(task, self._truth(task), self.tables, environment, actions)

    def same_observation(self, one: str, other: str) -> bool:
        """tau2's versions differ in how they write JSON, and whether they write null or nothing."""
        return one == other or _without_nulls(json_or_text(one)) == _without_nulls(json_or_text(other))

    def check(self, task: Task) -> list[str]:
        return list(self._complaints(task))

    def _complaints(self, task: Task) -> Iterator[str]:
        if not task.instruction.strip():
            yield "there is no instruction"
        for action in task.gold:
            kit = self._world.kits.get(BY[action.requestor])
            if kit is None:
                continue  # the ground truth's problems tell of it
            tool = kit.tools.get(action.name)
            if tool is None:
                yield f"action {action.action_id} calls {action.name}, which is not a tool"
                continue
            yield from (f"action {action.action_id}, {action.name}: {c}" for c in tool.complaints(action.arguments))
        for wanted in task.outputs:
            if "," in wanted:
                yield f"the agent cannot be found to say {wanted!r}, because commas are taken out of what it says"
        try:
            environment = self.open(task)
        except InputError as error:
            yield str(error)
            return
        yield from self._truth(task).problems
        yield from self.judge(task, environment, ()).why.undecided

    def _truth(self, task: Task) -> Truth:
        """Replayed once per task and kept; two threads that come at once do the same work twice, which is harmless."""
        kept = self._truths.get(task.id)
        # The same task of another split has the same parts; one that a caller made has others.
        if kept and kept.task.criteria is task.criteria and kept.task.initial_state is task.initial_state:
            return kept
        environment = self.open(task)
        problems = []
        for action in task.gold:
            by = BY[action.requestor]
            if by not in self._world.kits:
                problems.append(f"action {action.action_id}, {action.name}, is the user's, who has no tools here")
                continue
            # As tau2 replays it, so that even a conversation that does the same may leave something else.
            observation = environment.call(action.name, action.arguments, by, synchronised=False)
            if observation.startswith("Error:"):
                problems.append(f"action {action.action_id}, {action.name}, answers {observation!r}")
        truth = self._truths[task.id] = Truth(task=task, changes=environment.left(), problems=tuple(problems))
        return truth


def _digest(file: Path) -> str:
    return hashlib.sha256(read_file(file)).hexdigest() if file.is_file() else ""


def _without_nulls(value: Json) -> Json:
    if isinstance(value, Mapping):
        return {name: _without_nulls(part) for name, part in value.items() if part is not None}
    return [_without_nulls(part) for part in value] if isinstance(value, list) else value
