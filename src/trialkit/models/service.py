"""A service that is asked in JSON of its own, with the same retries, limits and classified faults as a model."""

import json
import re
from collections.abc import Callable, Mapping, Sequence

from trialkit.text.json import JsonObject
from trialkit.vocabulary import Usage

from .connection import Connection, Identity
from .limiter import Traffic
from .names import given_base
from .protocols import ModelAddress, Protocol
from .secret_values import of_credential
from .secrets import Secrets
from .types import Reply, Request, Tool

_LONG = 20
_SECRET = re.compile(r"auth|key|token|secret|password|cookie|session", re.IGNORECASE)


def open_service(
    url: str,
    *,
    option: str,
    headers: Mapping[str, str],
    read: Callable[[JsonObject], Reply],
    timeout: float,
    patience: tuple[int, float | None],
    traffic: Traffic,
) -> Connection:
    """POSTs a request's last message, a JSON object, to `url`; `read` makes the reply from the JSON that comes back."""
    from .http import HttpClient  # noqa: PLC0415 - as in open_model

    url = given_base(url, option, "give the key as a header, or in another way")
    secrets = Secrets.of_environment(
        *(part for name, value in headers.items() if _is_secret(name, value) for part in of_credential(value))
    )
    to = ModelAddress(base=url, model="")
    client = HttpClient(_Service(headers, read), to, timeout=timeout, price=None, secrets=secrets)
    identity = Identity(name=url, endpoint=url, key=f"service {url}", price_known=False, billed=False, storable=False)
    return Connection(identity, client, traffic, *patience)


class _Service(Protocol):
    """Whatever it is asked, it is told the last message."""

    def __init__(self, headers: Mapping[str, str], read: Callable[[JsonObject], Reply]) -> None:
        self._headers = headers
        self._read = read

    def url(self, to: ModelAddress) -> str:
        return to.base

    def headers(self, to: ModelAddress) -> Mapping[str, str]:  # noqa: ARG002 - they were given
        return self._headers

    def fields(self, request: Request, to: ModelAddress) -> dict[str, object]:  # noqa: ARG002 - it has one address
        payload: dict[str, object] = json.loads(request.messages[-1].text)
        return payload

    def tools(self, tools: Sequence[Tool]) -> object:
        raise ValueError(f"a service is not given tools, so not {tools[0].name} either")

    def reply(self, data: JsonObject) -> Reply:
        return self._read(data)

    def usage(self, data: JsonObject) -> Usage | None:  # noqa: ARG002 - there is none to be read
        return None


def _is_secret(name: str, value: str) -> bool:
    """A short value under an ordinary name, such as a user's id, may well stand in an answer."""
    return len(value) >= _LONG or _SECRET.search(name) is not None
