"""Users that a model plays: plainly, after a thought, or with a second look at each message before it is sent."""

import re

from trialkit.errors import ModelError
from trialkit.models import Message, Request

from . import Part

#: As often as tau-bench's own: tries until a message is found good, and rewrites of one that is not.
_TRIES, _REWRITES = 3, 2
_THOUGHT = re.compile(r"^[*_#\s]*Thought:", re.MULTILINE)
_MESSAGE = re.compile(r"^[*_#\s]*Message:[*_]*", re.MULTILINE)
_GOOD = re.compile(r"^[*_#\s]*Good:[*_\s]*(yes|no)\b", re.MULTILINE | re.IGNORECASE)


class SimulatedUser:
    """To the model that plays the user, the agent is the one who asks."""

    def __init__(self, part: Part) -> None:
        self._part = part
        self._messages = [Message(role="system", text=self._system())]

    async def hear(self, text: str) -> str:
        self._messages.append(Message(role="user", text=text))
        line = await self._line()
        self._messages.append(Message(role="assistant", text=self._kept(line)))
        return line

    def _system(self) -> str:
        return self._part.system

    async def _line(self) -> str:
        """The next message; one that cannot be read is asked for once more."""
        line = self._read(await self._ask(*self._messages))
        if line:
            return line
        self._part.note("user_asked_again", "the simulated user's reply holds no message")
        line = self._read(await self._ask(*self._messages))
        if line:
            return line
        # No fault of the agent's: the trial ends without a verdict, and can be tried again.
        raise ModelError("bad_reply", "the simulated user gave no message, twice in a row")

    def _read(self, text: str) -> str:
        return text.strip()

    def _kept(self, line: str) -> str:
        """What the model is shown later of its own message."""
        return line

    async def _ask(self, *messages: Message) -> str:
        return (await self._part.ask(Request(messages=messages, seed=self._part.seed))).text


class ReactUser(SimulatedUser):
    """Thinks first. The thought stays in the user's own memory; the agent never gets it."""

    def __init__(self, part: Part) -> None:
        super().__init__(part)
        self._written = ""

    def _system(self) -> str:
        return f"{self._part.system}\n\n{self._part.prompts['react']}"

    def _read(self, text: str) -> str:
        self._written = text
        return message_in(text)

    def _kept(self, line: str) -> str:  # noqa: ARG002 - it remembers more than the line
        return self._written


class _SupervisedUser(SimulatedUser):
    async def _fault(self, line: str) -> str:
        """What a second look finds wrong with a message; empty if it is good."""
        check = self._part.prompts["check"]
        said = await self._ask(Message(role="system", text=check), Message(role="user", text=self._shown(line)))
        verdicts = _GOOD.findall(said)
        if not verdicts:
            self._part.note("user_check_unread", "the check of the user's message says neither yes nor no; it is sent")
            return ""
        return "" if verdicts[-1].lower() == "yes" else _GOOD.sub("", said).strip() or "it is not good"

    def _shown(self, line: str, fault: str = "") -> str:
        names = {"user": "Agent", "assistant": "Customer"}
        said = "\n".join(f"{names[one.role]}: {one.text}" for one in self._messages if one.role in names)
        parts = {"part": self._part.instruction, "conversation": said, "message": line, "fault": fault}
        return "\n\n".join(f"<{name}>\n{text}\n</{name}>" for name, text in parts.items() if text)


class VerifiedUser(_SupervisedUser):
    """A message that a second look rejects is written anew; the last try is sent as it is."""

    async def _line(self) -> str:
        line = await super()._line()
        for _ in range(_TRIES - 1):
            fault = await self._fault(line)
            if not fault:
                return line
            self._part.note("user_line_rejected", f"{line!r}: {fault}")
            line = await super()._line()
        return line


class ReflectingUser(_SupervisedUser):
    """A message that a second look rejects is rewritten, knowing why; the last rewrite is sent as it is."""

    async def _line(self) -> str:
        line = await super()._line()
        for _ in range(_REWRITES):
            fault = await self._fault(line)
            if not fault:
                return line
            self._part.note("user_line_rejected", f"{line!r}: {fault}")
            rewrite = Message(role="system", text=self._part.prompts["rewrite"])
            said = await self._ask(rewrite, Message(role="user", text=self._shown(line, fault)))
            line = message_in(said) or line
        return line


def message_in(text: str) -> str:
    """What stands under `Message:`; a text without parts as it is; nothing where there is only a thought."""
    found = _MESSAGE.search(text)
    if found:
        return text[found.end() :].strip()
    return "" if _THOUGHT.search(text) else text.strip()
