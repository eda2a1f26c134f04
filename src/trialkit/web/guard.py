"""Who may look and who may write. A browser visits hostile pages too, and they may try to talk to us.

- Only requests that name our own host are answered, so a name that is rebound to this machine leads nowhere.
- Beyond loopback a token is asked for, once: it comes in the address and stays as a cookie.
- A write must come from one of our own pages: their origin, and the word that only they know.
- Pages load nothing from elsewhere and run no script but ours: a model's text that is markup stays text.
"""

import hmac
import secrets
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_READS = {"GET", "HEAD"}
_COOKIE = "trialkit"
_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Guard:
    """What requests must show."""

    hosts: frozenset[str]  # as the header Host has them, with the port
    token: str | None = None  # None: whoever reaches us may look
    csrf: str = field(default_factory=lambda: secrets.token_urlsafe(24))  # stands in our pages, comes with each write

    def protect(self, app: ASGIApp) -> ASGIApp:
        async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
                return
            answer = self._objection(scope)
            await (answer or app)(scope, receive, _with_headers(send))

        return guarded

    def _objection(self, scope: Scope) -> Response | None:
        """What is answered in place of the page; None: nothing is wrong."""
        headers = Headers(scope=scope)
        if headers.get("host", "").lower() not in self.hosts:
            return PlainTextResponse("This viewer is not at that address.\n", 421)
        if self.token is not None and not _same(_cookie(headers), self.token):
            return self._enter(scope, self.token)
        if scope["method"] not in _READS and not self._is_ours(headers):
            return PlainTextResponse("Only a page of this viewer may do that; reload it and try again.\n", 403)
        return None

    def _enter(self, scope: Scope, token: str) -> Response:
        query = parse_qsl(scope["query_string"].decode("latin-1"))
        given = dict(query).get("token", "")
        if scope["method"] not in _READS or not _same(given, token):
            return PlainTextResponse("The address must end with ?token=…, as `trialkit view` prints it.\n", 401)
        rest = urlencode([(name, value) for name, value in query if name != "token"])
        path = "/" + scope["path"].lstrip("/")  # two of them would begin another host
        answer = RedirectResponse(f"{path}?{rest}" if rest else path, 303)
        answer.set_cookie(_COOKIE, token, httponly=True, samesite="strict")
        return answer

    def _is_ours(self, headers: Headers) -> bool:
        origin = headers.get("origin", "").lower()
        at_home = origin in {f"http://{host}" for host in self.hosts}
        return at_home and _same(headers.get("x-csrf-token", ""), self.csrf)


def _cookie(headers: Headers) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(_COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode(), wanted.encode())


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
        await send(message)

    return sending
