"""A conversation with an agent in Python: a user with two wishes, and a shop with two orders."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from trialkit.agents import Confines, connect_agent, get_agent
from trialkit.dialogue import By, Conversation, Opening, Output, Record, Rules, ScriptedUser
from trialkit.errors import ModelError
from trialkit.models import Reply, Tool

ORDERS = {"A1": "on its way", "B2": "lost"}
TOOL = Tool(
    name="get_order",
    description="Looks up an order.",
    parameters={"type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]},
)


class Shop:
    def call(self, name: str, arguments: Mapping[str, object], by: By = "agent") -> str:
        if name != TOOL.name:
            return f"Error: there is no tool {name}"
        return ORDERS.get(str(arguments.get("order_id")), "Error: no such order")


@dataclass
class Stage:
    """What one conversation left behind."""

    output: Output | None = None
    error: ModelError | None = None
    replies: list[Reply] = field(default_factory=list)
    events: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    @property
    def said(self) -> list[str]:
        """By the agent."""
        assert self.output is not None, self.error
        messages = self.output["messages"]
        return [one["content"] or "" for one in messages if one["role"] == "assistant" and "tool_calls" not in one][1:]

    @property
    def calls(self) -> list[tuple[str, dict[str, Any]]]:
        assert self.output is not None, self.error
        return [(one["name"], one["kwargs"]) for one in self.output["actions"] if one["name"] != "respond"]

    async def hold(self, agent: str, *, wishes: tuple[str, ...] = ("A1", "B2"), timeout_s: float = 20.0) -> None:
        connection = connect_agent(agent, {"model": "m"}, timeout_s, Confines())
        record, rules = Record(), Rules()

        async def exchange(said: str, send: Any) -> Reply:
            reply: Reply = (await send()).reply
            self.replies.append(reply)
            return reply

        opening = Opening(
            policy="Be brief.",
            tools=(TOOL,),
            ask=partial(exchange, ""),
            note=record.note,
            rules=rules,
            connection=connection,
            exchange=exchange,
            log=lambda kind, **data: self.events.append((kind, data)),
        )
        try:
            party = await get_agent(agent).open(opening)
            user = ScriptedUser(wishes)
            self.output = await Conversation(
                agent=party, user=user, environment=Shop(), record=record, rules=rules
            ).run()
        except ModelError as error:
            self.error = error
        finally:
            await connection.aclose()


async def held(folder: Path, code: str, name: str = "agent", **more: Any) -> Stage:
    """With the agent that the code defines by that name."""
    file = folder / "agent.py"
    file.write_text(code)
    stage = Stage()
    await stage.hold(f"python:{file}:{name}", **more)
    return stage


def stderr(stage: Stage) -> str:
    return "".join(json.dumps(data) for kind, data in stage.events if kind == "agent stderr")
