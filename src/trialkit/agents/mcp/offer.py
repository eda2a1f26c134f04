"""An MCP server with the tools of one trial, for as long as its conversation lasts."""

import asyncio
import secrets
import socket
from importlib.util import find_spec
from typing import TYPE_CHECKING

from trialkit.agents.served import AgentTrial
from trialkit.errors import InputError
from trialkit.text.json import JsonObject, dump

if TYPE_CHECKING:
    import uvicorn
    from mcp.server.lowlevel import Server
    from mcp.types import CallToolRequestParams

#: What open connections get to end by themselves.
_GRACE_S = 1


def check_installed(asked_by: str) -> None:
    if find_spec("mcp") is None or find_spec("uvicorn") is None:
        raise InputError(f"{asked_by}: needs the package mcp; install it: pip install 'trialkit[mcp]'")


class Offered:
    """At `url`, which holds a secret: no other program of this machine can call the trial's tools."""

    def __init__(
        self,
        path: str,
        calls: list[JsonObject],
        listening: socket.socket,
        running: "uvicorn.Server",
        serving: "asyncio.Task[None]",
    ) -> None:
        self.url = f"http://127.0.0.1:{listening.getsockname()[1]}{path}"
        self.calls = calls  # of the tools, as messages of a chat: what was called, and what it answered
        self._listening = listening
        self._running = running
        self._serving = serving

    async def aclose(self) -> None:
        self._running.should_exit = True
        self._running.force_exit = True
        await asyncio.wait({self._serving}, timeout=_GRACE_S)
        self._serving.cancel()
        self._listening.close()


async def offered(trial: AgentTrial) -> Offered:
    import uvicorn  # noqa: PLC0415 - only whoever is asked for it needs it

    calls: list[JsonObject] = []
    path = f"/{secrets.token_urlsafe(16)}/mcp"
    listening = socket.create_server(("127.0.0.1", 0))
    app = _server(trial, calls).streamable_http_app(streamable_http_path=path, json_response=True)
    running = uvicorn.Server(uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=_GRACE_S, ws="none"))
    serving = asyncio.ensure_future(running.serve(sockets=[listening]))
    return Offered(path, calls, listening, running, serving)


def _server(trial: AgentTrial, calls: list[JsonObject]) -> "Server":
    from mcp.server.lowlevel import Server  # noqa: PLC0415 - likewise
    from mcp.types import CallToolResult, ListToolsResult, TextContent, Tool  # noqa: PLC0415 - likewise

    tools = [Tool(name=one.name, description=one.description, input_schema=one.parameters) for one in trial.tools]

    async def listed(_context: object, _asked: object) -> ListToolsResult:
        return ListToolsResult(tools=tools)

    async def called(_context: object, asked: "CallToolRequestParams") -> CallToolResult:
        arguments = dict(asked.arguments or {})
        answer = await trial.acall(asked.name, arguments)
        calls.extend(_messages(len(calls), asked.name, arguments, answer))
        content = TextContent(type="text", text=answer)
        return CallToolResult(content=[content], is_error=answer.startswith("Error:"))

    return Server("trialkit", instructions=trial.policy, on_list_tools=listed, on_call_tool=called)


def _messages(number: int, name: str, arguments: JsonObject, answer: str) -> list[JsonObject]:
    name_of_call = f"call_{number // 2}"
    function = {"name": name, "arguments": dump(arguments)}
    call = {"id": name_of_call, "type": "function", "function": function}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": name_of_call, "content": answer},
    ]
