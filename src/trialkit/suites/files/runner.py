"""A trial of a suite in a file: the model is asked, with or without tools, and each judge looks at what it said."""

import asyncio
import inspect
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from trialkit.agents import get_agent
from trialkit.code import load_object
from trialkit.dialogue import RESPOND, Agent, ModelParty, Move, Opening, Record, Rules
from trialkit.errors import JudgeError, ModelError, ReplayError
from trialkit.judges.kinds import Attempt, NamedJudge, Solution, ToolUse
from trialkit.models import Message, Reply, Request, Tool
from trialkit.runfile import Prompt
from trialkit.suites.agent_figures import ROLE
from trialkit.suites.agents import agent_opening, content_with
from trialkit.suites.base import Runner, Trial
from trialkit.suites.content import Content
from trialkit.suites.probes import Probe
from trialkit.suites.question import put_question, question_rules
from trialkit.text.json import JsonError, dump, parse
from trialkit.text.template import CaseCells
from trialkit.vocabulary import Case, Verdict

from .asking import Asking, templates_of
from .document import Document
from .mcp_tools import in_session
from .probing import probes_of
from .settings import BASELINE, FileSettings
from .surroundings import EnvironmentClass
from .talk import OfferedTools, Talks
from .tools import open_tools


class FileRunner(Runner):
    def __init__(
        self,
        document: Document,
        folder: Path,
        judges: Sequence[NamedJudge],
        settings: FileSettings,
        prompts: Mapping[str, Prompt],
    ) -> None:
        self._document = document
        self._judges = judges
        self._settings = settings
        asks = settings.model != BASELINE or settings.agent is not None
        self._asking = Asking(templates=templates_of(prompts) if asks else (), folder=folder)
        self._tools = open_tools(document.tools, folder) if isinstance(document.tools, list) and asks else []
        self._worlds = EnvironmentClass(document.environment, folder) if document.environment else None
        self._talks = Talks(document, settings, prompts, self._worlds, self._truth)
        named = document.baseline
        self._baseline = load_object(named, "baseline", folder) if named and not asks else None

    async def meet(self, content: Content) -> Content:
        return await content_with(content, self._settings, self.connections, "", self._offered)

    async def attempt(self, trial: Trial) -> Mapping[str, Any]:
        record = Record(log=trial.note)
        if self._baseline is not None:
            found = await _called(self._baseline, dict(trial.case.data))
            record.add_text("agent", found if isinstance(found, str) else dump(found))
            return _output(record, trial)
        messages = self._asking.messages(trial.case.data)
        if self._document.user is not None:
            policy = messages[0].text if messages else ""
            async with in_session(self._tools, trial, self._asking.folder) as tools:
                ended = await self._talks.hold(trial, record, policy, tools, self.connections)
            return {**_output(record, trial), **ended}
        if not self._tools and self._settings.agent is None:
            return await self._asked(trial, record, messages)
        return await self._talked(trial, record, messages)

    async def judge(self, trial: Trial, output: Mapping[str, Any]) -> Sequence[Verdict]:
        reach = partial(self._worlds.reach, trial.case.data) if self._worlds else None
        attempt = replace(_attempt_of(trial.case.data, output), reach=reach)
        verdicts = [await _verdict(judge, trial, attempt) for judge in self._judges]
        return _with_measures(verdicts, self._judges)

    async def probes(self, case: Case, among: Sequence[Case]) -> Sequence[Probe]:
        rows = [one.data for one in among]
        return await probes_of(case.data, rows, self._judges, self._worlds, self._truth)

    async def _asked(self, trial: Trial, record: Record, messages: tuple[Message, ...]) -> Mapping[str, Any]:
        for message in messages:
            if message.role != "system":
                record.add_text("user" if message.role == "user" else "agent", message.text)
        request = Request(messages=messages, temperature=self._settings.temperature, seed=trial.seed)
        reply = await self._ask(trial, "model", request)
        if reply.stop == "length":
            trial.note("cut off", role="model", detail="the reply reached the longest that the model may write")
        record.add_text("agent", reply.text)
        return _output(record, trial)

    async def _talked(self, trial: Trial, record: Record, messages: tuple[Message, ...]) -> Mapping[str, Any]:
        rules = question_rules(
            self._document.max_steps, {one.tool.name: "agent_stop" for one in self._tools if one.ends}
        )
        agent = await self._agent(trial, record, messages, rules)
        async with in_session(self._tools, trial, self._asking.folder) as tools:
            offered = OfferedTools(tools, trial.case.data)
            end = await put_question(agent, messages[-1].text, offered, record, rules)
        return {**_output(record, trial), "end": end}

    async def _agent(self, trial: Trial, record: Record, messages: tuple[Message, ...], rules: Rules) -> Agent:
        """The one that `--agent` names, or else the model itself."""
        policy = messages[0].text if messages[0].role == "system" else ""
        opening = agent_opening(
            self._settings, trial, record, self.connections, policy=policy, tools=self._offered, rules=rules
        )
        if self._settings.agent is None:
            return _Asked(replace(opening, ask=partial(self._ask, trial, "model")), messages)
        told = {**opening.settings, "output": self._output} if self._output else opening.settings
        return await get_agent(self._settings.agent).open(
            replace(opening, ask=partial(self._ask, trial, ROLE), settings=told)
        )

    async def _ask(self, trial: Trial, role: str, request: Request) -> Reply:
        return await trial.ask(role, replace(request, output=self._output))

    def _truth(self, row: CaseCells) -> Solution | None:
        return next(filter(None, (one.kind.truth(one.settings, row) for one in self._judges)), None)

    @property
    def _offered(self) -> tuple[Tool, ...]:
        world = self._worlds.for_agent if self._worlds else ()
        return tuple(one.tool for one in (*world, *self._tools))

    @property
    def _output(self) -> Any:
        return self._document.output


