"""Sees to it that no agent process outlives trialkit, however trialkit ends."""

import asyncio
import os
import signal
import sys
from contextlib import suppress

#: Waits until trialkit closes its end of the pipe, which even `kill -9` does, then kills its process group: itself and
#: all that trialkit started in it, children's children too. An interrupt from the terminal is trialkit's to deal with.
_PROGRAM = """
import os, signal, sys
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
sys.stdin.buffer.read()
os.killpg(0, signal.SIGKILL)
"""


class Guard:
    """Leads the process group of the agent processes. It stays in trialkit's session, or none could join it."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._starting = asyncio.Lock()
        self._watching: asyncio.Task[None] | None = None

    async def group(self) -> int:
        """The id of the group; the guard is started with the first who asks, and anew if someone ended it."""
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable, "-I", "-S", "-c", _PROGRAM, stdin=asyncio.subprocess.PIPE, process_group=0
                )
                self._watching = asyncio.create_task(_end_with(self._process))
        return self._process.pid

    async def close(self) -> None:
        """Kills whoever is left in the group."""
        if self._process is None or self._watching is None:
            return
        self._watching.cancel()
        if self._process.returncode is None:  # else the id may be someone else's by now
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        await self._process.wait()
        self._process = None


async def _end_with(guard: asyncio.subprocess.Process) -> None:
    """What has lost its guard might outlive trialkit, so it goes at once; the pool replaces it."""
    await guard.wait()
    with suppress(ProcessLookupError):
        os.killpg(guard.pid, signal.SIGKILL)
