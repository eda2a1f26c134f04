"""Agents that speak MCP and A2A, with the official SDKs, solve real tasks and the cases of a file."""

import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.agents.real.parcels import Parcels
from tests.agents.real.retail import Retail
from tests.e2e.waiting import wait_for
from trialkit.runfile import RecordedTrial

AGENTS = Path(__file__).resolve().parents[3] / "examples" / "agents"
KEYS = ("--agent-env", "OPENAI_API_KEY", "--agent-env", "OPENAI_BASE_URL")


def tried(suite: Retail | Parcels, protocol: str) -> list[RecordedTrial]:
    if protocol == "mcp":
        return suite.tried(f"mcp:{sys.executable} {AGENTS / 'mcp_agent.py'}", *KEYS)
    with a2a_agent(suite.program.env) as url:
        return suite.tried(f"a2a:{url}")


@contextmanager
def a2a_agent(environment: Mapping[str, str]) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, str(AGENTS / "a2a_agent.py"), str(port)]
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as process:
        try:
            wait_for(lambda: process.poll() is not None or answers(port))
            yield f"http://127.0.0.1:{port}"
        finally:
            process.kill()


def answers(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/.well-known/agent-card.json", timeout=30) as response:
            return bool(response.status == 200)
    except OSError:
        return False


@pytest.mark.parametrize("protocol", ["mcp", "a2a"])
def test_two_tasks_of_tau2_are_solved(protocol: str, retail: Retail, needs: Callable[[str], None]) -> None:
    needs(protocol)
    trials = tried(retail, protocol)
    assert [(trial.error, trial.decided and trial.decided.score) for trial in trials] == [(None, 1.0)] * 2


@pytest.mark.parametrize("protocol", ["mcp", "a2a"])
def test_the_cases_of_a_file_are_answered(protocol: str, parcels: Parcels, needs: Callable[[str], None]) -> None:
    needs(protocol)
    trials = tried(parcels, protocol)
    assert [(trial.error, trial.outcome) for trial in trials] == [(None, "pass")] * 2
