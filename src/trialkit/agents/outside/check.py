"""Tries an outside agent against the protocol, in a small world of its own, and says what is wrong."""

import asyncio
import uuid
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from itertools import count
from typing import Literal

from trialkit.agents.kind import Confines
from trialkit.errors import ModelError
from trialkit.models import Tool
from trialkit.text.json import dump

from .connection import AgentConnection, Channel
from .kinds import OutsideKind
from .process import AgentProcess
from .protocol import AgentFault, Answer, ProtocolError, read_answer, start

_POLICY = "You answer questions about the orders of a small shop. Look an order up before you speak of it."
_TOOL = Tool(
    name="get_order",
    description="Looks up an order.",
    parameters={"type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]},
)
_QUESTION = "Where is my order A1?"
_ORDER = '{"order_id": "A1", "status": "on its way"}'
#: More calls than this for one question: it will not come to an end.
_MOST_CALLS = 20
_ENDS_WITHIN_S = 5.0


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckResult:
    result: Literal["ok", "note", "wrong"]
    text: str


class _TryOut:
    def __init__(self, connection: AgentConnection, channel: Channel, settings: Mapping[str, object]) -> None:
        self._connection = connection
        self._channel = channel
        self._settings = settings
        self._name = uuid.uuid4().hex
        self._numbers = count()
        self.calls: list[str] = []
        self.no_usage = False

    async def start(self) -> Answer:
        return await self._say(start(policy=_POLICY, tools=(_TOOL,), greeting="", settings=self._settings))

    async def ask(self) -> Answer:
        """Until it replies."""
        answer = await self._move({"type": "user", "text": _QUESTION})
        while answer.type == "calls":
            self.calls += (call.name for call in answer.calls)
            if len(self.calls) > _MOST_CALLS:
                raise ProtocolError(f"called {_MOST_CALLS} tools for one question without a reply")
            results = [{"id": call.id, "name": call.name, "text": _ORDER} for call in answer.calls]
            answer = await self._move({"type": "results", "results": results})
        return answer

    async def end(self) -> Answer:
        return await self._say({"type": "end"})

    async def _move(self, message: Mapping[str, object]) -> Answer:
        answer = await self._say(message)
        self.no_usage = self.no_usage or answer.usage is None
        return answer

    async def _say(self, message: Mapping[str, object]) -> Answer:
        numbered = {"n": next(self._numbers), **message}
        text = await self._channel.say(dump({**numbered, "conversation": self._name}), self._connection.timeout_s)
        return read_answer(text, numbered)


async def check(
    kind: OutsideKind, settings: Mapping[str, object], timeout_s: float, confines: Confines
) -> list[CheckResult]:
    """What was found, in the order in which it was tried; what is wrong comes last, since nothing can follow it."""
    connection = kind.connect(settings, timeout_s, confines)
    found: list[CheckResult] = []
    try:
        async with aclosing(_steps(connection, settings)) as steps:
            async for step in steps:
                found.append(step)  # noqa: PERF401 - what came before a fault is kept
    except ProtocolError as error:
        found.append(CheckResult(result="wrong", text=f"the agent {error}"))
    except AgentFault as fault:
        hint = connection.hint(ModelError(fault.kind, str(fault)))
        found.append(CheckResult(result="wrong", text=f"the agent says that it cannot go on: {fault}{hint}"))
    except ModelError as error:
        found.append(CheckResult(result="wrong", text=f"{error}{connection.hint(error)}"))
    finally:
        await connection.aclose()
    return found


async def _steps(connection: AgentConnection, settings: Mapping[str, object]) -> AsyncGenerator[CheckResult, None]:
    channel = await connection.channels.take()
    first = _TryOut(connection, channel, settings)
    ready = await first.start()
    who = " ".join(part for part in (ready.name, ready.version) if part)
    yield CheckResult(result="ok", text=f"starts a conversation{f': {who}' if who else ''}")
    if not who:
        yield CheckResult(result="note", text='tells no "name" and no "version"; reports cannot name it')
    reply = await first.ask()
    yield CheckResult(result="ok", text=f"answers a user, after {len(first.calls)} tool calls: {reply.text[:60]!r}")
    unknown = sorted({name for name in first.calls if name != _TOOL.name})
    if unknown:
        yield CheckResult(result="note", text=f"calls tools that it was not given: {', '.join(unknown)}")
    if not first.calls:
        yield CheckResult(result="note", text="called no tool, though the question needs one")
    if first.no_usage:
        yield CheckResult(result="note", text='tells no "usage"; its tokens and its cost will be unknown')
    await first.ask()
    yield CheckResult(result="ok", text="answers a second message")
    ended = await first.end()
    yield CheckResult(result="ok", text="ends a conversation")
    if ended.usage:
        yield CheckResult(
            result="note", text='tells "usage" in "ended", where it does not count; tell it in the last move'
        )
    second = _TryOut(connection, channel, settings)
    third = _TryOut(connection, await connection.channels.take(), settings)
    await second.start()
    await third.start()
    await asyncio.gather(second.ask(), third.ask())
    await second.end()
    await third.end()
    yield CheckResult(result="ok", text="holds one conversation after another, and two at the same time")
    if isinstance(channel, AgentProcess):
        yield await _last(channel)


async def _last(process: AgentProcess) -> CheckResult:
    status = await process.close(_ENDS_WITHIN_S)
    if status is None:
        return CheckResult(result="wrong", text=f"does not end within {_ENDS_WITHIN_S:g} s of its stdin being closed")
    if status:
        return CheckResult(result="wrong", text=f"ends with status {status} when its stdin is closed, instead of 0")
    return CheckResult(result="ok", text="ends when its stdin is closed")
