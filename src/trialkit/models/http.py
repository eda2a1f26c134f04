"""One request over HTTP, as the model's own protocol writes and reads it."""

import asyncio
from dataclasses import replace

from yarl import URL

from trialkit.errors import ModelError
from trialkit.text.json import merged

from .answers import Answers
from .classify import wants_stream
from .prices import TokenPrice
from .protocols import ModelAddress, Protocol
from .secrets import Secrets
from .types import Reply, Request
from .web import Heard, Web


class HttpClient:
    def __init__(
        self,
        protocol: Protocol,
        to: ModelAddress,
        *,
        timeout: float,
        price: TokenPrice | None,
        secrets: Secrets,
        heard: Heard = lambda _headers: None,
    ) -> None:
        """`heard` is told the headers of each answer, their names in lower case."""
        self._protocol = protocol
        self._to = to
        self._answers = Answers(protocol=protocol, to=to, price=price, secrets=secrets)
        self._free = price is not None and price.is_free
        self._url = URL(protocol.url(to))
        self._web = Web(self._answers, timeout=timeout, heard=heard)
        self._streams = False  # whether the server was found to answer in pieces only

    async def send(self, request: Request) -> Reply:
        try:
            asked = self._streamed(request) if self._streams else request
            answer = await self._web.ask("POST", self._url, await self._body(asked))
            if answer.status == 400 and self._protocol.stream and not _is_streamed(asked) and wants_stream(answer.text):
                self._streams = True
                return await self.send(request)
            return self._answers.reply(answer)
        except ModelError as error:
            if self._free:  # not even what timed out is paid for
                error.cost = 0.0
            raise

    def _streamed(self, request: Request) -> Request:
        """The request for an answer in pieces, with all that goes with it."""
        return replace(request, extra=merged(self._protocol.stream or {}, request.extra or {}))

    async def _body(self, request: Request) -> bytes:
        request = self._protocol.fitted(request)
        if _is_streamed(request):
            request = self._streamed(request)
        if request.files:  # reading and encoding megabytes would hold up others
            return (await asyncio.to_thread(self._protocol.body, request, self._to)).encode()
        return self._protocol.body(request, self._to).encode()

    async def aclose(self) -> None:
        await self._web.aclose()


def _is_streamed(request: Request) -> bool:
    return bool(request.extra and request.extra.get("stream"))
