"""What an agent's process may take in a conversation, as --agent-limit says."""

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from trialkit.errors import InputError

_NUMBER = re.compile(r"(\d+(?:\.\d+)?)([KMG]?)", re.IGNORECASE)
_TIMES = {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3}
#: By name: the least that a program starts with, and how a limit is written.
_LEAST = {
    "memory": (16 * 1024**2, "memory=2G: bytes, with K, M or G; 16M or more"),
    "cpu": (1, "cpu=60: whole seconds, 1 or more"),
    "files": (16, "files=256: how many, 16 or more"),
    "wall": (0.1, "wall=300: seconds, 0.1 or more"),
}
_HOW = f"write {', '.join(how.partition(':')[0] for _, how in _LEAST.values())}, each with its own --agent-limit"


@dataclass(frozen=True, slots=True)
class Limits:
    """`words`: as the user wrote them; `of_process`: those that the supervisor sets, in bytes, seconds and files."""

    words: tuple[str, ...] = ()
    of_process: str = ""
    wall: float | None = None  # seconds for all answers in a conversation

    def word(self, name: str) -> str:
        return next(word for word in self.words if word.startswith(f"{name}="))


def read_limits(words: Sequence[str]) -> Limits:
    found: dict[str, float] = {}
    for word in words:
        name, _, value = word.partition("=")
        if name not in _LEAST:
            raise InputError(f"--agent-limit {word}: there is no such limit; {_HOW}")
        if name in found:
            raise InputError(f"--agent-limit {word}: {name} was limited before; leave one of them out")
        found[name] = _number(word, name, value)
    wall = found.pop("wall", None)
    return Limits(tuple(words), ",".join(f"{name}={value:.0f}" for name, value in found.items()), wall)


def _number(word: str, name: str, value: str) -> float:
    least, how = _LEAST[name]
    read = _NUMBER.fullmatch(value)
    number = float(read[1]) * _TIMES[read[2].upper()] if read else 0.0
    plain = value.isdecimal() if name in {"cpu", "files"} else name == "memory" or (read is not None and not read[2])
    if not plain or not least <= number < 2**62:
        raise InputError(f"--agent-limit {word}: write {how}")
    if name == "memory" and sys.platform != "linux":
        raise InputError(f"--agent-limit {word}: only Linux can hold a program to it; leave it out here")
    if name == "files":
        _check_files(word, number)
    return number


def _check_files(word: str, number: float) -> None:
    import resource  # noqa: PLC0415 - there is none on Windows

    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if most != resource.RLIM_INFINITY and number > most:
        raise InputError(f"--agent-limit {word}: this system allows {most}")
