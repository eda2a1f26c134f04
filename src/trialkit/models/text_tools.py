"""Tools for models and servers that know none: they are told, called and answered as text; see docs/models.md."""

import json
from collections.abc import Sequence
from dataclasses import replace

from trialkit.text.json import dump, word

from .connection import Client
from .text_calls import SAID, called, read_calls
from .types import Message, Reply, Request, Tool, ToolCall

_HOW = """\
You can call tools. To call one, end your message with a block like this, and write nothing after it:

```json
{{"name": "the tool's name", "arguments": {{}}}}
```

Write several blocks to call several tools. What they return comes in the next message; do not make it up. \
These are the tools, each with the JSON schema of its arguments:

{tools}"""


class TextTools:
    """A client that asks in this way where a request wants it so."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def send(self, request: Request) -> Reply:
        reply = await self._client.send(in_text(request))
        return called(reply, request.tools) if request.tools_as == "text" else reply

    async def aclose(self) -> None:
        await self._client.aclose()


def in_text(request: Request) -> Request:
    """The request with its tools, their calls and what these returned as text, where it is to be so."""
    if request.tools_as != "text":
        return request
    system = "\n\n".join(filter(None, (one.text for one in request.messages if one.role == "system")))
    told = "\n\n".join(filter(None, [system, _told(request.tools, request.tool_choice)]))
    first = [Message(role="system", text=told)] if told else []
    return replace(request, messages=(*first, *_turns(request.messages)), tools=(), tool_choice=None, tools_as=None)


def _told(tools: Sequence[Tool], forced: str | None) -> str:
    if not tools:
        return ""
    lines = (
        dump({"name": tool.name, "description": tool.description, "parameters": tool.parameters}) for tool in tools
    )
    now = f"\n\nYour next message must call {forced}." if forced else ""
    return _HOW.format(tools="\n".join(lines)) + now


def _turns(messages: Sequence[Message]) -> list[Message]:
    """Many a small model's template wants turns that alternate: what comes together is one message."""
    turns: list[Message] = []
    names: dict[str, str] = {}
    for message in messages:
        if message.role == "system":
            continue
        names |= {call.id: call.name for call in message.tool_calls}
        turn = _turn(message, names)
        if turns and turn.role == turns[-1].role == "user":
            before = turns.pop()
            turn = Message(role="user", text=f"{before.text}\n\n{turn.text}", files=(*before.files, *turn.files))
        turns.append(turn)
    return turns


def _turn(message: Message, names: dict[str, str]) -> Message:
    if message.role == "tool":
        name = names.get(message.tool_call_id or "", "the tool")
        return Message(role="user", text=f"{name} returned:\n{message.text}")
    if not message.tool_calls:
        return message
    state = dict(message.state or {})
    said = word(state.pop(SAID, ""))
    if not _same(said, message):
        blocks = (f"```json\n{_written(call)}\n```" for call in message.tool_calls)
        said = "\n\n".join(filter(None, [message.text, *blocks]))
    return replace(message, text=said, tool_calls=(), state=state or None)


def _same(said: str, message: Message) -> bool:
    text, calls = read_calls(said, {call.name for call in message.tool_calls})
    asked = [[(call.name, call.arguments) for call in of] for of in (calls, message.tool_calls)]
    return bool(said) and text == message.text and asked[0] == asked[1]


def _written(call: ToolCall) -> str:
    try:
        arguments = json.loads(call.arguments)
    except ValueError:
        arguments = call.arguments
    return dump({"name": call.name, "arguments": arguments})
