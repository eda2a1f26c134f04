"""A service that is asked in JSON of its own, with the same retries, limits and classified faults as a model."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from .connection import Connection, Identity
from .limiter import Traffic
from .names import checked_url
from .secrets import Secrets
from .types import Reply, Request, Tool

_LONG = 20
_SECRET = re.compile(r"auth|key|token|secret|password|cookie|session", re.IGNORECASE)


def open_service(
    url: str,
    *,
    option: str,
    headers: Mapping[str, str],
    read: Callable[[Mapping[str, Any]], Reply],
    timeout: float,
    retries: int,
    traffic: Traffic,
) -> Connection:
    """POSTs a request's last message, a JSON object, to `url`; `read` makes the reply from the JSON that comes back."""
    from .http import HttpClient, Wire  # noqa: PLC0415 - as in _open

    url = checked_url(url, option)
    wire = Wire(endpoint=url, url=url, headers=headers, fields=_payload, tool=_no_tools, read=read)
    secrets = Secrets(part for name, value in headers.items() if _is_secret(name, value) for part in _parts(value))
    client = HttpClient(wire, model=None, timeout=timeout, price=None, secrets=secrets)
    identity = Identity(name=url, endpoint=url, key=f"service {url}", price_known=False, billed=False, storable=False)
    return Connection(identity, client, traffic, retries)


def _is_secret(name: str, value: str) -> bool:
    """A short value under an ordinary name, such as a user's id, may well stand in an answer."""
    return len(value) >= _LONG or _SECRET.search(name) is not None


def _parts(value: str) -> tuple[str, ...]:
    """`Bearer TOKEN`: a service that echoes the token alone must not give it away either."""
    return (value, *value.split()[-1:])


def _no_tools(tool: Tool) -> dict[str, Any]:
    raise ValueError(f"a service is not given tools, so not {tool.name} either")


def _payload(request: Request) -> dict[str, Any]:
    payload: dict[str, Any] = json.loads(request.messages[-1].text)
    return payload
