"""What is said to an A2A 1.0 agent: its card, a message, and the task that may come of it."""

import asyncio
import json
import uuid
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from urllib.parse import urlsplit

import aiohttp

from trialkit.agents.outside.http import whole_body
from trialkit.errors import ModelError, ModelErrorKind
from trialkit.models import Secrets, proxy_for
from trialkit.text.json import JsonError, JsonObject, items, members, parse, word
from trialkit.text.short import shown

_CARD = "/.well-known/agent-card.json"
_HEADERS = {"A2A-Version": "1.0", "Accept": "application/json"}
_BINDINGS = ("JSONRPC", "HTTP+JSON")
_KINDS: Mapping[int, ModelErrorKind] = {401: "auth", 403: "auth", 404: "not_found", 429: "rate_limit"}
_WAITING = {"TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"}
_ANSWERED = {"TASK_STATE_COMPLETED", "TASK_STATE_INPUT_REQUIRED"}
#: How often a task that is worked on is asked for.
_LOOK_S = 0.5
_SHOWN = 200
_LOOPBACK = {"127.0.0.1", "::1"}


class A2aClient:
    """One for a run; who talks in which conversation is told by the context's id."""

    def __init__(self, url: str, token: str | None) -> None:
        self._url = url.rstrip("/")
        self._token = token
        self._secrets = Secrets.of_environment(token)

    async def card(self) -> JsonObject:
        place = self._url if self._url.endswith(".json") else self._url + _CARD
        async with self._session(place) as session:
            return await self._get(session, place)

    async def send(self, card: JsonObject, message: JsonObject) -> JsonObject:
        """The task or message that answers it; a task is waited for."""
        interface = interface_of(card)
        asked = {"message": message, "configuration": {"acceptedOutputModes": ["text/plain"]}}
        if interface.get("tenant"):
            asked["tenant"] = interface["tenant"]
        async with self._session(word(interface.get("url"))) as session:
            answer = await self._call(session, interface, "SendMessage", "/message:send", asked)
            while word(members(members(answer.get("task")).get("status")).get("state")) in _WAITING:
                await asyncio.sleep(_LOOK_S)
                name = word(answer["task"].get("id"))
                task = await self._call(session, interface, "GetTask", f"/tasks/{name}", {"id": name})
                answer = {"task": task}
        return answer

    async def _call(
        self,
        session: aiohttp.ClientSession,
        interface: JsonObject,
        method: str,
        path: str,
        asked: JsonObject,
    ) -> JsonObject:
        url = word(interface.get("url")).rstrip("/")
        if interface.get("protocolBinding") == "JSONRPC":
            body = {"jsonrpc": "2.0", "id": uuid.uuid4().hex, "method": method, "params": asked}
            answer = await self._post(session, url, body)
            if fault := members(answer.get("error")):
                raise ModelError("server", f"the agent says: {word(fault.get('message')) or json.dumps(fault)}"[:500])
            return members(answer.get("result"))
        return await (self._get(session, url + path) if method == "GetTask" else self._post(session, url + path, asked))

    def _session(self, url: str) -> aiohttp.ClientSession:
        token = {"Authorization": f"Bearer {self._token}"} if self._token and self._is_named(url) else {}
        timeout = aiohttp.ClientTimeout(total=None)  # that is --agent-timeout's
        return aiohttp.ClientSession(
            headers={**_HEADERS, **token}, cookie_jar=aiohttp.DummyCookieJar(), timeout=timeout
        )

    def _is_named(self, url: str) -> bool:
        """Whether it is on the server that the user named: a card may name any other, which is to get no token."""
        return _server(url) == _server(self._url)

    async def _get(self, session: aiohttp.ClientSession, url: str) -> JsonObject:
        return await self._read(session.get(url, proxy=proxy_for(url), allow_redirects=False), url)

    async def _post(self, session: aiohttp.ClientSession, url: str, body: JsonObject) -> JsonObject:
        """Once: the agent remembers, so a message that may have arrived is not sent again."""
        sending = session.post(url, json=body, proxy=proxy_for(url), allow_redirects=False)
        return await self._read(sending, url)

    async def _read(self, asking: AbstractAsyncContextManager[aiohttp.ClientResponse], url: str) -> JsonObject:
        try:
            async with asking as response:
                text = self._secrets.hide((await whole_body(response)).decode(errors="replace"))
                status = response.status
        except (aiohttp.ClientError, OSError, ValueError) as error:
            why = self._secrets.hide(str(error))
            raise ModelError("connection", f"the agent at {url} cannot be reached: {why}") from None
        if status != 200:
            kind = _KINDS.get(status, "server" if status >= 500 else "bad_request")
            elsewhere = kind == "auth" and self._token and not self._is_named(url)
            hint = f"; it is not where its card is, and TRIALKIT_AGENT_TOKEN goes to {self._url} alone"
            told = f"the agent answered with status {status}: {text[:_SHOWN]}"
            raise ModelError(kind, told + (hint if elsewhere else ""))
        try:
            data = parse(text, finite=True)
        except JsonError as error:
            raise ModelError("bad_reply", f"the agent's answer {error}: {text[:_SHOWN]}") from None
        return members(data)


def _server(url: str) -> tuple[str, str | None, int | None]:
    """Loopback has several names. ModelError where it is no URL."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise ModelError("bad_request", f"the agent's card names an address that is none: {shown(url)}") from None
    return parts.scheme, "localhost" if host in _LOOPBACK else host, port


def interface_of(card: JsonObject) -> JsonObject:
    """The first that can be spoken here. ModelError names those that there are."""
    offered = [members(one) for one in items(card.get("supportedInterfaces"))]
    for one in offered:
        if one.get("protocolBinding") in _BINDINGS and word(one.get("protocolVersion")).startswith("1."):
            return one
    told = ", ".join(f"{one.get('protocolBinding')} {one.get('protocolVersion')}" for one in offered) or "none"
    raise ModelError("bad_request", f"the agent's card names no A2A 1.x over JSONRPC or HTTP+JSON; it names {told}")


def text_of(answer: JsonObject) -> str:
    """What the agent says to it. ModelError where the task came to nothing."""
    if "message" in answer:
        return _text(members(answer["message"]))
    task = members(answer.get("task"))
    status = members(task.get("status"))
    said = _text(members(status.get("message")))
    state = word(status.get("state"))
    if state not in _ANSWERED:
        raise ModelError("server", f"the agent's task ended as {state or 'nothing'}{f': {said}' if said else ''}"[:500])
    results = [_text(members(one)) for one in items(task.get("artifacts"))]
    return "\n\n".join(filter(None, [*results, said]))


def _text(whole: JsonObject) -> str:
    return "\n".join(filter(None, (word(members(part).get("text")) for part in items(whole.get("parts")))))
