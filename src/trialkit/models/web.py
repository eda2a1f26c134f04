"""HTTP through aiohttp, which costs a tenth of any SDK: what a server answers, in bounds and without secrets."""

import io
from collections.abc import Callable, Mapping
from typing import Literal

import aiohttp
from multidict import CIMultiDict
from yarl import URL

from trialkit.errors import ModelError
from trialkit.text.short import shortened

from .answers import Answers
from .classify import LONGEST, HttpAnswer
from .proxy import proxy_for
from .reply import LONGEST_BODY
from .unreached import unreached

Heard = Callable[[Mapping[str, str]], None]

_LARGE = 1024 * 1024
#: Of an error the first million bytes tell enough.
_LONGEST_ERROR = 1024 * 1024


class Web:
    def __init__(self, answers: Answers, *, timeout: float, heard: Heard = lambda _headers: None) -> None:
        """`heard` is told the headers of each answer, their names in lower case."""
        self._answers = answers
        self._timeout = timeout
        self._secrets = answers.secrets
        self._heard = heard
        self._headers = CIMultiDict({"Content-Type": "application/json", **answers.protocol.headers(answers.to)})
        self._proxy = proxy_for(answers.to.base)
        self._session: aiohttp.ClientSession | None = None

    async def ask(
        self,
        method: Literal["GET", "POST"],
        url: URL,
        data: bytes | None = None,
        *,
        content_type: str = "",
        longest: int = LONGEST_BODY,
    ) -> HttpAnswer:
        """Raises `ModelError` where nothing comes back, or too much; an error's answer is an answer."""
        where = self._answers.where
        headers = CIMultiDict({**self._headers, "Content-Type": content_type}) if content_type else self._headers
        try:
            async with self._opened().request(
                method, url, data=_sendable(data), headers=headers, allow_redirects=False, proxy=self._proxy
            ) as response:
                body = await self._read(response, longest)
        except TimeoutError:
            raise ModelError("timeout", f"no answer from {where} within {self._timeout:g} s") from None
        except aiohttp.ClientPayloadError:
            raise ModelError("bad_reply", f"the answer of {where} broke off, or is not packed as it says") from None
        except (aiohttp.ClientConnectionError, OSError) as error:
            via = f"the proxy before {where}" if isinstance(error, aiohttp.ClientProxyConnectionError) else where
            raise self._answers.hinted(unreached(via, error, self._reason(error))) from None
        except aiohttp.ClientError as error:
            raise ModelError("bad_reply", f"{where} does not speak proper HTTP: {self._reason(error)}") from None
        text = self._secrets.hide(body.decode("utf-8-sig", errors="replace"))
        beside = self._beside(response.headers)
        self._heard(beside)
        return HttpAnswer(status=response.status, headers=beside, text=text)

    async def _read(self, response: aiohttp.ClientResponse, longest: int) -> bytes:
        """Piece by piece: aiohttp inflates no more of a body at a time than is read of it."""
        good, parts, size = 200 <= response.status < 300, list[bytes](), 0
        async for part in response.content.iter_any():
            parts.append(part)
            size += len(part)
            if not good and size > _LONGEST_ERROR:
                break
            if size > longest:
                most = f"{longest // 1024**2} MB"
                raise ModelError(
                    "bad_reply", f"{self._answers.where} answered with more than {most}, which is no reply"
                )
        if not response.content.at_eof():
            response.close()  # the rest is not waited for
        return b"".join(parts)

    def _beside(self, headers: Mapping[str, str]) -> dict[str, str]:
        """Looked through all at once: rarely is there something to hide."""
        told = "\n".join(headers.values())
        clean = self._secrets.hide(told) == told
        return {name.lower(): value if clean else self._secrets.hide(value) for name, value in headers.items()}

    async def aclose(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

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


def _sendable(body: bytes | None) -> bytes | io.BytesIO | None:
    """aiohttp warns of large bodies that are not read piece by piece."""
    return body if body is None or len(body) < _LARGE else io.BytesIO(body)
