"""Opening a connection: everything that can be wrong with a model's name is found here, before anything is spent."""

import math
from functools import partial

from trialkit.errors import InputError

from . import anthropic, openai
from .connection import Client, Connection, Identity
from .limiter import Traffic
from .names import ModelSpec, Target, resolve
from .scripted import ScriptedClient
from .secrets import Secrets

_SCRIPTED = "scripted:"


def open_model(spec: ModelSpec, traffic: Traffic | None = None) -> Connection:
    """A connection to the model. Connections that share `traffic` also share the limit of their endpoint."""
    if not math.isfinite(spec.timeout) or spec.timeout <= 0:
        raise InputError(f"the timeout must be a number of seconds above 0, not {spec.timeout}")
    if spec.retries < 0:
        raise InputError(f"the number of retries must be 0 or more, not {spec.retries}")
    traffic = traffic or Traffic()
    if spec.name.startswith(_SCRIPTED):
        scripted = ScriptedClient(spec.name.removeprefix(_SCRIPTED))
        identity = Identity(name=spec.name, endpoint="scripted", key=f"scripted {scripted.digest}", price_known=False)
        return Connection(identity, scripted, traffic, spec.retries)
    target = resolve(spec)
    client = _litellm_client(target, spec) if target.protocol == "litellm" else _http_client(target, spec)
    endpoint = target.base or f"litellm/{target.provider}"
    identity = Identity(
        name=target.name,
        endpoint=endpoint,
        key=f"{target.protocol} {endpoint} {target.name if target.protocol == 'litellm' else target.model}",
        price_known=target.price is not None,
    )
    return Connection(identity, client, traffic, spec.retries)


def _http_client(target: Target, spec: ModelSpec) -> Client:
    from .http import HttpClient, Wire  # noqa: PLC0415 - aiohttp takes longer to load than --help may

    base = target.base or ""
    if target.protocol == "openai":
        theirs = base.startswith("https://api.openai.com/")
        field = "max_completion_tokens" if theirs else "max_tokens"
        wire = Wire(
            endpoint=base,
            url=f"{base}/chat/completions",
            headers={"Authorization": f"Bearer {target.api_key}"} if target.api_key else {},
            fields=partial(openai.request_fields, max_tokens_field=field),
            tool=openai.tool_fields,
            read=openai.read_reply,
            hint="" if base.endswith("/v1") else " (the base URL of such a server usually ends in /v1)",
        )
    else:
        key = {"x-api-key": target.api_key} if target.api_key else {}
        wire = Wire(
            endpoint=base,
            url=f"{base}/v1/messages",
            headers={"anthropic-version": anthropic.VERSION, **key},
            fields=anthropic.request_fields,
            tool=anthropic.tool_fields,
            read=anthropic.read_reply,
        )
    return HttpClient(
        wire,
        model=target.model,
        timeout=spec.timeout,
        price=target.price,
        secrets=Secrets([target.api_key]),
    )


def _litellm_client(target: Target, spec: ModelSpec) -> Client:
    from .litellm import LitellmClient  # noqa: PLC0415 - LiteLLM takes seconds to load

    return LitellmClient(target, timeout=spec.timeout)
