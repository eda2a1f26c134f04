"""Users: whoever plays the customer in a conversation. One is opened for each trial.

A model may play one after a thought, or with a second look at each message before it is sent.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Literal

from trialkit.dialogue import Move, Opening, ScriptedUser, SimulatedUser, User
from trialkit.models import Message, Reply

#: As often as in tau-bench, something else is said in place of a message that is not good.
_TIMES = 2
_THOUGHT = re.compile(r"^(?:[*_#]|[^\S\n])*Thought:", re.MULTILINE)
_MESSAGE = re.compile(r"^(?:[*_#]|[^\S\n])*Message:[*_]*", re.MULTILINE)
_GOOD = re.compile(r"^(?:[*_#]|[^\S\n])*Good:[*_\s]*(yes|no)\b", re.MULTILINE | re.IGNORECASE)
UserStrategy = Literal["llm", "react", "verify", "reflection", "scripted"]


def open_user(
    strategy: UserStrategy,
    opening: Opening,
    *,
    instruction: str,
    prompts: Mapping[str, str],
    script: Sequence[str | Move],
) -> User:
    """`prompts` are the strategies' own, by name; `script` is for a scripted one."""
    if strategy == "scripted":
        return ScriptedUser(script)
    if strategy == "llm":
        return SimulatedUser(opening)
    if strategy == "react":
        return ReactUser(opening, prompts)
    return (VerifiedUser if strategy == "verify" else ReflectingUser)(opening, prompts, instruction)


class ReactUser(SimulatedUser):
    """Thinks first. The thought stays in the user's own memory; the agent never gets it."""

    def __init__(self, opening: Opening, prompts: Mapping[str, str]) -> None:
        super().__init__(opening, f"{opening.policy}\n\n{prompts['react']}")

    def read(self, reply: Reply) -> Move:
        return Move(text=message_in(reply.text), calls=super().read(reply).calls)

    def remembered(self) -> str:
        return self.reply.text


class _SupervisedUser(SimulatedUser, ABC):
    def __init__(self, opening: Opening, prompts: Mapping[str, str], instruction: str) -> None:
        super().__init__(opening)
        self._prompts = prompts
        self._instruction = instruction

    @abstractmethod
    async def instead(self, move: Move, fault: str) -> Move:
        """In place of a move whose message has this fault."""

    async def decide(self) -> Move:
        move = await super().decide()
        for _ in range(_TIMES):
            if move.calls or not (fault := await self._fault(move.text)):
                return move
            self.opening.note("user_line_rejected", f"{move.text!r}: {fault}")
            move = await self.instead(move, fault)
        return move

    async def _fault(self, text: str) -> str:
        """What a second look finds wrong with a message; empty if it is good."""
        found = await self._look("check", text)
        verdicts = _GOOD.findall(found)
        if not verdicts:
            self.opening.note(
                "user_check_unread", "the check of the user's message says neither yes nor no; it is sent"
            )
            return ""
        return "" if verdicts[-1].lower() == "yes" else _GOOD.sub("", found).strip() or "it is not good"

    async def _look(self, prompt: str, text: str, fault: str = "") -> str:
        names = {"user": "Agent", "assistant": "Customer"}
        before = "\n".join(f"{names[one.role]}: {one.text}" for one in self.messages if one.role in names)
        parts = {"part": self._instruction, "conversation": before, "message": text, "fault": fault}
        shown = "\n\n".join(f"<{name}>\n{part}\n</{name}>" for name, part in parts.items() if part)
        reply = await self.ask(Message(role="system", text=self._prompts[prompt]), Message(role="user", text=shown))
        return reply.text


class VerifiedUser(_SupervisedUser):
    """A message that a second look rejects is written anew; the last try is sent as it is."""

    async def instead(self, move: Move, fault: str) -> Move:  # noqa: ARG002 - the model is not told
        return await SimulatedUser.decide(self)


class ReflectingUser(_SupervisedUser):
    """A message that a second look rejects is rewritten, knowing why; the last rewrite is sent as it is."""

    async def instead(self, move: Move, fault: str) -> Move:
        rewritten = message_in(await self._look("rewrite", move.text, fault)) or move.text
        self.reply = Reply(text=rewritten)  # the provider's state belongs to what was not sent
        return Move(text=rewritten)


def message_in(text: str) -> str:
    """What stands under `Message:`; a text without parts as it is; nothing where there is only a thought."""
    found = _MESSAGE.search(text)
    if found:
        return text[found.end() :].strip()
    return "" if _THOUGHT.search(text) else text.strip()
