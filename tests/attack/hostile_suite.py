"""A suite whose cases are the kinds of hostile agents: a conversation with each, for a verdict or an error.

A program that loads it tells at its end how much memory it took, in the file that the environment names.
"""

import atexit
import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from tests.attack.agents import KINDS
from trialkit import Case, Conversation, Opening, Prompt, Record, Role, Rules, RunSettings, Suite, Tool, Trial, Verdict
from trialkit.agents import Confines, connect_agent, get_agent
from trialkit.dialogue import ScriptedUser
from trialkit.models import Traffic
from trialkit.settings import PerSession
from trialkit.suites import Peer, Runner

#: The variable that names the file; there is a line in it for each program: the most MB that it took.
MEMORY_FILE = "HOSTILE_MEMORY_FILE"


class Settings(RunSettings):
    agent: str = Field("", description="The hostile one.")
    agent_timeout: Annotated[float, PerSession()] = Field(1.0, description="Seconds for each answer.")
    agent_env: tuple[str, ...] = Field((), description="As in other suites.")
    kinds: tuple[str, ...] = Field((), description="Only these.")


class Echo:
    def call(self, name: str, arguments: Mapping[str, Any], by: str = "agent") -> str:
        return str(arguments)[:200] if name == "echo" else f"Error: there is no tool {name}"


class _Runner(Runner):
    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    async def attempt(self, trial: Trial) -> Mapping[str, Any]:
        record = Record(log=trial.note)
        rules = Rules(max_steps=4, greeting_is_said=False)
        opening = Opening(
            policy=trial.case.id,
            tools=(Tool(name="echo", description="Says it again.", parameters={"type": "object"}),),
            ask=partial(trial.ask, "agent"),
            note=record.note,
            rules=rules,
            connection=self.connections.get("agent"),
            exchange=partial(trial.exchange, "agent"),
            log=trial.note,
        )
        agent = await get_agent(self._settings.agent).open(opening)
        conversation = Conversation(
            agent=agent, user=ScriptedUser(["hello", "go on"]), environment=Echo(), record=record, rules=rules
        )
        return {**await conversation.run()}

    async def judge(self, trial: Trial, output: Mapping[str, Any]) -> Verdict:
        return Verdict(outcome="pass", critique=output["end"])


class Hostile(Suite[Settings]):
    name = "hostile"
    settings = Settings

    def cases(self, settings: Settings) -> list[Case]:
        return [Case(id=kind, title=kind, group="hostile", data={"kind": kind}) for kind in settings.kinds or KINDS]

    def roles(self, settings: Settings, prompts: Mapping[str, Prompt]) -> Mapping[str, Role]:
        def connect(_traffic: Traffic) -> Peer:
            confines = Confines(environment=settings.agent_env)
            return connect_agent(settings.agent, {}, settings.agent_timeout, confines)

        return {"agent": Role(open=connect)}

    def runner(self, settings: Settings, prompts: Mapping[str, Prompt]) -> Runner:
        return _Runner(settings)


def tell_memory(path: Path) -> None:
    told = Path("/proc/self/status").read_text().split("VmHWM:")[1]
    with path.open("a") as file:
        file.write(f"{int(told.split()[0]) // 1024}\n")


if MEMORY_FILE in os.environ:
    atexit.register(tell_memory, Path(os.environ[MEMORY_FILE]))

SUITE = Hostile()
