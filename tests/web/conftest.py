"""The viewer on a real port, and whoever talks to it."""

import http.client
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from trialkit.web import Address, Following, Guard, Shelf, build, server_of


@dataclass(kw_only=True)
class Viewer:
    address: Address
    guard: Guard
    shelf: Shelf
    headers: dict[str, str] = field(default_factory=dict)

    def ask(
        self, path: str, method: str = "GET", body: str | None = None, **headers: str
    ) -> tuple[int, str, http.client.HTTPMessage]:
        line = http.client.HTTPConnection("127.0.0.1", self.address.port, timeout=60)
        spelled = {name.replace("_", "-"): value for name, value in headers.items()}
        line.request(method, path, body, self.headers | spelled)
        answer = line.getresponse()
        found = answer.status, answer.read().decode(), answer.headers
        line.close()
        return found

    def write(self, path: str, body: str) -> tuple[int, str]:
        """As our own page does it."""
        origin = f"http://127.0.0.1:{self.address.port}"
        status, text, _ = self.ask(path, "POST", body, origin=origin, x_csrf_token=self.guard.csrf)
        return status, text


def opened(folder: Path, token: str | None = None) -> Iterator[Viewer]:
    address = Address.bound("127.0.0.1", 0)
    guard, shelf = Guard(hosts=address.hosts(), token=token), Shelf(folder=folder)
    live = Following(shelf)
    server = server_of(build(shelf, guard, live), live.close)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [address.listening]})
    thread.start()
    yield Viewer(address=address, guard=guard, shelf=shelf)
    server.should_exit = True
    thread.join()


@pytest.fixture
def viewer(tmp_path: Path) -> Iterator[Viewer]:
    """Of the runs in `tmp_path`."""
    yield from opened(tmp_path)


@pytest.fixture
def locked(tmp_path: Path) -> Iterator[Viewer]:
    """As where others reach it: with a token."""
    yield from opened(tmp_path, token="sesame")
