"""What an agent writes without end is bounded, and holds nobody else up."""

import asyncio
import os
import sys
import time
import tracemalloc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from trialkit.agents.outside import AgentEnvironment, Limits, Pool
from trialkit.agents.outside.process import AgentProcess
from trialkit.errors import ModelError
from trialkit.models import Secrets

MB = 1024 * 1024


@asynccontextmanager
async def talking_to(program: str) -> AsyncIterator[AgentProcess]:
    pool = Pool([sys.executable, "-c", f"import sys, time\n{program}"], AgentEnvironment(), Limits())
    try:
        process = await pool.take()
        yield process
        await pool.discard(process)  # none of them ends by itself
    finally:
        await pool.aclose()


def open_files() -> int:
    return len(os.listdir("/dev/fd"))  # noqa: PTH208 - a plain count


async def test_a_line_without_end_is_given_up() -> None:
    async with talking_to("while True: sys.stdout.write('x' * 2**20)") as process:
        tracemalloc.start()
        with pytest.raises(ModelError, match="a line of more than 32 MB") as caught:
            await process.say("{}", 60)
        assert caught.value.kind == "bad_reply"
        assert tracemalloc.get_traced_memory()[1] < 150 * MB
        tracemalloc.stop()


async def test_a_line_that_is_just_short_enough_is_read() -> None:
    async with talking_to("print('x' * (32 * 2**20 - 1), flush=True); time.sleep(60)") as process:
        assert len(await process.say("{}", 60)) == 32 * MB


async def test_a_flood_on_stderr_holds_nothing_up_and_its_end_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", "sk-in-the-flood-0123456789")
    flood = "sys.stderr.write('sk-in-the-flood-0123456789 ' * 4_000_000)"
    async with talking_to(f"{flood}; sys.stderr.flush(); print('done', flush=True); time.sleep(60)") as process:
        began = time.perf_counter()
        assert await process.say("{}", 60) == "done\n"
        assert time.perf_counter() - began < 10
        words = process.take_stderr()
    assert words.endswith("[redacted] ")
    assert 1000 < len(words) <= 20_000
    assert "flood" not in words


async def test_an_agent_may_have_ended_before_its_start_is_heard_of() -> None:
    """As on a busy machine: its start and its end are there at once."""
    process = AgentProcess(["true"], AgentEnvironment().variables, Limits(), Secrets.of_environment())
    loop = asyncio.get_running_loop()

    def hold_until_ended() -> None:
        if process._process is None:
            loop.call_soon(hold_until_ended)
            return
        with suppress(ChildProcessError):  # asyncio has seen it already
            os.waitid(os.P_PID, process._process.pid, os.WEXITED | os.WNOWAIT)

    loop.call_soon(hold_until_ended)
    await process.begin()
    with pytest.raises(ModelError, match="ended with status 0"):
        await process.say("{}", 60)
    await process.close(0)


async def test_one_that_is_given_up_while_it_begins_leaves_nothing_open() -> None:
    process = AgentProcess(["true"], AgentEnvironment().variables, Limits(), Secrets.of_environment())
    beginning = asyncio.ensure_future(process.begin())
    await asyncio.sleep(0)
    beginning.cancel()
    with suppress(asyncio.CancelledError):
        await beginning
    before = open_files()
    await process.close(0)
    assert open_files() < before


async def test_who_never_reads_is_given_up() -> None:
    async with talking_to("time.sleep(60)") as process:
        with pytest.raises(ModelError, match=r"did not answer within 0\.5 s"):
            await process.say("x" * 2 * MB, 0.5)
