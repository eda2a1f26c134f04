"""llama.cpp's server in a process of its own, for all roles of a run that ask the same model."""

import asyncio
import contextlib
import json
import os
import re
import secrets
import signal
import sys
import tempfile
from pathlib import Path
from typing import IO

from trialkit.errors import InputError, ModelError
from trialkit.models.protocols import ModelAddress
from trialkit.text.short import shortened

from .file import ModelFile

_PROGRAM = (sys.executable, "-P", str(Path(__file__).with_name("program.py")))
#: Named as llama.cpp names them: how many requests are worked on at once, and for how many tokens in all there is room.
_PARALLEL, CONTEXT = "LLAMA_ARG_N_PARALLEL", "LLAMA_ARG_CTX_SIZE"
_USUAL_PARALLEL, _USUAL_ROOM = 2, 16_384
#: `0.00.117.245 E llama_model_load: error loading model: ` before what went wrong.
_LOGGED = re.compile(r"^[\d.]+ E (?:\w+: )?(?:error loading model: )?(.+)$", re.MULTILINE)
_LONGEST = 300


class LlamaServer:
    """Started by whoever first asks for its address, and again after it died."""

    def __init__(self, file: ModelFile) -> None:
        parallel = _number(_PARALLEL, _USUAL_PARALLEL)
        self._told = {"parallel": parallel, "context": _number(CONTEXT, _USUAL_ROOM * parallel)}
        self._file = file
        self._starting: asyncio.Task[ModelAddress] | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._users: set[object] = set()

    async def address(self, user: object) -> ModelAddress:
        """Raises `ModelError`: it is loading its model, or cannot."""
        self._users.add(user)
        if self._starting is None or self._died():
            self._starting = asyncio.create_task(self._start())
        if not self._starting.done():
            raise ModelError("loading", f"llama.cpp is loading {self._file.path.name}")
        return self._starting.result()

    def _died(self) -> bool:
        """After it was up: what cannot be loaded once is not tried again."""
        return bool(self.end and self._starting and self._starting.done() and self._starting.exception() is None)

    @property
    def end(self) -> str:
        """How its process ended; empty: it did not."""
        status = self._process.returncode if self._process else None
        if status is None:
            return ""
        return f"ended with status {status}" if status >= 0 else f"was ended by {signal.Signals(-status).name}"

    async def leave(self, user: object) -> None:
        """It ends with the last who used it."""
        self._users.discard(user)
        if self._users or self._starting is None:
            return
        self._starting.cancel()
        await asyncio.wait({self._starting})
        self._starting = None
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()  # it has nothing to put in order
            await self._process.communicate()
            self._process = None

    async def _start(self) -> ModelAddress:
        key, pipe = secrets.token_urlsafe(), asyncio.subprocess.PIPE
        with tempfile.TemporaryFile() as stderr:
            self._process = process = await asyncio.create_subprocess_exec(
                *_PROGRAM, stdin=pipe, stdout=pipe, stderr=stderr
            )
            assert process.stdin is not None  # noqa: S101 - opened as pipes
            assert process.stdout is not None  # noqa: S101 - likewise
            process.stdin.write(json.dumps({**self._told, "path": str(self._file.path), "key": key}).encode() + b"\n")
            address = (await process.stdout.readline()).decode().strip()
            if not address:
                await process.wait()
                raise ModelError("not_found", f"llama.cpp cannot load {self._file.path}: {_reason(stderr) or self.end}")
        return ModelAddress(base=f"{address}/v1", model=self._file.path.name, key=key)


def _reason(stderr: IO[bytes]) -> str:
    """The first fault: what follows from it is told after it."""
    stderr.seek(0)
    said = stderr.read().decode(errors="replace")
    fault = _LOGGED.search(said)
    return shortened(fault[1] if fault else said.strip().rpartition("\n")[2], _LONGEST)


def _number(variable: str, usual: int) -> int:
    given = os.environ.get(variable, "").strip() or str(usual)
    if not given.isdecimal() or int(given) < 1:
        raise InputError(f"the environment variable {variable} must be a number of 1 or more, not {given!r}")
    return int(given)
