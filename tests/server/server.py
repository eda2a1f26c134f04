"""The server itself: a thread with an event loop of its own, or part of a program."""

import asyncio
import hashlib
import json
import threading
import time
from collections import Counter
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Literal, Self

from aiohttp import web

from tests.server.actions import Action, Cut, Drop, Endless, Fault, Hang, Protocol, Raw, Respond, Say
from tests.server.batches import BatchServer
from tests.server.behaviours import in_turn
from tests.server.protocols import answer, fault


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """A request as it came in."""

    protocol: Protocol | Literal["service"]
    body: dict[str, Any]
    headers: dict[str, str]  # names in lower case
    at: float  # time.monotonic()


class Handlers:
    """Answers requests and remembers them; knows no threads and no ports."""

    def __init__(self, respond: Respond, *, key: str | None = None, latency: float = 0.0, keep: bool = True) -> None:
        self.respond = respond
        self.key = key  # with a key, requests that come with another one are turned away
        self.latency = latency
        self.requests: list[Seen] = []
        self.bodies: Counter[str] = Counter()
        self.escape_slashes = False  # JSON may be written so
        self.service: dict[str, Any] | Raw | Endless | None = None
        self.token = ""  # that a service account is given
        self.active = 0
        self.peak = 0
        self.batches = BatchServer(self)
        self._keep = keep
        self._free: int | None = None  # so many more requests are answered before the others are held; None: all
        self._held: set[asyncio.Future[None]] = set()

    def app(self) -> web.Application:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_post("/v1/chat/completions", self._openai)
        app.router.add_post("/openai/v1/chat/completions", self._openai)  # as Azure has it
        app.router.add_post("/gate/{gate}/v1/chat/completions", self._openai)
        app.router.add_post("/v1/responses", self._responses)
        app.router.add_post("/v1/messages", self._anthropic)
        app.router.add_post("/v1beta/models/{model:[^:]+}:generateContent", self._gemini)
        cloud = "/v1/projects/{project}/locations/{location}/publishers/google/models/{model:[^:]+}:generateContent"
        app.router.add_post(cloud, self._vertex)
        app.router.add_post("/token", self._token)
        app.router.add_post("/model/{model}/converse", self._bedrock)
        app.router.add_post("/analyze", self._analyze)
        app.router.add_get("/stats", self._stats)
        self.batches.add_to(app)
        return app

    async def _openai(self, request: web.Request) -> web.StreamResponse:
        return await self._handle(request, "openai", _bearer(request))

    async def _responses(self, request: web.Request) -> web.StreamResponse:
        return await self._handle(request, "openai-responses", _bearer(request))

    async def _bedrock(self, request: web.Request) -> web.StreamResponse:
        return await self._handle(request, "bedrock", _bearer(request))

    async def _anthropic(self, request: web.Request) -> web.StreamResponse:
        return await self._handle(request, "anthropic", request.headers.get("x-api-key", ""))

    async def _gemini(self, request: web.Request) -> web.StreamResponse:
        return await self._handle(request, "gemini", request.headers.get("x-goog-api-key", ""))

    async def _vertex(self, request: web.Request) -> web.StreamResponse:
        return await self._handle(request, "gemini", _bearer(request))

    async def _token(self, _request: web.Request) -> web.Response:
        """As Google's, for who signs with the key of a service account."""
        return web.json_response({"access_token": self.token, "expires_in": 3600, "token_type": "Bearer"})

    async def _analyze(self, request: web.Request) -> web.StreamResponse:
        """A service with an answer of its own making; without one it is not there."""
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.requests.append(Seen(protocol="service", body=await request.json(), headers=headers, at=time.monotonic()))
        if self.service is None:
            raise web.HTTPNotFound
        if not isinstance(self.service, dict):
            return await _perform(self.service, request, {}, "openai", escape_slashes=False)
        return web.json_response(self.service)

    async def _pass(self) -> None:
        if self._free is None:
            return
        if self._free > 0:
            self._free -= 1
            return
        held = asyncio.get_running_loop().create_future()
        self._held.add(held)
        try:
            await held
        finally:
            self._held.discard(held)

    async def _stats(self, _request: web.Request) -> web.Response:
        return web.json_response({"requests": self.bodies.total(), "bodies": dict(self.bodies), "peak": self.peak})

    async def _handle(self, request: web.Request, protocol: Protocol, key: str) -> web.StreamResponse:
        data = await request.read()
        self.bodies[hashlib.sha256(data).hexdigest()] += 1
        body = json.loads(data)
        if self._keep:
            headers = {name.lower(): value for name, value in request.headers.items()}
            self.requests.append(Seen(protocol=protocol, body=body, headers=headers, at=time.monotonic()))
        action: Action
        if self.key is not None and key != self.key:
            action = Fault(kind="bad_key", echo=key)
        else:
            action = self.respond(body, protocol)
        self.active += 1
        self.peak = max(self.peak, self.active)
        try:
            await self._pass()
            usual = 0.0 if isinstance(action, Fault) else self.latency  # who refuses is quick
            if usual + action.latency:
                await asyncio.sleep(usual + action.latency)
            named = {**request.match_info, **body}  # some protocols name the model in the path
            return await _perform(action, request, named, protocol, escape_slashes=self.escape_slashes)
        finally:
            self.active -= 1