class _Asked(ModelParty):
    """Told by the messages that were prepared, whatever it hears: the user has nothing else to say."""

    def __init__(self, opening: Opening, messages: Sequence[Message]) -> None:
        super().__init__(opening, "", opening.tools)
        self.messages = list(messages)

    async def hear(self, text: str) -> Move:  # noqa: ARG002 - the last of the messages
        return await self._next()


async def _called(function: Any, *arguments: object) -> Any:
    """A function of the user's own; one that may take its time keeps nobody waiting."""
    if inspect.iscoroutinefunction(function):
        return await function(*arguments)
    return await asyncio.to_thread(partial(function, *arguments))


def _output(record: Record, trial: Trial) -> dict[str, Any]:
    calls = [
        {"name": action["name"], "arguments": action["kwargs"], "result": result, "error": result.startswith("Error:")}
        for action, result in zip(record.actions, record.observations, strict=True)
        if action["name"] != RESPOND and action.get("by") != "user"
    ]
    said = [one["content"] or "" for one in record.messages if one["role"] == "assistant"]
    return {
        "text": said[-1] if said else "",
        "calls": calls,
        "messages": record.messages,
        "seconds": trial.seconds,
        "cost": trial.cost,
    }


def _attempt_of(row: CaseCells, output: Mapping[str, Any]) -> Attempt:
    return Attempt(
        case=row,
        text=output["text"],
        value=read_value(output["text"]),
        calls=tuple(ToolUse(**call) for call in output["calls"]),
        messages=output["messages"],
        state=output.get("state"),
        seconds=output["seconds"],
        cost=output["cost"],
    )


def read_value(text: str) -> Any:
    """The JSON value that an answer is, alone or in a fenced block; None where there is none."""
    bare = text.strip()
    inside = bare.partition("```")[2].partition("```")[0].partition("\n")[2] if "```" in bare else ""
    for one in filter(None, (bare, inside)):
        with suppress(JsonError):
            return parse(one, finite=True)
    return None


async def _verdict(judge: NamedJudge, trial: Trial, attempt: Attempt) -> Verdict:
    """A judge that fails takes no other's verdict along."""
    try:
        return await judge.verdict(trial, attempt)
    except (ModelError, JudgeError, ReplayError) as error:
        critique = str(error)
    except Exception as error:  # noqa: BLE001 - code of somebody's own may fail in any way
        trial.note("crash", traceback="".join(traceback.format_exception(error)))
        critique = f"the judge crashed: {type(error).__name__}: {error}"
    return Verdict(judge=judge.name, outcome="error", critique=critique)


def _with_measures(verdicts: Sequence[Verdict], judges: Sequence[NamedJudge]) -> list[Verdict]:
    """Each score under its judge's name; the verdict that decides carries all of them, as what the trial is worth."""
    scored = {judge.name for judge in judges if judge.measure.kind == "score"}
    named = [
        replace(one, score=None, scores={one.judge: one.score, **one.scores})
        if one.judge in scored and one.score is not None
        else one
        for one in verdicts
    ]
    all_scores = {name: value for one in named for name, value in one.scores.items()}
    return [replace(named[0], scores=all_scores), *named[1:]]
