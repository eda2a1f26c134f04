"""The server as a program, as the benchmarks and the end-to-end tests run it."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import pytest

from trialkit.models import Message, ModelSpec, Request, Tool, open_model

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def url() -> Iterator[str]:
    command = [sys.executable, "-m", "tests.server", "--port", "0", "--latency", "0.01"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        yield program.stdout.readline().strip()
        program.terminate()
    assert program.returncode == 0


async def test_the_analyst_answers_and_counts(url: str) -> None:
    model = open_model(ModelSpec(name="mine", api_base=f"{url}/v1"))
    plain = Request(messages=(Message(role="user", text="hi"),))
    tool = Tool(name="create_alert", description="", parameters={"type": "object"})
    alert = Request(messages=plain.messages, tools=(tool,))
    replies = [(await model(request)).reply for request in (plain, alert, alert)]
    await model.aclose()
    assert [len(reply.tool_calls) for reply in replies] == [0, 1, 1]
    assert json.loads(replies[1].tool_calls[0].arguments)["threshold_price"] == 4.1
    async with aiohttp.ClientSession() as session, session.get(f"{url}/stats") as answer:
        stats = await answer.json()
    assert stats["requests"] == 3
    assert sorted(stats["bodies"].values()) == [1, 2]
