"""`--agent a2a:URL`: an agent that speaks A2A 1.0. The trial's tools, if there are any, are offered to it over MCP."""

import os
import uuid
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from trialkit.agents.kind import AgentKind, Confines
from trialkit.agents.mcp import check_installed, offered
from trialkit.agents.outside import AgentConnection, OutsideKind, refuse_secrets_in_address
from trialkit.agents.served import AgentTrial, Conversations
from trialkit.dialogue import Agent, Move, ToolResult
from trialkit.errors import InputError
from trialkit.models import checked_url
from trialkit.text.json import JsonObject, members, word

from .client import A2aClient, interface_of, text_of

if TYPE_CHECKING:
    from trialkit.agents.mcp import Offered

A2A = "a2a:"
#: Under this key of each message's metadata stands what an agent may need to know of the trial.
METADATA = "trialkit"


class A2aAgent(Agent):
    """One conversation, which has a context of its own."""

    def __init__(self, trial: AgentTrial, client: A2aClient, card: JsonObject) -> None:
        self._trial = trial
        self._client = client
        self._card = card
        self._context = uuid.uuid4().hex
        self._task = ""  # that waits for what the user says next
        self._offered: Offered | None = None

    async def hear(self, text: str) -> Move:
        if self._trial.tools and self._offered is None:
            self._offered = await offered(self._trial)
        about = {"policy": self._trial.policy, "mcp": self._offered.url if self._offered else None}
        message = {
            "messageId": uuid.uuid4().hex,
            "contextId": self._context,
            "role": "ROLE_USER",
            "parts": [{"text": text}],
            "metadata": {METADATA: about},
            **({"taskId": self._task} if self._task else {}),
        }
        answer = await self._client.send(self._card, message)
        said, task = text_of(answer), members(answer.get("task"))
        waits = word(members(task.get("status")).get("state")) == "TASK_STATE_INPUT_REQUIRED"
        self._task = word(task.get("id")) if waits else ""
        self._context = word((task or members(answer.get("message"))).get("contextId")) or self._context
        return Move(text=said)

    async def observe(self, results: Sequence[ToolResult]) -> Move:
        raise TypeError(f"the agent calls its tools itself; nobody made the calls of these {len(results)} results")

    async def end(self) -> None:
        if self._offered is not None:
            await self._offered.aclose()


class _A2aKind(OutsideKind):
    def __init__(self, name: str) -> None:
        self._url = name.removeprefix(A2A)
        checked_url(self._url, "--agent", like="a2a:http://127.0.0.1:9999", instead="a token into TRIALKIT_AGENT_TOKEN")
        self.summary = f"The A2A agent at {self._url}."
        self._name = name

    def connect(self, settings: Mapping[str, object], timeout_s: float, confines: Confines) -> AgentConnection:  # noqa: ARG002 - told later
        if confines != Confines():
            raise InputError(
                f"--agent-env, --agent-limit: the agent at {self._url} is no process of trialkit's; leave them out"
            )
        refuse_secrets_in_address(self._url)
        client = A2aClient(self._url, os.environ.get("TRIALKIT_AGENT_TOKEN", "").strip() or None)

        async def met(trial: AgentTrial) -> A2aAgent:
            if trial.tools:
                check_installed(f"--agent {self._name}: the trial has tools, which are offered over MCP, and that")
            card = await client.card()
            interface_of(card)
            trial.introduce(word(card.get("name")), word(card.get("version")))
            return A2aAgent(trial, client, card)

        return AgentConnection(
            name=self._name,
            endpoint=self._url,
            key=self._name,
            channels=Conversations(met, "", ""),
            timeout_s=timeout_s,
        )


def a2a_kind(name: str) -> AgentKind:
    return _A2aKind(name)
