"""`--agent mcp:COMMAND`: a program that is started for each reply, told what was said, and has its tools over MCP."""

import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from trialkit.agents.kind import AgentKind, Confines
from trialkit.agents.outside import (
    AgentConnection,
    AgentEnvironment,
    AgentProcess,
    Limits,
    OutsideKind,
    read_limits,
    refuse_secrets,
    refuse_windows,
)
from trialkit.agents.served import AgentTrial, Conversations
from trialkit.dialogue import Agent, Move, ToolResult
from trialkit.errors import InputError
from trialkit.models import Secrets
from trialkit.text.json import dump

from .offer import check_installed, offered

if TYPE_CHECKING:
    from trialkit.text.json import JsonObject

    from .offer import Offered

MCP = "mcp:"
#: Where the program finds the address of the trial's MCP server.
VARIABLE = "TRIALKIT_MCP_URL"


class McpProgram(Agent):
    """One conversation. The program keeps nothing between its replies: it is told all that was said and called."""

    def __init__(
        self, trial: AgentTrial, command: Sequence[str], environment: AgentEnvironment, limits: Limits, wait_s: float
    ) -> None:
        self._trial = trial
        self._command = command
        self._environment = environment
        self._limits = limits
        self._wait_s = wait_s
        self._offered: Offered | None = None
        self._messages: list[JsonObject] = []
        if trial.greeting:
            self._messages.append({"role": "assistant", "content": trial.greeting})

    async def hear(self, text: str) -> Move:
        if self._offered is None:
            self._offered = await offered(self._trial)
        self._messages.append({"role": "user", "content": text})
        told = {
            "mcp": self._offered.url,
            "policy": self._trial.policy,
            "messages": self._messages,
            "settings": dict(self._trial.settings),
        }
        reply = await self._run(dump(told), self._offered.url)
        self._messages += [*self._offered.calls, {"role": "assistant", "content": reply}]
        self._offered.calls.clear()
        return Move(text=reply)

    async def observe(self, results: Sequence[ToolResult]) -> Move:
        raise TypeError(f"the program calls its tools itself; nobody made the calls of these {len(results)} results")

    async def end(self) -> None:
        if self._offered is not None:
            await self._offered.aclose()

    async def _run(self, told: str, url: str) -> str:
        environment = {**self._environment.variables, VARIABLE: url}
        process = AgentProcess(self._command, environment, self._limits, Secrets.of_environment())
        try:
            await process.begin()
            return await process.reply(told, self._wait_s)
        finally:
            if words := process.take_stderr():
                self._trial.say(words)
            process.kill()
            await process.close(0)


class _McpKind(OutsideKind):
    def __init__(self, name: str) -> None:
        self.summary = f"The program that {name} names, with the trial's tools over MCP."
        self._name = name
        try:
            self._command = shlex.split(name.removeprefix(MCP))
        except ValueError as error:
            raise InputError(f"--agent {name}: the command cannot be read ({error}); quote it as in a shell") from None
        if not self._command:
            raise InputError(f"--agent {name}: a command must follow, like mcp:'python agent.py'")

    def connect(self, settings: Mapping[str, object], timeout_s: float, confines: Confines) -> AgentConnection:  # noqa: ARG002 - told later
        check_installed(f"--agent {self._name}")
        refuse_windows("agent's")
        refuse_secrets(self._name, self._command)
        environment = AgentEnvironment(confines.environment)
        limits = read_limits(confines.limits)

        def program(trial: AgentTrial) -> McpProgram:
            return McpProgram(trial, self._command, environment, limits, timeout_s)

        return AgentConnection(
            name=self._name,
            endpoint="mcp",
            key=self._name,
            channels=Conversations(program, self._command[-1].rpartition("/")[2], ""),
            timeout_s=timeout_s,
            hint=lambda error: environment.hint(str(error)),
        )


def mcp_kind(name: str) -> AgentKind:
    return _McpKind(name)
