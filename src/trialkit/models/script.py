"""The file of `scripted:FILE`, a model for tests and demonstrations.

It is JSON: `{"replies": [{"when": REGEX, "system": REGEX, "text": …, "tool_calls": […], …}]}`. The first entry
whose conditions are found in the last message and in the system message answers; there is no other state.
"""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from trialkit.errors import InputError, ModelError, ModelErrorKind
from trialkit.text.json import decode, dump
from trialkit.vocabulary import Usage

from .types import Reply, Request, StopReason, ToolCall

_KEYS = ("when", "system", "text", "tool_calls", "stop", "usage", "error")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Entry:
    when: re.Pattern[str] | None
    system: re.Pattern[str] | None
    text: str
    calls: tuple[tuple[str, str], ...]  # name, arguments
    stop: StopReason
    usage: Usage | None
    error: ModelErrorKind | None


class Script:
    def __init__(self, file: str) -> None:
        self._file = file
        try:
            data = Path(file).read_bytes()
        except OSError as error:
            raise InputError(f"the script {file} cannot be read: {error.strerror}") from None
        self._entries = _Reader(file).entries(decode(data, file))
        self.digest = hashlib.sha256(data).hexdigest()

    def __call__(self, request: Request) -> Reply:
        last = request.messages[-1].text if request.messages else ""
        system = "\n\n".join(message.text for message in request.messages if message.role == "system")
        for entry in self._entries:
            if _found(entry.when, last) and _found(entry.system, system):
                return self._reply(entry, turn=len(request.messages))
        raise ModelError("bad_request", f"no entry of {self._file} answers this message: {last[:80]!r}")

    def _reply(self, entry: _Entry, turn: int) -> Reply:
        if entry.error is not None:
            raise ModelError(entry.error, f"{self._file} says so: {entry.text or entry.error}")
        calls = tuple(
            ToolCall(id=f"call_{turn}_{number}", name=name, arguments=arguments)
            for number, (name, arguments) in enumerate(entry.calls)
        )
        return Reply(text=entry.text, tool_calls=calls, stop=entry.stop, usage=entry.usage, model="scripted")


def _found(pattern: re.Pattern[str] | None, text: str) -> bool:
    return pattern is None or pattern.search(text) is not None


class _Reader:
    """Turns the file's JSON into entries; whatever does not fit is named with its place and its fix."""

    def __init__(self, file: str) -> None:
        self._file = file

    def entries(self, data: Any) -> tuple[_Entry, ...]:
        replies = data.get("replies") if isinstance(data, dict) else None
        if not isinstance(replies, list) or not replies:
            raise InputError(f'{self._file}: must be an object {{"replies": […]}} with at least one entry')
        return tuple(self._entry(f"replies[{number}]", one) for number, one in enumerate(replies))

    def _entry(self, place: str, data: Any) -> _Entry:
        self._object(place, data, _KEYS)
        calls = data.get("tool_calls", [])
        if not isinstance(calls, list):
            raise self._bad(f"{place}.tool_calls", calls, "a list of {name, arguments}")
        read = tuple(self._call(f"{place}.tool_calls[{number}]", call) for number, call in enumerate(calls))
        return _Entry(
            when=self._pattern(place, data, "when"),
            system=self._pattern(place, data, "system"),
            text=self._text(place, data, "text"),
            calls=read,
            stop=self._one_of(place, data, "stop", get_args(StopReason), "tools" if read else "end"),
            usage=self._usage(f"{place}.usage", data["usage"]) if "usage" in data else None,
            error=self._one_of(place, data, "error", get_args(ModelErrorKind), None),
        )

    def _call(self, place: str, data: Any) -> tuple[str, str]:
        self._object(place, data, ("name", "arguments"))
        name, arguments = self._text(place, data, "name"), data.get("arguments", {})
        if not name:
            raise self._bad(f"{place}.name", name, "the name of a tool")
        return name, arguments if isinstance(arguments, str) else dump(arguments)

    def _usage(self, place: str, data: Any) -> Usage:
        keys = ("input_tokens", "output_tokens")
        self._object(place, data, keys)
        for key in keys:
            value = data.get(key)
            if type(value) is not int or value < 0:
                raise self._bad(f"{place}.{key}", value, "a whole number from 0 up")
        return Usage(**data)

    def _pattern(self, place: str, data: dict[str, Any], key: str) -> re.Pattern[str] | None:
        if key not in data:
            return None
        try:
            return re.compile(self._text(place, data, key))
        except (re.error, OverflowError, RecursionError) as error:
            raise self._bad(f"{place}.{key}", data[key], f"a regular expression ({error})") from None

    def _text(self, place: str, data: dict[str, Any], key: str) -> str:
        value = data.get(key, "")
        if not isinstance(value, str):
            raise self._bad(f"{place}.{key}", value, "text")
        return value

    def _one_of(self, place: str, data: dict[str, Any], key: str, known: tuple[Any, ...], default: Any) -> Any:
        value = data.get(key, default)
        if key in data and value not in known:
            raise self._bad(f"{place}.{key}", value, f"one of {', '.join(known)}")
        return value

    def _object(self, place: str, data: Any, known: tuple[str, ...]) -> None:
        if not isinstance(data, dict):
            raise self._bad(place, data, f"an object with some of {', '.join(known)}")
        for key in data:
            if key not in known:
                raise InputError(f"{self._file}: {place} has an unknown key {key!r}; known are {', '.join(known)}")

    def _bad(self, place: str, value: Any, wanted: str) -> InputError:
        return InputError(f"{self._file}: {place} must be {wanted}, not {value!r}")
