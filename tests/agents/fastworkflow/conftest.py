"""The real FastWorkflow, slim, installed once for all tests into the user's cache."""

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.agents.fastworkflow.script import Script
from tests.server import Server
from trialkit.agents.fastworkflow import VERSION, Venv, install
from trialkit.agents.fastworkflow.kind import command
from trialkit.errors import InputError


@pytest.fixture(scope="session")
def environment() -> Venv:
    try:
        return install(VERSION, slim=True, say=lambda _: None)
    except InputError as error:
        reason = f"needs FastWorkflow from PyPI, and uv: {error}"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)


@pytest.fixture
def cache(environment: Venv, tmp_path: Path) -> Path:
    """A cache of the test's own that has the environment in it."""
    folder = tmp_path / "cache"
    folder.mkdir()
    (folder / "agents").symlink_to(environment.folder.parent)
    return folder


class Worker:
    """The worker, talked to line by line. `results` is what every tool answers."""

    def __init__(self, environment: Venv) -> None:
        self._process = subprocess.Popen(
            command(environment), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self._number = 0
        self.result = "{}"

    @property
    def place(self) -> Path:
        """Its own folder."""
        return Path(tempfile.gettempdir()) / f"trialkit-fastworkflow-{os.getuid()}" / str(self._process.pid)

    def say(self, **message: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"n": self._number, **message}) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        assert answer["n"] == self._number
        self._number += 1
        return answer

    def start(self, server: Server, **settings: Any) -> dict[str, Any]:
        told = {"model": "openai/scripted", "api_base": server.openai_base, "temperature": 0.0, "retries": 0}
        return self.say(type="start", protocol=1, policy="Be kind to goats.", tools=[], settings=told | settings)

    def turn(self, text: str) -> tuple[list[tuple[str, Any]], dict[str, Any]]:
        """The calls of a whole turn, and the answer that ends it."""
        calls = []
        answer = self.say(type="user", text=text)
        while answer["type"] == "calls":
            (call,) = answer["calls"]
            calls.append((call["name"], call["arguments"]))
            results = [{"id": "x", "name": call["name"], "text": self.result}]
            answer = self.say(type="results", results=results)
        return calls, answer

    def close(self) -> int:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        status = self._process.wait(100)
        self._process.stdout.close()
        return status


@pytest.fixture(scope="module")
def shared_worker(environment: Venv) -> Iterator[Worker]:
    worker = Worker(environment)
    yield worker
    assert worker.close() == 0


@pytest.fixture
def script() -> Script:
    return Script({})


@pytest.fixture
def server(script: Script) -> Iterator[Server]:
    with Server(script) as server:
        yield server


@pytest.fixture
def worker(shared_worker: Worker, server: Server) -> Iterator[Worker]:
    """In a conversation of its own."""
    assert shared_worker.start(server)["type"] == "ready"
    yield shared_worker
    assert shared_worker.say(type="end")["type"] == "ended"
