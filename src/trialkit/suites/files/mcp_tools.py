"""Tools of an MCP server, `mcp:COMMAND` or `mcp:http://…`: a session for each trial. Needs the extra `mcp`."""

import asyncio
import os
import shlex
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from copy import copy
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from trialkit.agents.outside import refuse_secrets, refuse_windows
from trialkit.errors import InputError, ModelError
from trialkit.models import LONGEST_BODY, Reply, Secrets, Sent, Tool, Usage, checked_url
from trialkit.suites.base import Trial
from trialkit.suites.cast import Role
from trialkit.text.json import JsonObject, dump, items, parse
from trialkit.text.template import CaseCells

from .mcp_program import ServerProgram

if TYPE_CHECKING:
    from mcp import Client
    from mcp.types import CallToolResult

MCP = "mcp:"
#: The role that the servers of a suite play: what their tools answer is recorded, so that a replay asks none of them.
ROLE = "tools"
#: To begin with, and for each answer.
_WAIT_S = 60.0
#: What a server gets to end by itself.
_GRACE_S = 5.0


class McpTool:
    """As the server told it when the suite was read. It is called through a trial's `McpSession`."""

    ends = False

    def __init__(self, kept: JsonObject) -> None:
        self.server = str(kept["mcp"])
        self.tool = Tool(name=kept["name"], description=kept["description"], parameters=kept["parameters"])
        self._send: Callable[[JsonObject], Awaitable[str]] | None = None

    async def call(self, arguments: Mapping[str, Any], row: CaseCells) -> str:  # noqa: ARG002 - as the protocol has it
        if self._send is None:
            raise TypeError(f"the tool {self.tool.name} is called outside of a trial")
        return await self._send({"name": self.tool.name, "arguments": dict(arguments)})

    def of(self, send: Callable[[JsonObject], Awaitable[str]]) -> "McpTool":
        """The same tool, in a trial."""
        found = copy(self)
        vars(found)["_send"] = send
        return found


def read_mcp_tools(server: str, folder: Path) -> list[JsonObject]:
    """As the run file keeps them. InputError where the server cannot be had."""
    _check_server(server)
    if find_spec("mcp") is None:
        raise InputError(f"tools: {MCP}{server}: needs the package mcp; install it: pip install 'trialkit[mcp]'")
    try:
        with ThreadPoolExecutor(1) as apart:  # whoever asks may be in an event loop already
            return apart.submit(asyncio.run, _listed(server, folder)).result()
    except ModelError as error:
        raise InputError(f"tools: {error}; write {MCP}COMMAND, as in a shell, or {MCP}http://HOST/mcp") from None


async def _listed(server: str, folder: Path) -> list[JsonObject]:
    session = McpSession(server, folder)
    try:
        found = (await (await session.client()).list_tools()).tools
    finally:
        await session.aclose()
    if not found:
        raise ModelError("connection", f"{MCP}{server}: offers no tools")
    told = [
        {"name": one.name, "description": one.description or "", "parameters": one.input_schema, "mcp": server}
        for one in found
    ]
    return items(parse(Secrets.of_environment().hide(dump(told))))


