"""One agent process: a line in, a line out, and whatever it writes to stderr."""

import asyncio
import contextlib
import os
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter

from trialkit.errors import InputError, ModelError
from trialkit.models import Secrets
from trialkit.text.shown import one_line

from .limits import Limits
from .protocol import LONGEST

#: Of what it writes to stderr between two answers, the last so many bytes are kept, and so many characters shown.
_STDERR_KEPT, _STDERR_SHOWN = 100_000, 20_000
#: How long a dead process's pipes may still give what it wrote before.
_LAST_WORDS_S = 1.0
#: In messages: of what it wrote to stderr last, and of a line that it began.
_SHOWN, _BEGUN = 500, 40
#: How often a process that is waited for is looked at: for an answer, and for its end.
_LOOK_S, _ENDING_S = 0.25, 0.01
#: The system needs a moment to end a process that is killed.
_KILLED_S = 10.0
_SUPERVISOR = (sys.executable, "-I", "-S", str(Path(__file__).with_name("supervisor.py")))


class AgentProcess:
    """Started by `begin`; after a `ModelError` it is of no further use."""

    lasting = False

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        limits: Limits,
        secrets: Secrets,
        *,
        called: str = "the agent",
        folder: Path | None = None,
    ) -> None:
        self._command = command
        self._called = called
        self._folder = folder
        self._environment = environment
        self._limits = limits
        self._taken = 0.0  # seconds, for its answers
        self._over = ""  # the limit that it went over
        self._secrets = secrets
        self._stderr = b""
        self._process: asyncio.subprocess.Process | None = None  # its supervisor, which ends as it ends
        self._lifeline: socket.socket | None = None
        self._agent = 0  # the id of the agent itself, and of its process group
        self._listening: asyncio.Task[None] | None = None

    @property
    def alive(self) -> bool:
        return self._running.returncode is None

    @property
    def _running(self) -> asyncio.subprocess.Process:
        if self._process is None:
            raise RuntimeError("the agent process was not begun")
        return self._process

    async def begin(self) -> None:
        from .supervisor import START  # noqa: PLC0415 - a program of its own, for systems that can fork

        pipe = asyncio.subprocess.PIPE
        self._lifeline, theirs = socket.socketpair()
        self._lifeline.setblocking(False)
        with theirs:
            self._process = await asyncio.create_subprocess_exec(
                *(*_SUPERVISOR, str(theirs.fileno()), self._limits.of_process, *self._command),
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                limit=LONGEST,
                env=self._environment,
                cwd=self._folder,
                pass_fds=[theirs.fileno()],
                process_group=0,  # an interrupt from the terminal is not for it
            )
        self._listening = asyncio.create_task(self._listen())
        told = await asyncio.get_running_loop().sock_recv(self._lifeline, START)
        self._agent = int(told or -1)
        if self._agent < 0:
            why = os.strerror(-self._agent) if told else one_line(self._words()) or "no reason is known"
            raise ModelError("not_found", f"{self._called} {self._command[0]} cannot be started: {why}")

    async def say(self, text: str, timeout_s: float) -> str:
        """The line that the agent answers with."""
        answer = await self._answer(text, timeout_s, to_end=False)
        if not answer.endswith(b"\n"):
            raise await self._death(answer)
        return self._secrets.hide(answer.decode(errors="replace"))

    async def reply(self, text: str, timeout_s: float) -> str:
        """All that it writes until it ends by itself, of which a last line break is no part."""
        answer = await self._answer(text, timeout_s, to_end=True)
        await self._gone(_LAST_WORDS_S)
        if self._running.returncode != 0:
            raise await self._death(b"")
        return self._secrets.hide(answer.decode(errors="replace")).removesuffix("\n")

    async def tell(self, text: str) -> None:
        """A line that need not be answered."""
        stdin = self._running.stdin
        assert stdin is not None  # noqa: S101 - opened as pipes
        with contextlib.suppress(ConnectionError):  # then it has died, which is told where it is heard
            stdin.write(f"{text}\n".encode())
            await stdin.drain()

    async def hear(self) -> str:
        """The next line that it writes, whenever that is."""
        try:
            line = await self._read(to_end=False)
        except ValueError:
            raise self._too_long("a line of more") from None
        if not line.endswith(b"\n"):
            raise await self._death(line)
        return self._secrets.hide(line.decode(errors="replace"))

    async def _answer(self, text: str, timeout_s: float, *, to_end: bool) -> bytes:
        began, wall = perf_counter(), self._limits.wall
        try:
            async with asyncio.timeout(timeout_s if wall is None else min(timeout_s, wall - self._taken)):
                return await self._ask(text, to_end=to_end)
        except TimeoutError:
            if wall is not None and self._taken + perf_counter() - began >= wall:
                raise self._ended_by("wall") from None
            raise ModelError("timeout", f"{self._called} did not answer within {timeout_s:g} s") from None
        except ValueError:
            raise self._too_long("more" if to_end else "a line of more") from None
        finally:
            self._taken += perf_counter() - began

    def _too_long(self, what: str) -> ModelError:
        return ModelError("bad_reply", f"{self._called} wrote {what} than {LONGEST // 1024**2} MB")

    async def _ask(self, text: str, *, to_end: bool) -> bytes:
        await self.tell(text)
        if to_end and self._running.stdin is not None:
            self._running.stdin.close()
        return await self._read(to_end=to_end)

    async def _read(self, *, to_end: bool) -> bytes:
        """A line, less where its stdout ends; or all of it."""
        stdout = self._running.stdout
        assert stdout is not None  # noqa: S101 - opened as a pipe
        reading = asyncio.ensure_future(_whole(stdout) if to_end else stdout.readline())
        try:
            while not reading.done() and self.alive:
                await asyncio.wait({reading}, timeout=_LOOK_S)
            if not reading.done():  # it died; a child of its own may keep the pipe open for ever
                await asyncio.wait({reading}, timeout=_LAST_WORDS_S)
            return reading.result() if reading.done() else b""
        finally:
            reading.cancel()

    async def _death(self, unfinished: bytes) -> ModelError:
        """It closed its stdout: by dying, as a rule."""
        await self._gone(_LAST_WORDS_S)
        if self._listening is not None:
            await asyncio.wait({self._listening}, timeout=_LAST_WORDS_S)
        words = one_line(self._words())[-_SHOWN:]
        stderr = f"; it wrote to stderr: {words}" if words else ""
        begun = self._secrets.hide(unfinished.decode(errors="replace"))[:_BEGUN]
        cut = f" in the middle of a line ({begun!r})" if begun else ""
        self._hear_end()
        if self._over:
            return self._ended_by(self._over, stderr)
        if self._limits.words:  # what is refused, such as a file too many, the agent alone can tell
            cut += f" (its limits: {', '.join(self._limits.words)})"
        return ModelError("connection", f"{self._called} {_end(self._running.returncode)}{cut}{stderr}")

    def _ended_by(self, limit: str, stderr: str = "") -> ModelError:
        return ModelError(
            "timeout" if limit == "wall" else "connection",
            f"{self._called} was ended: it went over --agent-limit {self._limits.word(limit)}{stderr}",
        )

    async def _gone(self, within_s: float) -> bool:
        """Whether it ends. asyncio's own `wait` does not return while a child of the process holds a pipe open."""
        deadline = perf_counter() + within_s
        while self.alive and perf_counter() < deadline:  # noqa: ASYNC110 - nothing else tells
            await asyncio.sleep(_ENDING_S)
        return not self.alive

    def take_stderr(self) -> str:
        """What it wrote since this was last asked."""
        taken, self._stderr = self._words(), b""
        return taken

    def _words(self) -> str:
        kept = self._stderr
        if len(kept) > _STDERR_KEPT:  # half a secret could not be told as one: the word that was cut goes
            kept = b"".join(kept[-_STDERR_KEPT:].split(None, 1)[1:])
        return self._secrets.hide(kept.decode(errors="replace"))[-_STDERR_SHOWN:]

    async def _listen(self) -> None:
        stream = self._running.stderr
        assert stream is not None  # noqa: S101 - opened as a pipe
        while data := await stream.read(65536):
            self._stderr = self._stderr[-_STDERR_KEPT:] + data  # read at any pace: it may never end

    def kill(self) -> None:
        """With all that it started."""
        if self._process is None or self._lifeline is None:
            return
        with contextlib.suppress(OSError):  # it has ended, or was closed
            self._lifeline.shutdown(socket.SHUT_WR)
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGCONT)  # the agent may have stopped its supervisor

    async def close(self, grace_s: float) -> int | None:
        """Closes its stdin, which asks it to end. Returns its status; None: it had to be killed."""
        if self._process is None:
            if self._lifeline is not None:  # it was given up while it began
                self._lifeline.close()
            return None
        if self._process.stdin is not None:
            self._process.stdin.close()
        ended = await self._gone(grace_s)
        if not ended:
            self.kill()
            if not await self._gone(_KILLED_S):
                self._process.kill()
                await self._gone(_LAST_WORDS_S)
        self._hear_end()
        await self._forget(self._process)
        return self._process.returncode if ended else None

    def _hear_end(self) -> None:
        """Where somebody killed the supervisor: the agent died with it, and of what that started its group is known."""
        if self._lifeline is None:
            return
        from .supervisor import DONE  # noqa: PLC0415 - likewise

        told = b""
        with contextlib.suppress(OSError):
            told = self._lifeline.recv(32)
        if self.alive and not told:
            return
        self._over = told.removeprefix(DONE).decode()
        self._lifeline.close()
        self._lifeline = None
        if not told.startswith(DONE) and self._agent > 0:
            with contextlib.suppress(OSError):
                os.killpg(self._agent, signal.SIGKILL)

    async def _forget(self, process: asyncio.subprocess.Process) -> None:
        """Nothing of it stays in the event loop, not even where a child got away with its pipes."""
        if self._listening is not None:
            await asyncio.wait({self._listening}, timeout=_LAST_WORDS_S)
            self._listening.cancel()
        process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001 - nothing else closes the pipes
        await asyncio.sleep(0)  # they are closed in the loop's next round


def refuse_windows(whose: str) -> None:
    if sys.platform == "win32":
        raise InputError(
            f"on Windows trialkit starts no {whose} program: it could not be held to limits, or ended with all that"
            " it starts. Let it listen, and give http://…, or run trialkit under WSL"
        )


async def _whole(stream: asyncio.StreamReader) -> bytes:
    """ValueError where it is too long, as for a line."""
    whole = bytearray()
    while part := await stream.read(65536):
        whole += part
        if len(whole) > LONGEST:
            raise ValueError
    return bytes(whole)


def _end(status: int | None) -> str:
    if status is None:
        return "closed its stdout"
    if status >= 0:
        return f"ended with status {status}"
    try:
        return f"was ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"was ended by signal {-status}"
