"""An agent behind a URL, for tests: replies to everything, or answers as it is told to."""

import asyncio
import threading
from typing import Any, Self

from aiohttp import web

from tests.server.server import start

USAGE = {"input_tokens": 10, "output_tokens": 5, "cost": 0.001}


class Address:
    """For `with`. `plans`: what to call, by the user's first message; `wrong`: a response instead of any move."""

    def __init__(self, plans: dict[str, list[Any]] | None = None) -> None:
        self.plans = plans or {}
        self.wrong: web.Response | None = None
        self.delay = 0.0
        self.last_words = "That is done."
        self.tokens: list[str | None] = []
        self.conversations: dict[str, list[Any]] = {}
        self.url = ""
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait(60)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _serve(self) -> None:
        app = web.Application(client_max_size=2**24)
        app.router.add_post("/agent", self._post)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.01, handler_cancellation=True)
        self.url = self._loop.run_until_complete(start(runner)) + "/agent"
        self._ready.set()
        self._loop.run_forever()
        self._loop.run_until_complete(runner.cleanup())
        self._loop.close()

    async def _post(self, request: web.Request) -> web.Response:
        told = await request.json()
        self.tokens.append(request.headers.get("Authorization"))
        if told["type"] not in {"start", "end"}:
            await asyncio.sleep(self.delay)
            if self.wrong is not None:
                return web.Response(body=self.wrong.body, status=self.wrong.status)
        return web.json_response({"n": told["n"], **self._answer(told)})

    def _answer(self, told: dict[str, Any]) -> dict[str, Any]:
        name = told["conversation"]
        if told["type"] == "start":
            self.conversations[name] = []
            return {"type": "ready", "protocol": 1, "name": "address", "version": "2"}
        if told["type"] == "end":
            del self.conversations[name]
            return {"type": "ended"}
        if told["n"] == 1:
            self.conversations[name] = list(self.plans.get(told["text"], []))
        if self.conversations[name]:
            tool, arguments = self.conversations[name].pop(0)
            return {"type": "calls", "calls": [{"name": tool, "arguments": arguments}], "usage": USAGE}
        return {"type": "reply", "text": self.last_words, "usage": USAGE}
