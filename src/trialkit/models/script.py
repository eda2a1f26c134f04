"""The file of `scripted:FILE`, a model for tests and demonstrations.

It is JSON: `{"replies": [{"when": REGEX, "system": REGEX, "text": …, "tool_calls": […], …}]}`. The first entry whose
conditions are found in the last message and in the system message answers; there is no other state.
"""

import hashlib
import re
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter

from trialkit.errors import ModelError, ModelErrorKind
from trialkit.text.checked import checked
from trialkit.text.files import read_file
from trialkit.text.json import decode
from trialkit.vocabulary import Usage

from .protocols import tool_call
from .types import Reply, Request, StopReason


def _pattern(text: object) -> re.Pattern[str]:
    try:
        return re.compile(text if isinstance(text, str) else "(")
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"this is no regular expression: {error}") from None


_Regex = Annotated[re.Pattern[str], BeforeValidator(_pattern)]
_Count = Annotated[int, Field(ge=0)]


class _ScriptPart(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _ScriptedCall(_ScriptPart):
    name: Annotated[str, Field(min_length=1)]
    arguments: object = {}  # as text it stays what it is, JSON or not


class _ScriptedUsage(_ScriptPart):
    input_tokens: _Count
    output_tokens: _Count


class _ScriptedReply(_ScriptPart):
    when: _Regex = re.compile("")
    system: _Regex = re.compile("")
    text: str = ""
    tool_calls: list[_ScriptedCall] = []
    stop: StopReason | None = None
    usage: _ScriptedUsage | None = None
    error: ModelErrorKind | None = None


class _Replies(_ScriptPart):
    replies: Annotated[list[_ScriptedReply], Field(min_length=1)]


class Script:
    def __init__(self, file: str) -> None:
        self._file = file
        data = read_file(Path(file), "scripted:FILE names a file of replies")
        self._entries = checked(TypeAdapter(_Replies), decode(data, file), file).replies
        self.digest = hashlib.sha256(data).hexdigest()

    def __call__(self, request: Request) -> Reply:
        last = request.messages[-1].text if request.messages else ""
        system = "\n\n".join(message.text for message in request.messages if message.role == "system")
        for entry in self._entries:
            if entry.when.search(last) and entry.system.search(system):
                return self._reply(entry, turn=len(request.messages))
        raise ModelError("bad_request", f"no entry of {self._file} answers this message: {last[:80]!r}")

    def _reply(self, entry: _ScriptedReply, turn: int) -> Reply:
        if entry.error is not None:
            raise ModelError(entry.error, f"{self._file} says so: {entry.text or entry.error}")
        calls = tuple(
            tool_call(f"call_{turn}_{number}", call.name, call.arguments, number)
            for number, call in enumerate(entry.tool_calls)
        )
        usage = Usage(**entry.usage.model_dump()) if entry.usage else None
        stop = entry.stop or ("tools" if calls else "end")
        return Reply(text=entry.text, tool_calls=calls, stop=stop, usage=usage, model="scripted")
