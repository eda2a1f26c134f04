"""The hostile agents behind a URL: what they say, and what only HTTP can do."""

import asyncio
import gzip
import json
import threading
from collections.abc import Callable
from typing import Self

from tests.attack.agents import ANSWERS, AT_END, AT_START, Told, answered, good, reply

_MB = 1024 * 1024


def response(body: bytes, *headers: str, status: str = "200 OK", length: int | None = None) -> bytes:
    told = [f"HTTP/1.1 {status}", f"Content-Length: {len(body) if length is None else length}", "Connection: close"]
    return "\r\n".join([*told, *headers, "", ""]).encode() + body


def refused(status: str, *headers: str) -> Callable[[bytes], bytes]:
    return lambda body: response(body, *headers, status=status)


def chunked(*parts: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n" + b"".join(parts)


#: What becomes of a move on its way, as bytes; what is told last is said again and again, if it is of ENDLESS.
FAULTS: dict[str, Callable[[bytes], bytes]] = {
    "status 500": refused("500 Sorry"),
    "status 503 with a wish": refused("503 Later", "Retry-After: 99999999"),
    "status 429": refused("429 Slow down"),
    "status 401": refused("401 Who are you"),
    "status 204": lambda _: b"HTTP/1.1 204 Nothing\r\nConnection: close\r\n\r\n",
    "status 999": refused("999 \x1b[2J"),
    "status of text": refused("OK fine"),
    "moved to the metadata": refused("302 There", "Location: http://169.254.169.254/latest/meta-data"),
    "moved to a file": refused("302 There", "Location: file:///etc/passwd"),
    "closed without a word": lambda _: b"",
    "no HTTP at all": lambda body: body,
    "half the headers": lambda _: b"HTTP/1.1 200 OK\r\nContent-Le",
    "less than promised": lambda body: response(body, length=len(body) + 100),
    "more than promised": lambda body: response(body + b"x" * 100, length=len(body)),
    "length below nothing": lambda body: response(body, length=-5),
    "chunks of garbage": lambda body: chunked(b"zz\r\n" + body),
    "chunks that break off": lambda body: chunked(f"{len(body):x}\r\n".encode() + body[:10]),
    "gzip that is none": lambda body: response(body, "Content-Encoding: gzip"),
    "gzip that breaks off": lambda body: response(gzip.compress(body)[:-9], "Content-Encoding: gzip"),
    "gzip of 200 MB": lambda _: response(gzip.compress(b" " * 200 * _MB, 1), "Content-Encoding: gzip"),
    "50,000 headers": lambda body: response(body, *[f"X-{n}: x" for n in range(50_000)]),
    "a header of 1 MB": lambda body: response(body, "X: " + "x" * _MB),
    "another charset": lambda body: response(body, "Content-Type: application/json; charset=klingon"),
    "a cookie": lambda body: response(body, "Set-Cookie: a=b; Domain=localhost"),
    "nothing, for ever": lambda _: b"",
    "headers for ever": lambda _: b"HTTP/1.1 200 OK\r\n",
    "a body for ever": lambda _: b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n",
    "an error for ever": lambda _: b"HTTP/1.1 500 Sorry\r\nConnection: close\r\n\r\n",
    "a byte now and then": lambda body: response(b"", length=len(body)),
}
#: What goes on until the other side has enough: what is said again, and the pause before.
_ENDLESS = {
    "nothing, for ever": (b"", 0.1),
    "headers for ever": (b"X: x\r\n" * 10_000, 0.0),
    "a body for ever": (b"x" * _MB, 0.0),
    "an error for ever": (b"x" * _MB, 0.0),
    "a byte now and then": (b" ", 0.1),
}
HTTP_KINDS = (*ANSWERS, *AT_START, *AT_END, *FAULTS)


class HostileAddress:
    """For `with`: `url` is the agents'."""

    def __init__(self) -> None:
        self.url = ""
        self._kinds: dict[str, str] = {}
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(60)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _serve(self) -> None:
        server = self._loop.run_until_complete(asyncio.start_server(self._meet, "127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/agent"
        self._ready.set()
        self._loop.run_forever()
        server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0.01))
        self._loop.close()

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
            told = json.loads(await reader.readexactly(length))
            kind = self._kinds.setdefault(told["conversation"], told.get("policy", ""))
            is_move = told["type"] not in {"start", "end"}
            writer.write(said(kind, told))
            await writer.drain()
            while is_move and kind in _ENDLESS:
                more, pause = _ENDLESS[kind]
                writer.write(more)
                await writer.drain()
                await asyncio.sleep(pause)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the last one is the end of us all: asyncio would tell of each
        finally:
            writer.close()


def said(kind: str, told: Told) -> bytes:
    if kind in FAULTS and told["type"] not in {"start", "end"}:
        return FAULTS[kind](reply()(told))
    answer = answered(kind, told)
    return response(good(told) if answer is None else answer)
