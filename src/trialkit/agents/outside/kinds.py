"""Agents named by where they are: `stdio:COMMAND` and `http://…`."""

import shlex
from typing import Protocol
from urllib.parse import urlsplit

from trialkit.agents.types import AgentKind, Need, Opening
from trialkit.errors import InputError

from .agent import OutsideAgent
from .party import Host, Party, token_of_environment
from .pool import Pool
from .secret import query_parts, refuse_secrets

STDIO = "stdio:"


class OutsideKind(AgentKind, Protocol):
    """A kind that needs a party: it also knows how to connect to it."""

    async def open(self, opening: Opening) -> OutsideAgent: ...

    def connect(self, host: Host) -> Party:
        """Nothing is started yet. Raises `InputError` where the party cannot be had."""


async def open_outside(opening: Opening) -> OutsideAgent:
    party = opening.party
    if party is not None and not isinstance(party, Party):
        raise TypeError(f"an outside agent needs a party to talk to, not {party!r}")
    agent = OutsideAgent(opening, party)
    try:
        await agent.begin()
    except BaseException:
        await agent.end()
        raise
    return agent


class StdioKind:
    needs: frozenset[Need] = frozenset({"party"})

    def __init__(self, name: str) -> None:
        self.summary = f"The program that {name} names, over its stdin and stdout."
        self._name = name
        try:
            self._command = shlex.split(name.removeprefix(STDIO))
        except ValueError as error:
            raise InputError(f"--agent {name}: the command cannot be read ({error}); quote it as in a shell") from None
        if not self._command:
            raise InputError(f"--agent {name}: a command must follow, like stdio:'python agent.py'")

    def connect(self, host: Host) -> Party:
        refuse_secrets(self._name, self._command)
        return Party(name=self._name, endpoint="stdio", key=self._name, seats=Pool(self._command), host=host)

    async def open(self, opening: Opening) -> OutsideAgent:
        return await open_outside(opening)


class HttpKind:
    needs: frozenset[Need] = frozenset({"party"})

    def __init__(self, url: str) -> None:
        self.summary = f"The agent at {url}, over HTTP."
        self._url = _checked(url)

    def connect(self, host: Host) -> Party:
        from .http import HttpSeats  # noqa: PLC0415 - aiohttp takes longer to load than --help may

        refuse_secrets(self._url, query_parts(urlsplit(self._url).query))
        seats = HttpSeats(self._url, token_of_environment())
        return Party(name=self._url, endpoint=self._url, key=f"agent {self._url}", seats=seats, host=host)

    async def open(self, opening: Opening) -> OutsideAgent:
        return await open_outside(opening)


def _checked(url: str) -> str:
    """A URL with a password in it is not quoted, and not used: it would stand in the run file."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise InputError(f"--agent is not a URL ({error}); write it like http://127.0.0.1:8000/agent") from None
    if not host:
        raise InputError("--agent must be a URL with a host, like http://127.0.0.1:8000/agent")
    if "@" in parts.netloc:
        raise InputError(f"--agent must not hold a password (host {host}); put a token into TRIALKIT_AGENT_TOKEN")
    return url


def outside_kind(name: str) -> OutsideKind:
    return StdioKind(name) if name.startswith(STDIO) else HttpKind(name)
