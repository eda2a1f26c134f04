"""A trial that is a conversation: a simulated user and the agent take turns over an environment."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

from trialkit.agents import get_agent
from trialkit.dialogue import By, Conversation, Move, Opening, Record, Rules, ScriptedUser, SimulatedUser, User
from trialkit.judges.kinds import Solution
from trialkit.models import ToolCall
from trialkit.runfile import Prompt
from trialkit.suites.agents import agent_opening
from trialkit.suites.base import Trial
from trialkit.suites.cast import Peer
from trialkit.text.json import dump
from trialkit.text.template import CaseCells

from .document import Document
from .persona import ROLE, user_lines, user_system
from .settings import FileSettings
from .surroundings import EnvironmentClass
from .tools import SuiteTool


class OfferedTools:
    """The environment of a dialogue: a trial's tools, with the case's row. Some are the user's alone."""

    def __init__(self, tools: Sequence[SuiteTool], row: CaseCells, for_user: frozenset[str] = frozenset()) -> None:
        self._tools: dict[By, dict[str, SuiteTool]] = {"agent": {}, "user": {}}
        for one in tools:
            self._tools["user" if one.tool.name in for_user else "agent"][one.tool.name] = one
        self._row = row

    def call(self, name: str, arguments: Mapping[str, object], by: By = "agent") -> str | Awaitable[str]:
        tools = self._tools[by]
        if name not in tools:
            return f"Error: there is no tool {name}; there are {', '.join(tools)}"
        return tools[name].call(arguments, self._row)


class Talks:
    """Holds the conversations of a suite."""

    def __init__(
        self,
        document: Document,
        settings: FileSettings,
        prompts: Mapping[str, Prompt],
        worlds: EnvironmentClass | None,
        truth: Callable[[CaseCells], Solution | None],
    ) -> None:
        self._document = document
        self._settings = settings
        self._prompts = prompts
        self._worlds = worlds
        self._truth = truth
        self._needs_truth = "truth" in get_agent(settings.agent_name).needs

    async def hold(
        self, trial: Trial, record: Record, policy: str, more: Sequence[SuiteTool], peers: Mapping[str, Peer]
    ) -> Mapping[str, Any]:
        """How it ended, and the state that it left."""
        world = self._worlds.open(trial.case.data) if self._worlds else None
        for_user = self._worlds.for_user if self._worlds else frozenset[str]()
        tools = [*(world.tools if world else ()), *more]
        rules = self._rules(tools)
        opening = agent_opening(
            self._settings,
            trial,
            record,
            peers,
            policy=policy,
            tools=tuple(one.tool for one in tools if one.tool.name not in for_user),
            rules=rules,
            extra={"truth": self._right(trial.case.data, for_user)} if self._needs_truth else {},
        )
        conversation = Conversation(
            agent=await get_agent(self._settings.agent_name).open(opening),
            user=self._user(trial, record, [one for one in tools if one.tool.name in for_user]),
            environment=OfferedTools(tools, trial.case.data, for_user),
            record=record,
            rules=rules,
        )
        end = (await conversation.run())["end"]
        return {"end": end, **({"state": world.state()} if world else {})}

    def _rules(self, tools: Sequence[SuiteTool]) -> Rules:
        return Rules(
            ending_tools={one.tool.name: "agent_stop" for one in tools if one.ends},
            known_tools=frozenset(one.tool.name for one in tools),
            max_steps=self._document.max_steps,
            greeting=self._document.greeting,
        )

    def _user(self, trial: Trial, record: Record, tools: Sequence[SuiteTool]) -> User:
        user, row = self._document.user, trial.case.data
        assert user is not None  # noqa: S101 - whoever has no user has no conversation
        if self._needs_truth:  # it does what is right whatever it hears
            own = [call for call in self._calls(row) if call.name in {one.tool.name for one in tools}]
            return ScriptedUser([*(Move(calls=(call,)) for call in own), "Hello."])
        if user.says is not None:
            return ScriptedUser(user_lines(user, row))
        opening = Opening(
            policy=user_system(user, self._prompts[ROLE].text, row),
            ask=partial(trial.ask, ROLE),
            note=record.note,
            tools=tuple(one.tool for one in tools),
            seed=trial.seed,
        )
        return SimulatedUser(opening)

    def _calls(self, row: CaseCells) -> list[ToolCall]:
        """Those that are right."""
        found = self._truth(row)
        calls = found.calls if found else ()
        return [
            ToolCall(id=f"truth_{n}", name=name, arguments=dump(dict(given))) for n, (name, given) in enumerate(calls)
        ]

    def _right(self, row: CaseCells, for_user: frozenset[str]) -> tuple[Move | str, ...]:
        """The agent's part of it, call by call, and at last what has to be said."""
        found = self._truth(row)
        calls = [Move(calls=(call,)) for call in self._calls(row) if call.name not in for_user]
        return (*calls, " ".join(["That is done.", *(found.says if found else ())]))