def _bearer(request: web.Request) -> str:
    return request.headers.get("Authorization", "").removeprefix("Bearer ")


async def _perform(
    action: Action, request: web.Request, body: dict[str, Any], protocol: Protocol, *, escape_slashes: bool
) -> web.StreamResponse:
    match action:
        case Say():
            data = answer(action, body, protocol)
            kind = "text/event-stream" if body.get("stream") else "application/json"
            return web.Response(body=data.replace(b"/", b"\\/") if escape_slashes else data, content_type=kind)
        case Fault():
            status, data = fault(action, protocol)
            return web.Response(body=data, status=status, headers=action.headers, content_type="application/json")
        case Raw():
            return web.Response(
                body=action.body, status=action.status, headers=action.headers, content_type=action.content_type
            )
        case Cut():
            response = web.StreamResponse(headers={"Content-Length": str(action.promised)})
            await response.prepare(request)
            await response.write(action.body)
            _close(request)
            return response
        case Endless():
            flood = web.StreamResponse(status=action.status)
            await flood.prepare(request)
            while True:  # until the connection is gone
                await flood.write(action.piece)
                await asyncio.sleep(action.pause)
        case Drop() | Hang():
            _close(request)
            return web.Response()


def _close(request: web.Request) -> None:
    if request.transport is not None:
        request.transport.close()


class Server(Handlers):
    """The server in a thread of its own, for `with`. `respond` may be set anew at any time."""

    def __init__(
        self,
        behaviour: Action | Respond | None = None,
        *,
        key: str | None = None,
        latency: float = 0.0,
        port: int = 0,
    ) -> None:
        super().__init__(_respond(behaviour or Say(text="ok")), key=key, latency=latency)
        self.port = port
        self.url = ""
        self._loop = asyncio.new_event_loop()
        self._runner = web.AppRunner(self.app(), access_log=None, shutdown_timeout=0.01, handler_cancellation=True)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._ready = threading.Event()

    @property
    def openai_base(self) -> str:
        return self.base("openai")

    def base(self, protocol: Protocol) -> str:
        return self.url + {"openai": "/v1", "openai-responses": "/v1", "gemini": "/v1beta"}.get(protocol, "")

    def behave(self, *actions: Action | Respond) -> None:
        """From now on: these actions in turn, or one function that decides."""
        only = actions[0] if len(actions) == 1 else in_turn(*(one for one in actions if not callable(one)))
        self.respond = _respond(only)

    def hold(self, after: int = 0) -> None:
        """From now on only so many requests are answered; the others come in and wait for `release`."""
        self._free = after

    def release(self) -> None:
        self._free = None
        self._loop.call_soon_threadsafe(self._let_go)

    def _let_go(self) -> None:
        for held in self._held:
            held.set_result(None)

    def __enter__(self) -> Self:
        self._thread.start()
        if not self._ready.wait(60):
            raise RuntimeError("the test server did not start within 60 s")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self.url = self._loop.run_until_complete(start(self._runner, self.port))
        self.port = int(self.url.rpartition(":")[2])
        self._ready.set()
        self._loop.run_forever()
        self._loop.run_until_complete(self._runner.cleanup())
        self._loop.close()


async def start(runner: web.AppRunner, port: int = 0) -> str:
    """Open the port (0: any free one) and give the URL."""
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port, backlog=1024)
    await site.start()
    return f"http://127.0.0.1:{runner.addresses[0][1]}"


def _respond(behaviour: Action | Respond) -> Respond:
    return behaviour if callable(behaviour) else in_turn(behaviour)
