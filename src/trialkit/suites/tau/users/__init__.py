"""Users: whoever plays the customer in a conversation. One is opened for each trial."""

from collections.abc import Mapping, Sequence
from typing import Literal

from trialkit.dialogue import Move, Opening, ScriptedUser, SimulatedUser, User

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
    from .strategies import ReactUser, ReflectingUser, VerifiedUser  # noqa: PLC0415 - few runs need them

    if strategy == "react":
        return ReactUser(opening, prompts)
    return (VerifiedUser if strategy == "verify" else ReflectingUser)(opening, prompts, instruction)
