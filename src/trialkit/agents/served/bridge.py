"""Between the protocol, in which each message gets one answer, and code that calls its tools in the midst of a move."""

import asyncio
import sysconfig
import traceback
from collections.abc import Callable, Mapping
from itertools import count
from typing import TYPE_CHECKING, Any

from trialkit.agents.outside import VERSION
from trialkit.dialogue import Agent, ToolResult
from trialkit.errors import InputError, ModelError, ModelErrorKind
from trialkit.models import ToolCall

from .shapes import opened
from .trial import AgentTrial

if TYPE_CHECKING:
    from trialkit.dialogue import Move

#: Somebody else's code may fail in any way, and wish to end the program.
FAULTS = (Exception, SystemExit, KeyboardInterrupt)
_LIBRARIES = ("<frozen", *{sysconfig.get_path("stdlib"), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")})
_KINDS: Mapping[object, ModelErrorKind] = {401: "auth", 403: "auth", 404: "not_found", 429: "rate_limit"}


class Bridge:
    """One conversation. A tool that the agent's code calls becomes a move; the code goes on with the result."""

    def __init__(self, target: object, name: str, version: str, say: Callable[[str], object]) -> None:
        self._target = target
        self._who = {"name": name, "version": version}
        self._say = say  # where the traceback of a fault goes
        self._trial: AgentTrial | None = None
        self._agent: Agent | None = None
        self._moving: asyncio.Task[Move] | None = None
        self._calls: asyncio.Queue[tuple[ToolCall, asyncio.Future[str]]] = asyncio.Queue()
        self._answering: asyncio.Future[str] | None = None  # for the call that is out
        self._made: tuple[ToolCall, ...] = ()  # by the last move, where the agent leaves calling to us
        self._numbers = count()
        self._tells = False  # what it spends

    async def answer(self, told: Mapping[str, Any]) -> dict[str, Any]:
        """Of any message; a fault of the agent's code is an answer, too."""
        try:
            answer = await self._answer(told)
        except FAULTS as error:
            answer = {"type": "error", **self._fault(error)}
        told_too = self._trial.told if self._trial else {}
        self._tells = self._tells or "usage" in told_too
        if self._tells and told["type"] != "end":  # who tells what it spends tells all of it
            answer = {"usage": [], **answer}
        answer = {"n": told["n"], **answer, **({} if told["type"] == "end" else told_too)}
        told_too.clear()
        return answer

    async def abandon(self) -> None:
        """Nobody waits for a move any more."""
        waiting = [self._answering, *(self._calls.get_nowait()[1] for _ in range(self._calls.qsize()))]
        for one in (self._moving, *waiting):
            if one is not None:
                one.cancel()
        if self._moving is not None:
            await asyncio.wait({self._moving}, timeout=1)
        self._moving = None

    async def give_up(self) -> None:
        """After a fault: the agent hears of the end, too."""
        await self.abandon()
        if self._agent is not None:
            try:
                await self._agent.end()
            except FAULTS as error:  # what the trial came to is known by now
                self._say("".join(traceback.format_exception(error)))

    async def _answer(self, told: Mapping[str, Any]) -> dict[str, Any]:
        match told["type"]:
            case "start":
                self._trial = AgentTrial(told, self._call, self._say)
                self._agent = await opened(self._target, self._trial)
                return {"type": "ready", "protocol": VERSION, **self._who, **self._trial.who}
            case "end":
                await self.abandon()
                if self._agent is not None:
                    await self._agent.end()
                return {"type": "ended"}
            case "user":
                self._moving = asyncio.ensure_future(self._began().hear(told["text"]))
            case "results" if self._answering is not None:
                self._answering.set_result(told["results"][0]["text"])
                self._answering = None
            case "results":
                by_id = {call.id: call for call in self._made}
                results = [ToolResult(call=by_id[one["id"]], text=one["text"]) for one in told["results"]]
                self._moving = asyncio.ensure_future(self._began().observe(results))
        return await self._next()

    def _fault(self, error: BaseException) -> dict[str, str]:
        if isinstance(error, ModelError | InputError):  # our own words, such as of a program that was ended
            return {"kind": error.kind if isinstance(error, ModelError) else "bad_request", "message": str(error)}
        self._say("".join(traceback.format_exception(error)))
        return {"kind": _KINDS.get(getattr(error, "status_code", None), "server"), "message": _why(error)}

    def _began(self) -> Agent:
        if self._agent is None:
            raise RuntimeError("no conversation was started")
        return self._agent

    async def _next(self) -> dict[str, Any]:
        """The agent's move, or the first tool that its code calls before it has come to one."""
        assert self._moving is not None  # noqa: S101 - whoever waits for a move began one
        calling = asyncio.ensure_future(self._calls.get())
        await asyncio.wait({self._moving, calling}, return_when=asyncio.FIRST_COMPLETED)
        if self._moving.done():
            calling.cancel()
            move = self._moving.result()
            self._made = move.calls
            return _calls(move.calls) if move.calls else {"type": "reply", "text": move.text}
        call, self._answering = calling.result()
        return {"usage": [], **_calls((call,))}  # what led to it is told later, once the code knows

    async def _call(self, name: str, arguments: str) -> str:
        answered: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        call = ToolCall(id=f"call_{next(self._numbers)}", name=name, arguments=arguments)
        await self._calls.put((call, answered))
        return await answered


def _calls(calls: tuple[ToolCall, ...]) -> dict[str, Any]:
    written = [{"id": one.id, "name": one.name, "arguments": one.arguments} for one in calls]
    return {"type": "calls", "calls": written}


def _why(error: BaseException) -> str:
    """With the line of the agent's own file, the last that is not of a library's."""
    own = [one for one in traceback.extract_tb(error.__traceback__) if not one.filename.startswith(_LIBRARIES)]
    place = f" ({own[-1].filename.rpartition('/')[2]}:{own[-1].lineno})" if own else ""
    return f"{type(error).__name__}: {error}{place}"
