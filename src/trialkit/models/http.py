"""One request over HTTP: straight through aiohttp, which costs a tenth of any SDK."""

import io
from dataclasses import replace
from datetime import UTC, datetime

import aiohttp
from multidict import CIMultiDict
from yarl import URL

from trialkit.errors import ModelError
from trialkit.text.json import JsonObject, load, members
from trialkit.text.short import shortened

from .classify import LONGEST, HttpAnswer, is_html, message_of, retry_after
from .prices import TokenPrice
from .protocols import ModelAddress, NothingUsableError, Protocol
from .proxy import proxy_for
from .reply import LONGEST_BODY, billed, finished
from .secrets import Secrets
from .types import Reply, Request
from .unreached import unreached

_LARGE = 1024 * 1024
#: Of an error the first million bytes tell enough.
_LONGEST_ERROR = 1024 * 1024
#: Lists and objects in an answer: 32 MB of nothing else take a gigabyte when they are read.
_MOST_PARTS = 1_000_000


class HttpClient:
    def __init__(
        self, protocol: Protocol, to: ModelAddress, *, timeout: float, price: TokenPrice | None, secrets: Secrets
    ) -> None:
        self._protocol = protocol
        self._to = to
        self._where = secrets.hide(to.base)
        self._timeout = timeout
        self._price = price
        self._secrets = secrets
        self._url = URL(url := protocol.url(to))
        self._headers = CIMultiDict({"Content-Type": "application/json", **protocol.headers(to)})
        self._proxy = proxy_for(url)
        self._session: aiohttp.ClientSession | None = None

    async def send(self, request: Request) -> Reply:
        answer = await self._post(self._protocol.body(request, self._to).encode())
        if answer.text.count("[") + answer.text.count("{") > _MOST_PARTS:
            raise ModelError("bad_reply", f"{self._where} answered with more than {_MOST_PARTS:,} lists and objects")
        data = load(answer.text)
        if not 200 <= answer.status < 300:
            raise self._refusal(answer, data)
        if not isinstance(data, dict):
            said = f"what is no JSON object: {shortened(answer.text, LONGEST)!r}"
            what = "a web page" if is_html(answer.text) else said
            raise ModelError("bad_reply", f"{self._where} answered with {what}", status=answer.status)
        usage = self._protocol.usage(data)
        cost = self._price.cost(usage) if self._price and usage else None
        try:
            reply = self._protocol.reply(data)
        except NothingUsableError as error:
            raise billed(self._unusable(error, answer, data), usage, cost) from None
        if reply.stop == "filter" and not reply.text and not reply.tool_calls:
            fault = ModelError("content_filter", f"{self._where} withheld the reply", status=answer.status)
            raise billed(fault, usage, cost)
        return finished(reply, usage, cost, self._secrets)

    async def aclose(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    def _refusal(self, answer: HttpAnswer, data: object) -> ModelError:
        kind = self._protocol.kind(answer.status, answer.text)
        hint = self._protocol.hint(kind, answer.text, self._to)
        message = f"{self._where} answered {answer.status}: {message_of(answer, data)}{hint}"
        wish = retry_after(answer.headers, datetime.now(UTC))
        return ModelError(kind, message, status=answer.status, retry_after=wish)

    def _unusable(self, error: NothingUsableError, answer: HttpAnswer, data: JsonObject) -> ModelError:
        """Some gateways answer 200 and put the real status into the body."""
        code = members(data.get("error")).get("code")
        if isinstance(code, int) and 400 <= code < 600:
            return self._refusal(replace(answer, status=code), data)
        message = f"{self._where} answered without a reply ({error}): {shortened(answer.text, LONGEST)}"
        return ModelError("bad_reply", message, status=answer.status)

    async def _post(self, body: bytes) -> HttpAnswer:
        where = self._where
        try:
            async with self._opened().post(
                self._url, data=_sendable(body), headers=self._headers, allow_redirects=False, proxy=self._proxy
            ) as response:
                data = await self._read(response)
        except TimeoutError:
            raise ModelError("timeout", f"no answer from {where} within {self._timeout:g} s") from None
        except aiohttp.ClientPayloadError:
            raise ModelError("bad_reply", f"the answer of {where} broke off, or is not packed as it says") from None
        except (aiohttp.ClientConnectionError, OSError) as error:
            via = f"the proxy before {where}" if isinstance(error, aiohttp.ClientProxyConnectionError) else where
            raise unreached(via, error, self._reason(error)) from None
        except aiohttp.ClientError as error:
            raise ModelError("bad_reply", f"{where} does not speak proper HTTP: {self._reason(error)}") from None
        text = self._secrets.hide(data.decode("utf-8-sig", errors="replace"))
        headers = {name.lower(): self._secrets.hide(value) for name, value in response.headers.items()}
        return HttpAnswer(status=response.status, headers=headers, text=text)

    async def _read(self, response: aiohttp.ClientResponse) -> bytes:
        """Piece by piece: aiohttp inflates no more of a body at a time than is read of it."""
        good, parts, size = 200 <= response.status < 300, list[bytes](), 0
        async for part in response.content.iter_any():
            parts.append(part)
            size += len(part)
            if not good and size > _LONGEST_ERROR:
                break
            if size > LONGEST_BODY:
                most = f"{LONGEST_BODY // 1024**2} MB"
                raise ModelError("bad_reply", f"{self._where} answered with more than {most}, which is no reply")
        if not response.content.at_eof():
            response.close()  # the rest is not waited for
        return b"".join(parts)

    def _opened(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0),  # the limiter decides how many there are
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=self._timeout),
            )
        return self._session

    def _reason(self, error: Exception) -> str:
        return shortened(self._secrets.hide(str(error)), LONGEST) or type(error).__name__


def _sendable(body: bytes) -> bytes | io.BytesIO:
    """aiohttp warns of large bodies that are not read piece by piece."""
    return body if len(body) < _LARGE else io.BytesIO(body)
