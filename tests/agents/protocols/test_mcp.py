"""A program with its tools over MCP: what it is told, and what goes wrong."""

import json
import sys
from pathlib import Path

import pytest

from tests.agents.served.stage import Stage
from trialkit.agents import Confines, connect_agent
from trialkit.errors import InputError

CLERK = """
import asyncio, json, os, sys
from mcp import Client

async def main():
    told = json.load(sys.stdin)
    print(json.dumps(told["messages"]), file=sys.stderr)
    assert told["mcp"] == os.environ["TRIALKIT_MCP_URL"]
    async with Client(told["mcp"]) as trial:
        (tool,) = (await trial.list_tools()).tools
        found = await trial.call_tool(tool.name, {"order_id": told["messages"][-1]["content"]})
        print(found.content[0].text, "failed" if found.is_error else "")

asyncio.run(main())
"""


def program(folder: Path, code: str) -> str:
    file = folder / "clerk.py"
    file.write_text(code)
    return f"mcp:{sys.executable} {file}"


async def test_a_program_reaches_the_tools_of_its_trial_and_is_told_all_that_was_said(tmp_path: Path) -> None:
    stage = Stage()
    await stage.hold(program(tmp_path, CLERK), wishes=("A1", "C3"))
    assert stage.said == ["on its way ", "Error: no such order failed"]
    assert stage.calls == [("get_order", {"order_id": "A1"}), ("get_order", {"order_id": "C3"})]
    told = [json.loads(data["text"]) for kind, data in stage.events if kind == "agent stderr"]
    assert [one["role"] for one in told[1]] == ["assistant", "user", "assistant", "tool", "assistant", "user"]
    assert told[1][2]["tool_calls"][0]["function"] == {"name": "get_order", "arguments": '{"order_id":"A1"}'}


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("import sys; sys.exit('no luck')", "the agent ended with status 1; it wrote to stderr: no luck"),
        ("import time; time.sleep(60)", "the agent did not answer within 0.5 s"),
        ("import os; os.write(1, b'x' * 2**25 + b'y')", "the agent wrote more than 32 MB"),
    ],
)
async def test_what_goes_wrong_is_no_fail(code: str, told: str, tmp_path: Path) -> None:
    stage = Stage()
    await stage.hold(program(tmp_path, code), timeout_s=0.5 if "sleep" in code else 20.0)
    assert told in str(stage.error)


async def test_a_program_that_is_not_there_is_said() -> None:
    stage = Stage()
    await stage.hold("mcp:no-such-program")
    assert "the agent no-such-program cannot be started: No such file" in str(stage.error)


def test_without_the_package_it_is_said_how_to_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trialkit.agents.mcp.offer.find_spec", lambda _name: None)
    with pytest.raises(InputError, match=r"needs the package mcp; install it: pip install 'trialkit\[mcp\]'"):
        connect_agent("mcp:python x.py", {}, 1.0, Confines())


def test_a_command_must_follow() -> None:
    with pytest.raises(InputError, match=r"a command must follow, like mcp:'python agent\.py'"):
        connect_agent("mcp:", {}, 1.0, Confines())
