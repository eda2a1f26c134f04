"""An agent behind a URL: each message is POSTed, the answer is the body of the response."""

from typing import Self

import aiohttp

from trialkit.errors import ModelError, ModelErrorKind
from trialkit.models import Secrets, proxy_for

from .protocol import LONGEST

_SHOWN = 200
_KINDS: dict[int, ModelErrorKind] = {401: "auth", 403: "auth", 404: "not_found", 429: "rate_limit"}
_MOVED = frozenset({301, 302, 303, 307, 308})


class HttpChannel:
    """One for all conversations, which are told apart by the `conversation` in each message."""

    lasting = True

    def __init__(self, url: str, token: str | None) -> None:
        self._url = url
        self._headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        self._secrets = Secrets.of_environment(token)
        self._proxy = proxy_for(url)
        self._session: aiohttp.ClientSession | None = None

    async def take(self) -> Self:
        return self

    async def give_back(self, channel: Self) -> None:
        pass

    async def discard(self, channel: Self) -> None:
        pass

    def take_stderr(self) -> str:
        return ""

    async def aclose(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def say(self, text: str, timeout_s: float) -> str:
        """Once: the agent remembers, so a message that may have arrived is not sent again."""
        timeout = aiohttp.ClientTimeout(total=timeout_s)
        try:
            async with self._opened().post(
                self._url,
                data=text.encode(),
                headers=self._headers,
                allow_redirects=False,
                timeout=timeout,
                proxy=self._proxy,
            ) as response:
                body = self._secrets.hide((await whole_body(response)).decode(errors="replace"))
        except TimeoutError:
            raise ModelError("timeout", f"the agent at {self._url} did not answer within {timeout_s:g} s") from None
        except (aiohttp.ClientError, OSError) as error:
            why = self._secrets.hide(str(error)) or type(error).__name__
            raise ModelError("connection", f"no answer from the agent at {self._url}: {why}") from None
        if response.status != 200:
            raise ModelError(_KINDS.get(response.status, "server"), self._refusal(response.status, body))
        return body

    def _refusal(self, status: int, body: str) -> str:
        text = " ".join(body.split())[:_SHOWN]
        moved = "; it is not followed elsewhere: give the address that answers" if status in _MOVED else ""
        return f"the agent at {self._url} answered with HTTP status {status}{f': {text}' if text else ''}{moved}"

    def _opened(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0), cookie_jar=aiohttp.DummyCookieJar()
            )
        return self._session


async def whole_body(response: aiohttp.ClientResponse) -> bytes:
    """The body, which comes in as many parts as the network likes. ModelError where it is too long."""
    body = bytearray()
    async for part in response.content.iter_any():
        body += part
        if len(body) > LONGEST:
            response.close()  # the rest is not waited for
            raise ModelError("bad_reply", f"the agent answered with more than {LONGEST // 1024**2} MB")
    return bytes(body)
