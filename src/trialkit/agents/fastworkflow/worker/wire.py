"""trialkit's protocol on stdin and stdout."""

import json
import os
import sys
from typing import Any

JsonObject = dict[str, Any]
#: What FastWorkflow and its packages bring: no type checker knows it here.
Theirs = Any


class Abandoned(BaseException):
    """Told to end in the middle of a turn. FastWorkflow catches every `Exception`, and must not catch this."""


class Wire:
    """Each message that is read gets one answer. Whatever else is printed goes to stderr."""

    def __init__(self) -> None:
        self._out = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        self._number: Theirs = None

    def read(self) -> JsonObject:
        line = sys.stdin.readline()
        if not line:
            raise SystemExit(0)
        message: JsonObject = json.loads(line)
        self._number = message["n"]
        return message

    def answer(self, **fields: Theirs) -> None:
        self._out.write(json.dumps({"n": self._number, **fields}, default=str) + "\n")
        self._out.flush()
