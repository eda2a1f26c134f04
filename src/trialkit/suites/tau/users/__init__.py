"""Users: whoever plays the customer in a conversation. One is opened for each trial."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from trialkit.models import Reply, Request

UserStrategy = Literal["llm", "react", "verify", "reflection", "scripted"]


class User(Protocol):
    async def hear(self, text: str) -> str:
        """What the agent says in, what the user says in return out. Raises `ModelError`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """What a user is given for a trial."""

    instruction: str
    system: str  # the user's prompt with the instruction in it; empty for a scripted one
    prompts: Mapping[str, str]  # the strategies' own, by name
    lines: Sequence[str]  # of a script
    ask: Callable[[Request], Awaitable[Reply]]
    note: Callable[[str, str], None]  # a rule that was applied to what the model said, and to what in it
    seed: int | None


def open_user(strategy: UserStrategy, part: Part) -> User:
    # Late: whoever replays the ground truth needs none of the others.
    if strategy == "scripted":
        from .scripted import ScriptedUser  # noqa: PLC0415

        return ScriptedUser(part)
    from .simulated import ReactUser, ReflectingUser, SimulatedUser, VerifiedUser  # noqa: PLC0415

    kinds = {"llm": SimulatedUser, "react": ReactUser, "verify": VerifiedUser, "reflection": ReflectingUser}
    return kinds[strategy](part)
