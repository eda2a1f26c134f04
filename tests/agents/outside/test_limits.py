"""What an agent's process may take: who goes over it is ended, and the error says so."""

import shlex
import sys
from pathlib import Path

import pytest

from tests.e2e.program import Program, Result
from trialkit.agents.outside import AgentEnvironment, Pool, read_limits
from trialkit.errors import InputError, ModelError

READY = 'import sys, os, time; input(); print(\'{"n": 0, "type": "ready", "protocol": 1}\', flush=True); input()\n'


@pytest.fixture
def trialkit(tmp_path: Path) -> Program:
    return Program(tmp_path)


def check(trialkit: Program, program: str, *limits: str, timeout: str = "30") -> Result:
    command = "stdio:" + shlex.join([sys.executable, "-c", READY + program])
    options = [word for limit in limits for word in ("--agent-limit", limit)]
    return trialkit("agents", "check", command, "--timeout", timeout, *options)


@pytest.mark.parametrize(
    ("program", "limits", "said"),
    [
        (
            "x = []\nwhile True: x.append(b'x' * 2**20); time.sleep(0.03)",
            ["memory=64M"],
            "over --agent-limit memory=64M",
        ),
        (
            "for _ in range(3):\n if not os.fork(): x = b'x' * 30 * 2**20; break\ntime.sleep(60)",
            ["memory=64M"],
            "over --agent-limit memory=64M",
        ),
        ("x = b'x' * 2**30", ["memory=64M"], "status 1 (its limits: memory=64M); it wrote to stderr: Trace"),
        ("while True: pass", ["cpu=1"], "over --agent-limit cpu=1"),
        ("import signal; signal.signal(24, signal.SIG_IGN)\nwhile True: pass", ["cpu=1"], "over --agent-limit cpu=1"),
        ("x = [open(os.devnull) for _ in range(99)]", ["files=32", "cpu=9"], "status 1 (its limits: files=32, cpu=9)"),
        ("time.sleep(60)", ["wall=0.5"], "over --agent-limit wall=0.5"),
    ],
    ids=["memory", "of children", "at once", "cpu", "cpu, stubborn", "files", "wall"],
)
def test_who_goes_over_a_limit_is_ended(trialkit: Program, program: str, limits: list[str], said: str) -> None:
    done = check(trialkit, program, *limits)
    assert (done.status, said in done.out) == (1, True), done.out


def test_within_its_limits_an_agent_is_let_be(trialkit: Program) -> None:
    player = "stdio:" + shlex.join([sys.executable, str(Path(__file__).with_name("player.py"))])
    limits = ["memory=1G", "cpu=30", "files=64", "wall=30"]
    options = [word for limit in limits for word in ("--agent-limit", limit)]
    done = trialkit("agents", "check", player, *options)
    assert done.status == 0, done.text


async def test_limits_are_of_a_conversation() -> None:
    """So each has a process of its own."""
    pool = Pool(
        [sys.executable, "-c", "while input(): print('x', flush=True)"], AgentEnvironment(), read_limits(["wall=60"])
    )
    try:
        first = await pool.take()
        await first.say("a", 30)
        await pool.give_back(first)
        assert not first.alive
        assert await pool.take() is not first
    finally:
        await pool.aclose()


async def test_the_time_of_all_answers_counts() -> None:
    program = "import time\nwhile input(): time.sleep(0.4); print('x', flush=True)"
    pool = Pool([sys.executable, "-c", program], AgentEnvironment(), read_limits(["wall=2"]))
    process = await pool.take()

    async def talk() -> None:
        for _ in range(6):
            await process.say("a", 30)

    try:
        with pytest.raises(ModelError, match="over --agent-limit wall=2"):
            await talk()
    finally:
        await pool.aclose()


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ("memory", "write memory=2G: bytes"),
        ("memory=", "write memory=2G"),
        ("memory=0", "16M or more"),
        ("memory=2T", "write memory=2G"),
        ("memory=-1G", "write memory=2G"),
        ("memory=nan", "write memory=2G"),
        ("memory=99999999999G", "write memory=2G"),
        ("cpu=0.5", "whole seconds, 1 or more"),
        ("cpu=1K", "whole seconds"),
        ("files=3", "16 or more"),
        ("files=99999999999", "this system allows"),
        ("wall=inf", "write wall=300"),
        ("wall=2G", "write wall=300"),
        ("disk=1G", "there is no such limit; write memory=2G, cpu=60, files=256, wall=300"),
        ("", "there is no such limit"),
    ],
)
def test_nonsense_is_refused(limit: str, said: str) -> None:
    with pytest.raises(InputError, match=rf"--agent-limit {limit}: .*{said}"):
        read_limits([limit])


def test_a_limit_given_twice_is_refused(trialkit: Program) -> None:
    done = check(trialkit, "", "cpu=1", "cpu=2")
    assert (done.status, "--agent-limit cpu=2: cpu was limited before" in done.err) == (2, True)
