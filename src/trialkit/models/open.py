"""Opening a connection: everything that can be wrong with a model's name is found here, before anything is spent."""

import math

from trialkit.errors import InputError

from .connection import Client, Connection, Identity
from .limiter import Traffic
from .names import ModelSpec, Target, resolve
from .protocols import ModelAddress
from .scripted import SCRIPTED, ScriptedModel
from .secrets import Secrets


def open_model(spec: ModelSpec, traffic: Traffic | None = None) -> Connection:
    """A connection to the model. Connections that share `traffic` also share the limit of their endpoint."""
    if not math.isfinite(spec.timeout) or spec.timeout <= 0:
        raise InputError(f"the timeout must be a number of seconds above 0, not {spec.timeout}")
    if spec.retries < 0:
        raise InputError(f"the number of retries must be 0 or more, not {spec.retries}")
    traffic = traffic or Traffic()
    if spec.name.startswith(SCRIPTED):
        return Connection(*ScriptedModel.open(spec.name), traffic, spec.retries)
    target = resolve(spec)
    client, endpoint, key = _client(target, spec)
    identity = Identity(name=target.name, endpoint=endpoint, key=key, price_known=target.price is not None)
    return Connection(identity, client, traffic, spec.retries)


def _client(target: Target, spec: ModelSpec) -> tuple[Client, str, str]:
    """Who sends the requests, the endpoint that they go to, and what names the model there."""
    protocol = target.protocol
    if protocol is None or target.client == "litellm":
        from .litellm import LitellmClient  # noqa: PLC0415 - LiteLLM takes seconds to load

        endpoint = target.base or f"litellm/{target.provider}"
        return LitellmClient(target, timeout=spec.timeout), endpoint, f"litellm {endpoint} {target.name}"
    from .http import HttpClient  # noqa: PLC0415 - aiohttp takes longer to load than --help may

    endpoint = target.base or protocol.base
    to, secrets = ModelAddress(base=endpoint, model=target.model, key=target.api_key), Secrets.of_environment()
    client = HttpClient(protocol, to, timeout=spec.timeout, price=target.price, secrets=secrets)
    shown = secrets.hide(endpoint)
    return client, shown, f"{protocol.name} {shown} {target.model}"
