"""A server and an environment of its own for each test."""

import asyncio
from collections.abc import Iterator

import pytest

from tests.server import Server

#: Planted as the key of all providers: it must never be seen again.
KEY = "sk-planted-0123456789abcdef"


class Waits(list[float]):
    """A sleep that remembers how long it was asked to wait, and does not."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)
        await asyncio.sleep(0)


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


@pytest.fixture
def waits() -> Waits:
    return Waits()


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for provider in ("OPENAI", "ANTHROPIC", "GEMINI"):
        monkeypatch.setenv(f"{provider}_API_KEY", KEY)
        monkeypatch.delenv(f"{provider}_BASE_URL", raising=False)
    monkeypatch.delenv("TRIALKIT_PRICES", raising=False)
