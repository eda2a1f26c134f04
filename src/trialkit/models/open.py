"""Opening a connection: everything that can be wrong with a model's name is found here, before anything is spent."""

import math
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from trialkit.errors import InputError

from .answers import Answers
from .connection import Client, Connection, Identity
from .limiter import Traffic
from .local import LOCAL
from .names import ModelSpec, Target, resolve
from .protocols import ModelAddress
from .scripted import SCRIPTED, ScriptedModel
from .secrets import Secrets
from .text_tools import TextTools
from .types import Request
from .untaken import LeavingOut

if TYPE_CHECKING:  # as for aiohttp, below
    from .batch import Batches


def open_model(spec: ModelSpec, traffic: Traffic | None = None, batches: "Batches | None" = None) -> Connection:
    """A connection to the model. Connections that share `traffic` also share the limit of their endpoint.

    With `batches`, requests go to the provider's batch API, once they have begun.
    """
    if not math.isfinite(spec.timeout) or spec.timeout <= 0:
        raise InputError(f"the timeout must be a number of seconds above 0, not {spec.timeout}")
    if spec.timeout_in_all is not None and not 0 < spec.timeout_in_all < math.inf:
        raise InputError(f"the timeout in all must be a number of seconds above 0, not {spec.timeout_in_all}")
    if spec.retries < 0:
        raise InputError(f"the number of retries must be 0 or more, not {spec.retries}")
    traffic, patience = traffic or Traffic(), (spec.retries, spec.timeout_in_all)
    if batches is not None:
        from .batch import check_batch_api  # noqa: PLC0415 - as below

        check_batch_api(spec)
    if spec.name.startswith(SCRIPTED):
        return Connection(*ScriptedModel.open(spec.name), traffic, *patience)
    if spec.name.startswith(LOCAL):
        from .local.client import open_local  # noqa: PLC0415 - as below

        local, server = open_local(spec.name.removeprefix(LOCAL), spec.timeout, traffic)
        return Connection(local, LeavingOut(server, local.name, traffic.say_once), traffic, *patience)
    target = resolve(spec)
    _check_reasoning(target, spec)
    client, endpoint, key = _client(target, spec, traffic, batches)
    identity = Identity(name=target.name, endpoint=endpoint, key=key, price_known=target.price is not None)
    client = LeavingOut(TextTools(client), target.name, traffic.say_once, _known(target))
    if batches is not None:
        return batches.connection(identity, client, traffic)
    return Connection(identity, client, traffic, *patience)


def _known(target: Target) -> Callable[[Request], frozenset[str]]:
    protocol = target.protocol
    if protocol is None:  # LiteLLM drops what it knows not to be taken
        return lambda _: frozenset()
    return partial(protocol.untaken, to=ModelAddress(base=target.base or protocol.base, model=target.model))


def _check_reasoning(target: Target, spec: ModelSpec) -> None:
    """InputError where a model cannot be told to think so much."""
    reasoning, protocol = spec.options.reasoning, target.protocol
    fault = protocol.reasoning_fault(reasoning) if protocol and reasoning is not None else ""
    if fault and target.client == "own":
        raise InputError(f"{target.name}: it cannot be asked to think with {reasoning} tokens: {fault}")


def _client(target: Target, spec: ModelSpec, traffic: Traffic, batches: "Batches | None") -> tuple[Client, str, str]:
    """Who sends the requests, the endpoint that they go to, and what names the model there."""
    protocol = target.protocol
    if protocol is None or target.client == "litellm":
        from .litellm import LitellmClient  # noqa: PLC0415 - as below

        if "litellm" not in sys.modules:
            traffic.say("loading LiteLLM, which takes some seconds")
        endpoint = target.base or f"litellm/{target.provider}"
        heard = partial(traffic.limiter(endpoint).heard, model=target.name)
        client = LitellmClient(target, timeout=spec.timeout, heard=heard)
        return client, endpoint, f"litellm {endpoint} {target.name}"
    endpoint = target.base or protocol.base
    to, secrets = ModelAddress(base=endpoint, model=target.model, key=target.api_key), Secrets.of_environment()
    shown = secrets.hide(endpoint)
    key = f"{protocol.name} {shown} {target.model}"
    if batches is not None:
        answers = Answers(protocol=protocol, to=to, price=target.price, secrets=secrets)
        return batches.client(key, answers, spec, traffic), shown, key
    from .http import HttpClient  # noqa: PLC0415 - aiohttp takes longer to load than --help may

    heard = partial(traffic.limiter(shown).heard, model=target.name)
    own = HttpClient(protocol, to, timeout=spec.timeout, price=target.price, secrets=secrets, heard=heard)
    return own, shown, key
