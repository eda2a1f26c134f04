"""One request over HTTP: straight through aiohttp, which costs a tenth of any SDK."""

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import aiohttp
from multidict import CIMultiDict
from yarl import URL

from trialkit.errors import ModelError

from .classify import Answer, is_html, refusal, shorten
from .json import NothingUsableError, dump, load
from .prices import Price
from .proxy import proxy_for
from .reply import finished
from .secrets import Secrets
from .text import whole_text
from .types import Reply, Request, Tool

_TOOLS_REMEMBERED = 64
_LARGE = 1024 * 1024


@dataclass(frozen=True, kw_only=True, slots=True)
class Wire:
    """A protocol: where it posts, and how it says and reads things."""

    endpoint: str  # as it is shown
    url: str
    headers: Mapping[str, str]
    fields: Callable[[Request], dict[str, Any]]
    tool: Callable[[Tool], dict[str, Any]]
    read: Callable[[Mapping[str, Any]], Reply]
    hint: str = ""  # what to try where the address leads nowhere


class HttpClient:
    def __init__(self, wire: Wire, *, model: str | None, timeout: float, price: Price | None, secrets: Secrets) -> None:
        self._wire = wire
        self._model = model
        self._endpoint = wire.endpoint
        self._timeout = timeout
        self._price = price
        self._secrets = secrets
        self._url = URL(wire.url)
        self._headers = CIMultiDict({"Content-Type": "application/json", **wire.headers})
        self._proxy = proxy_for(wire.url)
        self._session: aiohttp.ClientSession | None = None
        self._tools: dict[int, tuple[tuple[Tool, ...], str]] = {}

    async def send(self, request: Request) -> Reply:
        answer = await self._post(self._body(request))
        data = load(answer.text)
        if not 200 <= answer.status < 300:
            raise refusal(self._endpoint, answer, data, self._wire.hint)
        if not isinstance(data, dict):
            what = "a web page" if is_html(answer.text) else f"what is no JSON object: {shorten(answer.text)!r}"
            raise ModelError("bad_reply", f"{self._endpoint} answered with {what}", status=answer.status)
        try:
            reply = self._wire.read(data)
        except NothingUsableError as error:
            raise self._unusable(error, answer, data) from None
        if reply.stop == "filter" and not reply.text and not reply.tool_calls:
            raise ModelError("content_filter", f"{self._endpoint} withheld the reply", status=answer.status)
        return finished(reply, self._price, self._secrets)

    async def aclose(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    def _unusable(self, error: NothingUsableError, answer: Answer, data: dict[str, Any]) -> ModelError:
        """Some gateways answer 200 and put the real status into the body."""
        told = data.get("error")
        code = told.get("code") if isinstance(told, dict) else None
        if isinstance(code, int) and 400 <= code < 600:
            return refusal(self._endpoint, replace(answer, status=code), data, self._wire.hint)
        message = f"{self._endpoint} answered without a reply ({error}): {shorten(answer.text)}"
        return ModelError("bad_reply", message, status=answer.status)

    def _body(self, request: Request) -> bytes:
        named = {} if self._model is None else {"model": self._model}
        text = dump({**named, **self._wire.fields(request)})
        if request.tools:
            text = f'{text[:-1]},"tools":{self._tools_text(request.tools)}}}'
        return whole_text(text).encode()

    def _tools_text(self, tools: tuple[Tool, ...]) -> str:
        """The same tools go with every request of a run: written once, found by identity."""
        known = self._tools.get(id(tools))
        if known is None:
            if len(self._tools) >= _TOOLS_REMEMBERED:
                self._tools.clear()
            known = self._tools[id(tools)] = (tools, dump([self._wire.tool(tool) for tool in tools]))
        return known[1]

    async def _post(self, body: bytes) -> Answer:
        where = self._endpoint
        try:
            async with self._opened().post(
                self._url, data=_sendable(body), headers=self._headers, allow_redirects=False, proxy=self._proxy
            ) as response:
                data = await response.read()
        except TimeoutError:
            raise ModelError("timeout", f"no answer from {where} within {self._timeout:g} s") from None
        except aiohttp.ClientPayloadError:
            raise ModelError("bad_reply", f"the answer of {where} broke off in the middle") from None
        except (aiohttp.ClientConnectionError, OSError) as error:
            raise ModelError("connection", f"no connection to {where}: {self._reason(error)}") from None
        except aiohttp.ClientError as error:
            raise ModelError("bad_reply", f"{where} does not speak proper HTTP: {self._reason(error)}") from None
        text = self._secrets.hide(data.decode(errors="replace"))
        headers = {name.lower(): self._secrets.hide(value) for name, value in response.headers.items()}
        return Answer(status=response.status, headers=headers, text=text)

    def _opened(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0),  # the limiter decides how many there are
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=self._timeout),
            )
        return self._session

    def _reason(self, error: Exception) -> str:
        return shorten(self._secrets.hide(str(error))) or type(error).__name__


def _sendable(body: bytes) -> bytes | io.BytesIO:
    """aiohttp warns of large bodies that are not read piece by piece."""
    return body if len(body) < _LARGE else io.BytesIO(body)
