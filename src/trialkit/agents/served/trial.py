"""What an agent in Python is given of its trial: what to keep to, and tools that reach the trial's environment."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from trialkit.models import Tool
from trialkit.text.json import dump

#: Name and arguments, as a text; gives what the tool answers.
CallTool = Callable[[str, str], Awaitable[str]]


class AgentTool:
    """`tool(order_id="W1")`, or `await tool.acall(order_id="W1")`, gives what the trial's environment answers.

    Instead of arguments by name it takes their JSON text, as a model wrote it.
    """

    def __init__(self, tool: Tool, trial: "AgentTrial") -> None:
        self.name = self.__name__ = tool.name
        self.description = self.__doc__ = tool.description
        self.parameters: dict[str, Any] = dict(tool.parameters)  # a JSON schema
        self.__annotations__ = {"return": str}  # frameworks look at it as at a function
        self._trial = trial

    def __call__(self, written: str | None = None, /, **arguments: object) -> str:
        return self._trial.call(self.name, arguments if written is None else written)

    async def acall(self, written: str | None = None, /, **arguments: object) -> str:
        return await self._trial.acall(self.name, arguments if written is None else written)

    @property
    def schema(self) -> dict[str, Any]:
        """As OpenAI's chat completions take it."""
        function = {"name": self.name, "description": self.description, "parameters": self.parameters}
        return {"type": "function", "function": function}


class AgentTrial:
    """One conversation, for the agent that is on trial in it."""

    def __init__(self, start: Mapping[str, Any], call: CallTool, say: Callable[[str], object]) -> None:
        self.say = say  # words for the transcript, as a program's stderr is
        self.who: dict[str, str] = {}  # what else is known of the agent than where it is
        self.policy: str = start["policy"]  # what it has to keep to: the system message, for most
        self.greeting: str = start["greeting"]  # what the user takes it to have said already, or empty
        self.settings: Mapping[str, Any] = start["settings"]  # of the run: model, api_base, temperature, seed …
        offered = (
            Tool(name=one["name"], description=one["description"], parameters=one["parameters"])
            for one in start["tools"]
        )
        self.tools = tuple(AgentTool(tool, self) for tool in offered)
        self.told: dict[str, list[Any]] = {}  # since the last move
        self._call = call
        self._loop = asyncio.get_running_loop()

    def call(self, name: str, arguments: Mapping[str, object] | str) -> str:
        """What the tool answers; one that does not exist says so. Arguments may be the text that a model wrote."""
        if _running() is self._loop:
            raise RuntimeError("a tool is called without await inside of async code: write `await tool.acall(…)`")
        return asyncio.run_coroutine_threadsafe(self._asked(name, arguments), self._loop).result()

    async def acall(self, name: str, arguments: Mapping[str, object] | str) -> str:
        if _running() is self._loop:
            return await self._asked(name, arguments)
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._asked(name, arguments), self._loop))

    def spent(
        self,
        input_tokens: int,
        output_tokens: int,
        *,
        cache_read_tokens: int = 0,
        model: str = "",
        role: str = "",
        cost: float | None = None,
        calls: int = 1,
    ) -> None:
        """Model calls that the agent made. Without a cost, the price list has one where it knows the model."""
        part = {"input_tokens": input_tokens, "output_tokens": output_tokens, "cache_read_tokens": cache_read_tokens}
        self.told.setdefault("usage", []).append({**part, "model": model, "role": role, "cost": cost, "calls": calls})

    def introduce(self, name: str, version: str) -> None:
        """Who the agent is, for reports."""
        self.who = {"name": name, "version": version}

    def note(self, text: str) -> None:
        """For the trial's notes."""
        self.told.setdefault("notes", []).append(text)

    async def _asked(self, name: str, arguments: Mapping[str, object] | str) -> str:
        return await self._call(name, arguments if isinstance(arguments, str) else dump(dict(arguments)))


def _running() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
