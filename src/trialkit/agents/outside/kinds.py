"""Agents named by where they are: `stdio:COMMAND` and `http://…`."""

import os
import shlex
from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from trialkit.agents.kind import AgentKind, Confines, Need
from trialkit.dialogue import Opening
from trialkit.errors import InputError
from trialkit.models import checked_url

from .agent import OutsideAgent
from .connection import AgentConnection
from .environment import AgentEnvironment
from .limits import read_limits
from .pool import Pool
from .secret import refuse_secrets, refuse_secrets_in_address

STDIO = "stdio:"


async def open_outside(opening: Opening) -> OutsideAgent:
    connection = opening.connection
    if connection is not None and not isinstance(connection, AgentConnection):
        raise TypeError(f"an outside agent needs a connection, not {connection!r}")
    agent = OutsideAgent(opening, connection)
    try:
        await agent.begin()
    except BaseException:
        await agent.end()
        raise
    return agent


@runtime_checkable
class OutsideKind(AgentKind, Protocol):
    """A kind that needs a connection: it also knows how to connect to it."""

    needs: frozenset[Need] = frozenset({"connection"})

    def connect(self, settings: Mapping[str, object], timeout_s: float, confines: Confines) -> AgentConnection:
        """`settings` are those of the run that an agent is told. Nothing is started yet. Raises `InputError`."""

    async def open(self, opening: Opening) -> OutsideAgent:
        return await open_outside(opening)


class StdioKind(OutsideKind):
    def __init__(self, name: str) -> None:
        self.summary = f"The program that {name} names, over its stdin and stdout."
        self._name = name
        try:
            self._command = shlex.split(name.removeprefix(STDIO))
        except ValueError as error:
            raise InputError(f"--agent {name}: the command cannot be read ({error}); quote it as in a shell") from None
        if not self._command:
            raise InputError(f"--agent {name}: a command must follow, like stdio:'python agent.py'")

    def connect(self, settings: Mapping[str, object], timeout_s: float, confines: Confines) -> AgentConnection:  # noqa: ARG002 - told later
        refuse_secrets(self._name, self._command)
        environment = AgentEnvironment(confines.environment)
        return AgentConnection(
            name=self._name,
            endpoint="stdio",
            key=self._name,
            channels=Pool(self._command, environment, read_limits(confines.limits)),
            timeout_s=timeout_s,
            hint=lambda error: environment.hint(str(error)),
        )


class HttpKind(OutsideKind):
    def __init__(self, url: str) -> None:
        self.summary = f"The agent at {url}, over HTTP."
        checked_url(url, "--agent", like="http://127.0.0.1:8000/agent", instead="a token into TRIALKIT_AGENT_TOKEN")
        self._url = url

    def connect(self, settings: Mapping[str, object], timeout_s: float, confines: Confines) -> AgentConnection:  # noqa: ARG002 - likewise
        from .http import HttpChannel  # noqa: PLC0415 - aiohttp takes longer to load than --help may

        if confines != Confines():
            raise InputError(
                f"--agent-env, --agent-limit: the agent at {self._url} is no process of trialkit's; leave them out"
            )
        refuse_secrets_in_address(self._url)
        token = os.environ.get("TRIALKIT_AGENT_TOKEN", "").strip() or None
        return AgentConnection(
            name=self._url,
            endpoint=self._url,
            key=f"agent {self._url}",
            channels=HttpChannel(self._url, token),
            timeout_s=timeout_s,
        )


def outside_kind(name: str) -> OutsideKind:
    return StdioKind(name) if name.startswith(STDIO) else HttpKind(name)
