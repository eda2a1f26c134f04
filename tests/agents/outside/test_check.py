"""`trialkit agents check`, with an agent that does everything right and with one for each way to go wrong."""

import shlex
import sys
from pathlib import Path

import pytest

from tests.agents.outside.address import Address
from tests.e2e.program import Program

PLAYER = Path(__file__).parent / "player.py"


def player(*options: str) -> str:
    return "stdio:" + shlex.join([sys.executable, str(PLAYER), *options])


@pytest.fixture
def trialkit(tmp_path: Path) -> Program:
    return Program(tmp_path)


def test_an_agent_that_keeps_to_the_protocol(trialkit: Program) -> None:
    done = trialkit("agents", "check", player())
    assert done.status == 0
    assert "ok     starts a conversation: player 1.0" in done.out
    assert "two at the same time" in done.out
    assert "ends when its stdin is closed" in done.out
    assert "wrong" not in done.out


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("crash", "ended with status 7; it wrote to stderr: a conversation with 1 tools something broke"),
        ("killed", "was ended by SIGKILL"),
        ("garbage", "wrote what is not JSON: 'Loading the model ...'"),
        ("hang", "did not answer within 1 s"),
        ("twice", "out of turn"),
        ("early", "out of turn"),
        ("wrong type", 'with the type "ready" instead of'),
        ("half a line", "in the middle of a line"),
        ("error", "cannot go on: too long for my model"),
        ("closed", "closed its stdout"),
    ],
)
def test_what_is_wrong_is_said_after_what_is_right(trialkit: Program, fault: str, said: str) -> None:
    done = trialkit("agents", "check", player("--fault", fault, "--at", "1"), "--timeout", "1")
    assert done.status == 1
    assert done.out.startswith("ok     starts a conversation")
    assert said in done.out
    assert done.out.endswith("the agent does not keep to the protocol\n")


def test_the_proxy_of_the_environment_is_not_for_this_machine(trialkit: Program) -> None:
    with Address() as agent:
        near = trialkit("agents", "check", agent.url, env={"http_proxy": "http://127.0.0.1:9"})
        assert near.status == 0, near.text
        far = trialkit("agents", "check", "http://agent.invalid/agent", env={"http_proxy": agent.url})
        assert far.status == 0, far.text


def test_an_agent_that_does_not_end(trialkit: Program) -> None:
    done = trialkit("agents", "check", player("--stubborn"))
    assert done.status == 1
    assert "wrong  does not end within 5 s of its stdin being closed" in done.out


def test_programs_that_cannot_be_started(trialkit: Program) -> None:
    assert "cannot be started: No such file" in trialkit("agents", "check", "stdio:no-such-program").out
    unread = trialkit("agents", "check", "stdio:'")
    assert (unread.status, "quote it as in a shell" in unread.err) == (2, True)
    empty = trialkit("agents", "check", "stdio:")
    assert (empty.status, "a command must follow" in empty.err) == (2, True)
    inside = trialkit("agents", "check", "oracle")
    assert (inside.status, "only agents of yours can be checked" in inside.err) == (2, True)


def test_the_agents_are_listed(trialkit: Program) -> None:
    listed = trialkit("agents").out
    assert "tool-calling" in listed
    assert all(way in listed for way in ("stdio:COMMAND", "http://HOST", "python:FILE:NAME", "mcp:COMMAND", "a2a:URL"))


def test_agents_in_python_are_checked_too(trialkit: Program) -> None:
    (trialkit.folder / "agent.py").write_text("def agent(trial):\n return lambda text: trial.tools[0](order_id='A1')\n")
    done = trialkit("agents", "check", "python:agent.py:agent")
    assert done.status == 0, done.text
    assert "ok     answers a user, after 1 tool calls" in done.out


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf"])
def test_a_timeout_that_is_none_is_refused(tmp_path: Path, seconds: str) -> None:
    done = Program(tmp_path)("agents", "check", "stdio:cat", "--timeout", seconds)
    assert done.status == 2
    assert "must be a number of seconds above 0" in done.err
