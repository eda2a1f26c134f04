"""Agents of real frameworks and protocols, whose packages the dependency group `agents` brings."""

import importlib.util
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from tests.agents.real.parcels import Parcels
from tests.agents.real.retail import Retail
from tests.e2e.program import Program
from tests.server import Server

S = TypeVar("S", Retail, Parcels)


@pytest.fixture
def needs() -> Callable[[str], None]:
    """Skips where a package is not installed; in CI that is a failure."""

    def need(package: str) -> None:
        if importlib.util.find_spec(package) is None:
            reason = f"needs the package {package}: uv run --group agents pytest tests/agents/real"
            if os.environ.get("CI"):
                pytest.fail(reason)
            pytest.skip(reason)

    return need


@pytest.fixture
def retail(tau2_home: Path, tmp_path: Path) -> Iterator[Retail]:
    """The shop, with a server that all of OpenAI's clients find."""
    yield from _served(Retail(tau2_home, Program(tmp_path)))


@pytest.fixture
def parcels(tmp_path: Path) -> Iterator[Parcels]:
    """A suite of a file, with such a server."""
    yield from _served(Parcels(Program(tmp_path)))


def _served(suite: S) -> Iterator[S]:
    with Server(suite) as server:
        suite.server = server
        suite.program.env |= {
            "OPENAI_BASE_URL": server.openai_base,
            "OPENAI_API_KEY": "sk-for-no-server-of-openai",
            "OPENAI_AGENTS_DISABLE_TRACING": "1",
        }
        yield suite