class McpSession:
    """Begun when it is first needed, in a task of its own: the SDK wants it to end in the task where it began."""

    def __init__(self, server: str, folder: Path) -> None:
        self._server = server
        self._folder = folder
        self._over = asyncio.Event()
        self._secrets = Secrets.of_environment()
        self._program: ServerProgram | None = None
        self._ready: asyncio.Future[Client] | None = None
        self._held: asyncio.Task[None] | None = None

    async def client(self) -> "Client":
        if self._ready is None:
            self._ready = asyncio.get_running_loop().create_future()
            self._held = asyncio.ensure_future(self._hold(self._ready))
        return await asyncio.shield(self._ready)

    async def send(self, call: JsonObject) -> Sent:
        client, began = await self.client(), perf_counter()
        try:
            found = await client.call_tool(call["name"], call["arguments"], read_timeout_seconds=_WAIT_S)
        except Exception as error:
            told = self._why(error)
            raise ModelError("connection", f"{MCP}{self._server}: {call['name']}: {told}") from error
        text = self._secrets.hide(_text(found))
        if len(text) > LONGEST_BODY:
            most = f"{LONGEST_BODY // 1024**2} MB"
            raise ModelError("bad_reply", f"{MCP}{self._server}: {call['name']}: answers with more than {most}")
        free = Reply(text=text, usage=Usage(input_tokens=0, output_tokens=0), cost=0.0)
        return Sent(reply=free, attempts=1, latency_s=perf_counter() - began)

    async def aclose(self) -> None:
        self._over.set()
        if self._ready is not None and self._held is not None:
            if not self._ready.done():
                self._held.cancel()
            await asyncio.wait({self._held}, timeout=_GRACE_S)
            self._held.cancel()

    async def _hold(self, ready: "asyncio.Future[Client]") -> None:
        from mcp import Client  # noqa: PLC0415 - only whoever names a server needs it

        try:
            async with asyncio.timeout(_WAIT_S) as begins:
                async with Client(self._where(), read_timeout_seconds=_WAIT_S) as client:
                    begins.reschedule(None)
                    ready.set_result(client)
                    await self._over.wait()
        except Exception as error:  # noqa: BLE001 - of the server, of the SDK, of what is between them
            if not ready.done():
                told = f"{MCP}{self._server}: cannot be had: {self._why(error)}"
                ready.set_exception(ModelError("connection", told))

    def _where(self) -> Any:
        """What the SDK takes: an address, or a program. A secret that it needs is named as `$NAME`, since the command
        stands in the run file.
        """
        if _is_address(self._server):
            return os.path.expandvars(self._server)
        self._program = ServerProgram([*map(os.path.expandvars, shlex.split(self._server))], self._folder)
        return self._program.streams()

    def _why(self, error: BaseException) -> str:
        fault = self._program.fault if self._program else ""
        return self._secrets.hide(fault or _told(error))


def _is_address(server: str) -> bool:
    return server.startswith(("http://", "https://"))


def _told(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    late = f"no answer within {_WAIT_S:g} s" if isinstance(error, TimeoutError) else ""
    return late or str(error) or type(error).__name__


def _text(found: "CallToolResult") -> str:
    parts = [getattr(one, "text", None) or f"[{one.type}]" for one in found.content]
    text = "\n".join(parts) if parts or found.structured_content is None else dump(found.structured_content)
    return f"Error: {text}" if found.is_error else text


def _check_server(server: str) -> None:
    """InputError where nothing can be meant by it, or where it holds a password."""
    try:
        words = shlex.split(server)
    except ValueError as error:
        raise InputError(f"tools: {MCP}{server}: cannot be read ({error}); quote it as in a shell") from None
    if not words:
        raise InputError(f"tools: a command or an address must follow {MCP}, like {MCP}'python server.py'")
    if not _is_address(server):
        refuse_windows("server's")
    if "://" in words[0]:
        checked_url(server, "tools", like=f"{MCP}http://127.0.0.1:8000/mcp", instead="?key=$NAME behind it")
        words = [f"{name}={value}" for name, value in parse_qsl(urlsplit(server).query)]
    refuse_secrets(server, words, "tools", f"{MCP}… --token $NAME")


@dataclass(kw_only=True, slots=True)
class _Servers:
    """Who plays the role; each trial opens what it needs by itself."""

    name: str
    endpoint: str = "mcp"
    key: str
    price_known: bool = True
    billed: bool = False
    storable: bool = False

    async def aclose(self) -> None:
        """Sessions end with their trials."""


def servers_role(tools: str | Sequence[str | JsonObject]) -> Mapping[str, Role]:
    """Of tools as the run file keeps them; nobody, where none is a server's."""
    named = ", ".join(dict.fromkeys(f"{MCP}{one['mcp']}" for one in tools if isinstance(one, dict) and "mcp" in one))
    return {ROLE: Role(open=lambda _traffic: _Servers(name=named, key=named))} if named else {}


@asynccontextmanager
async def in_session(tools: Sequence[Any], trial: Trial, folder: Path) -> AsyncIterator[list[Any]]:
    """The tools of one trial; what its servers began ends with it."""
    names = {one.server for one in tools if isinstance(one, McpTool)}
    sessions = {name: McpSession(name, folder) for name in names}

    async def called(server: str, call: JsonObject) -> str:
        told = dump({"server": server, **call})
        return (await trial.exchange(ROLE, told, partial(sessions[server].send, call))).text

    try:
        yield [one.of(partial(called, one.server)) if isinstance(one, McpTool) else one for one in tools]
    finally:
        for one in sessions.values():
            await one.aclose()
