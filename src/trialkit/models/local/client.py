"""Asks llama.cpp's server, once it is up, as any server that speaks as OpenAI does."""

import importlib.util
from weakref import WeakKeyDictionary

from trialkit.errors import InputError, ModelError, ModelErrorKind
from trialkit.models.connection import Identity
from trialkit.models.http import HttpClient
from trialkit.models.limiter import Traffic
from trialkit.models.prices import FREE
from trialkit.models.protocols import ModelAddress
from trialkit.models.protocols.openai import OpenAI
from trialkit.models.secrets import Secrets
from trialkit.models.types import Reply, Request

from .file import model_file
from .server import CONTEXT, LlamaServer

#: Roles of one run share a server, and runs that go on at the same time.
_SERVERS: WeakKeyDictionary[Traffic, dict[str, LlamaServer]] = WeakKeyDictionary()


def open_local(given: str, timeout: float, traffic: Traffic) -> "tuple[Identity, LocalClient]":
    """Raises `InputError`. Nothing is started before the first request."""
    if importlib.util.find_spec("xllamacpp") is None:
        raise InputError(
            "a local model is run by llama.cpp, which is not installed: pip install 'trialkit[local]'; a server of"
            " your own needs its address alone: --api-base"
        )
    file = model_file(given)
    server = _SERVERS.setdefault(traffic, {}).setdefault(file.digest, LlamaServer(file))
    name = file.path.name
    identity = Identity(
        name=f"local/{name}", endpoint=f"llama.cpp ({name})", key=f"local {name} sha256:{file.digest}", price_known=True
    )
    return identity, LocalClient(server, name, timeout)


class _Llama(OpenAI):
    def hint(self, kind: ModelErrorKind, said: str, to: ModelAddress) -> str:
        if kind == "context_overflow":
            return f" ({CONTEXT} sets it, for all requests that are worked on at once together)"
        return super().hint(kind, said, to)


class LocalClient:
    def __init__(self, server: LlamaServer, name: str, timeout: float) -> None:
        self._server = server
        self._name = name
        self._timeout = timeout
        self._to: ModelAddress | None = None
        self._http: HttpClient | None = None

    async def send(self, request: Request) -> Reply:
        client = await self._connected()
        try:
            return await client.send(request)
        except ModelError:
            if end := self._server.end:
                raise ModelError("connection", f"llama.cpp's server of {self._name} {end}") from None
            raise

    async def _connected(self) -> HttpClient:
        to = await self._server.address(self)
        client = self._http
        if client is None or to != self._to:  # it was started again
            old, secrets = client, Secrets.of_environment(to.key or "")
            client = HttpClient(_Llama(), to, timeout=self._timeout, price=FREE, secrets=secrets)
            self._to, self._http = to, client
            if old is not None:  # only now: others ask meanwhile
                await old.aclose()
        return client

    async def aclose(self) -> None:
        if self._http is not None:
            await self._http.aclose()
            self._http = None
        await self._server.leave(self)
