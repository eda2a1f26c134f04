"""The processes that do such work for all trials."""

import asyncio
import json
import subprocess
import sys
from atexit import register
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Timer, local
from typing import IO, Any, cast

from trialkit.errors import InputError

#: A search takes microseconds, starting a process 30 ms; what needs longer than this tries ways without end.
SECONDS = 2.0
#: As many pieces at once; with fewer, a run in which every trial takes that long would be as much slower.
_MOST_AT_ONCE = 4
_WORKER = Path(__file__).with_name("worker.py")
_THREADS = ThreadPoolExecutor(_MOST_AT_ONCE, "trialkit-apart")
_OF_THREAD = local()  # each thread has its own process


async def apart(work: dict[str, Any]) -> Any:
    """What the worker's function `do` gives; InputError where it cannot be had, or takes too long."""
    return await asyncio.get_running_loop().run_in_executor(_THREADS, _do, work)


def _do(work: dict[str, Any]) -> Any:
    process = getattr(_OF_THREAD, "process", None) or _started()
    limit = Timer(SECONDS, process.kill)
    limit.start()
    try:
        into, out = cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout)
        into.write(json.dumps(work).encode() + b"\n")
        into.flush()
        line = out.readline()
    except OSError:
        line = b""
    finally:
        limit.cancel()
    if not line.endswith(b"\n") or process.poll() is not None:
        _OF_THREAD.process = None
        _end(process)
    if not line.endswith(b"\n"):
        raise InputError(f"{work['do']}: this took longer than {SECONDS:g} s, or too much memory, and was given up")
    said = json.loads(line)
    if "wrong" in said:
        raise InputError(said["wrong"])
    return said["found"]


def _started() -> subprocess.Popen[bytes]:
    command = [sys.executable, "-I", str(_WORKER)]
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    # in a session of its own: an interrupt at the terminal is the run's, which ends its trials in order
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nowhere, start_new_session=True)  # noqa: S603
    register(_end, process)
    _OF_THREAD.process = process
    return process


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.communicate()
