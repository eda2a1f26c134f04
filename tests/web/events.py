"""Whoever follows a run: reads the events that the viewer sends, as a browser does."""

import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

from .conftest import Viewer


class Events:
    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self._answer = answer

    def next(self, kind: str) -> Any:
        """The data of the next event of this kind; EOFError where the stream ends."""
        event = ""
        while line := self._answer.readline().decode():
            if line.startswith("event: "):
                event = line.removeprefix("event: ").strip()
            elif line.startswith("data: ") and event == kind:
                return json.loads(line.removeprefix("data: "))
        raise EOFError

    def until(self, kind: str, **wanted: object) -> Any:
        """The data of the first such event in which all this stands."""
        while True:
            found = self.next(kind)
            if all(found[name] == value for name, value in wanted.items()):
                return found


@contextmanager
def following(viewer: Viewer, **query: str) -> Iterator[Events]:
    line = http.client.HTTPConnection("127.0.0.1", viewer.address.port, timeout=60)
    line.request("GET", f"/live?{urlencode(query)}", headers=viewer.headers)
    answer = line.getresponse()
    assert (answer.status, answer.headers["content-type"]) == (200, "text/event-stream")
    try:
        yield Events(answer)
    finally:
        line.close()
        answer.close()
