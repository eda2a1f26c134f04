"""An agent outside of trialkit, as a conversation sees it."""

import asyncio
import uuid
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import count
from time import perf_counter
from typing import Any

from trialkit.agents.replying import reply_by_call
from trialkit.dialogue import Move, Opening, ToolResult
from trialkit.errors import SETUP, ModelError
from trialkit.models import Reply, Sent, Usage
from trialkit.text.json import dump
from trialkit.text.whole import whole_text

from .connection import AgentConnection, Channel, stated_cost
from .protocol import AgentFault, Answer, ProtocolError, read_answer, start

#: For the answer to `end`, which nothing depends on but the channel's further use.
_END_S = 10.0


class OutsideAgent:
    """Everything it is told and answers is recorded, and parsed anew from the recording in a replay."""

    def __init__(self, opening: Opening, connection: AgentConnection | None) -> None:
        self._opening = opening
        self._connection = connection  # None: a replay, in which nothing is sent
        self._conversation = uuid.uuid4().hex  # told to the agent, and no part of what is recorded
        self._numbers = count()
        self._channel: Channel | None = None
        self.ready = Answer(type="ready")  # what it says of itself; nothing before it began

    async def begin(self) -> None:
        opening = self._opening
        self.ready = ready = await self._exchange(
            start(
                policy=opening.policy,
                tools=opening.tools,
                greeting=opening.rules.known_greeting,
                settings={
                    **opening.settings,
                    "temperature": opening.temperature,
                    "max_tokens": opening.max_tokens,
                    "seed": opening.seed,
                },
            )
        )
        opening.log("agent", name=ready.name, version=ready.version, mode=ready.mode)
        if ready.tools is not None:
            lacking = [tool.name for tool in opening.tools if tool.name not in ready.tools]
            if lacking:
                opening.log("agent lacks tools", tools=lacking)

    async def hear(self, text: str) -> Move:
        return await self._move({"type": "user", "text": text})

    async def observe(self, results: Sequence[ToolResult]) -> Move:
        shown = [{"id": one.call.id, "name": one.call.name, "text": one.text} for one in results]
        return await self._move({"type": "results", "results": shown})

    async def end(self) -> None:
        """Never fails: what the trial came to is known by now."""
        if self._connection is None or self._channel is None:
            return
        if _is_cancelled():  # whoever interrupts a second time waits for nobody
            await self._leave(self._connection, self._channel)
            self._channel = None
            return
        message, channel = {"n": next(self._numbers), "type": "end"}, self._channel
        try:
            _, answer = await self._say(self._connection, message, min(_END_S, self._connection.timeout_s))
            if isinstance(answer, AgentFault):
                await self._leave(self._connection, channel)
                raise _error(answer)
        except ModelError as error:
            self._opening.log("agent did not end", error=str(error))
        else:
            await self._connection.channels.give_back(channel)
        self._channel = None

    async def _move(self, message: Mapping[str, object]) -> Move:
        answer = await self._exchange(message)
        return reply_by_call(self._opening, answer.calls) or Move(text=answer.text, calls=answer.calls)

    async def _exchange(self, message: Mapping[str, object]) -> Answer:
        numbered = {"n": next(self._numbers), **message}
        reply = await self._opening.exchange(dump(numbered), partial(self._send, numbered))
        try:
            answer = read_answer(reply.text, numbered)
        except AgentFault as fault:  # one that took something; all others were raised where they came in
            self._log_usage(fault)
            self._opening.log("call failed", role="agent", error_kind=fault.kind, error=str(fault))
            raise _error(fault) from None
        self._log_usage(answer)
        return answer

    def _log_usage(self, answer: Answer | AgentFault) -> None:
        for note in answer.notes:
            self._opening.note("agent_note", note)
        price = self._connection.cost if self._connection is not None else stated_cost
        told = [part for part in answer.usage or () if part.role or part.calls is not None]
        parts = [{**part.model_dump(exclude={"cache_read_tokens"}), "cost": price(part)} for part in told]
        if parts:
            self._opening.log("agent usage", parts=parts)

    async def _send(self, message: Mapping[str, object]) -> Sent:
        connection = self._connection
        if connection is None:
            raise ModelError("connection", "there is no agent to talk to in a replay")
        if self._channel is None:
            self._channel = await connection.channels.take()
        began = perf_counter()
        try:
            text, answer = await self._say(connection, message, connection.timeout_s)
            if isinstance(answer, AgentFault) and _took_nothing(message, answer):
                raise _error(answer)
        except ModelError as error:
            failed = ModelError(error.kind, f"{error}{connection.hint(error)}")
            failed.latency_s = perf_counter() - began
            raise failed from None
        usage, cost = _total(connection, answer)
        reply = Reply(text=whole_text(text), usage=usage, cost=cost)
        return Sent(reply=reply, attempts=1, latency_s=perf_counter() - began)

    async def _say(
        self, connection: AgentConnection, message: Mapping[str, Any], timeout_s: float
    ) -> tuple[str, Answer | AgentFault]:
        channel = self._channel
        assert channel is not None  # noqa: S101 - taken by whoever calls
        try:
            sent = {**message, "conversation": self._conversation}
            if message["type"] == "start":
                sent["settings"] = {**message["settings"], **connection.settings}
            text = await channel.say(dump(sent), timeout_s)
            try:
                return text, read_answer(text, message)
            except AgentFault as fault:  # it keeps to the protocol: another conversation may go well
                return text, fault
        except ProtocolError as error:
            await self._leave(connection, channel)
            raise ModelError("bad_reply", f"the agent {error}") from None
        except ModelError:
            await self._leave(connection, channel)
            raise
        except BaseException:  # the run is given up: nobody waits for an end
            await self._leave(connection, channel)
            self._channel = None
            raise
        finally:
            if words := channel.take_stderr():
                self._opening.log("agent stderr", text=words)

    async def _leave(self, connection: AgentConnection, channel: Channel) -> None:
        self._channel = channel if channel.lasting else None
        await connection.channels.discard(channel)


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _error(fault: AgentFault) -> ModelError:
    return ModelError(fault.kind, f"the agent says: {fault}")


def _took_nothing(message: Mapping[str, object], fault: AgentFault) -> bool:
    """It said so, or it never came to ask a model. Where it does not say, nobody knows what its move took."""
    return not fault.usage and (fault.usage is not None or message["type"] == "start" or fault.kind in SETUP)


def _total(connection: AgentConnection, answer: Answer | AgentFault) -> tuple[Usage | None, float | None]:
    """A start that tells no usage took none; a move that tells none took an unknown amount."""
    if answer.usage is None:
        is_start = isinstance(answer, Answer) and answer.type == "ready"
        return (Usage(input_tokens=0, output_tokens=0), 0.0) if is_start else (None, None)
    costs = [connection.cost(part) for part in answer.usage]
    known = [cost for cost in costs if cost is not None]
    taken = sum((part.usage for part in answer.usage), Usage(input_tokens=0, output_tokens=0))
    return taken, sum(known) if len(known) == len(costs) else None
