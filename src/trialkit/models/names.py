"""From what the user wrote to who answers: provider, model, protocol, address, key."""

import os
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import SplitResult, urlsplit

from trialkit.errors import InputError

from .options import Options
from .prices import TokenPrice, known_providers, near_names, price_of, provider_of
from .protocols import Protocol, get_protocol, protocol_names
from .protocols.openai import OPENAI
from .protocols.responses import RESPONSES, can_reason
from .secret_values import keys_in_address

#: What a server speaks whose address was given, unless its provider says otherwise.
_USUAL = "openai"
#: Providers whose address and key mean the same to LiteLLM as to us.
_SHARED = frozenset({"openai", "anthropic"})
#: Providers that LiteLLM knows although the price list names no model of theirs under that name.
_UNPRICED = frozenset({"openrouter", "hosted_vllm", "lm_studio", "ollama_chat", "litellm_proxy", "nvidia_nim", "aiml"})


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelSpec:
    """A model as the user names it."""

    name: str
    provider: str | None = None
    api_base: str | None = None
    client: Literal["litellm"] | None = None  # None: the quickest that speaks the model's protocol
    timeout: float = 60.0  # seconds for one attempt
    timeout_in_all: float | None = None  # seconds for all of them, pauses counted; None: no limit
    retries: int = 3
    options: Options = field(default_factory=Options)
    spoken: str = ""  # the protocol that a run has begun in: it goes on in that one; none: as it is decided now


@dataclass(frozen=True, kw_only=True, slots=True)
class Target:
    """Who answers, and how to reach it."""

    provider: str
    model: str  # as the provider calls it
    client: Literal["own", "litellm"]
    protocol: Protocol | None  # None: only LiteLLM speaks it
    base: str | None  # None: LiteLLM knows it
    api_key: str | None = field(repr=False)
    price: TokenPrice | None

    @property
    def name(self) -> str:
        return f"{self.provider}/{self.model}"


def resolve(spec: ModelSpec) -> Target:
    """Decide by the name, the options and the environment; `InputError` where they do not fit together."""
    provider, model, given = _split(spec)
    if not model:
        raise InputError(f"the model {spec.name!r} has no name after its provider; write provider/model")
    protocol = _protocol(spec, provider, model)
    if protocol is None:
        base, key = spec.api_base and given_base(spec.api_base, "--api-base", "leave it out of the URL"), None
    else:
        base, is_own = _base(spec, protocol)
        key = _key(protocol.key_variable, provider, needed=not (is_own and protocol.base))
    return Target(
        provider=provider,
        model=model,
        protocol=protocol,
        client="litellm" if protocol is None or spec.spoken == "litellm" else spec.client or "own",
        base=base,
        api_key=key,
        price=price_of((protocol and given == protocol.name and protocol.provider) or given, model),
    )


def _protocol(spec: ModelSpec, provider: str, model: str) -> Protocol | None:
    if "litellm" in {spec.client, spec.spoken}:
        return get_protocol(provider) if provider in _SHARED else None
    if spec.spoken in protocol_names() and provider in {spec.spoken, get_protocol(spec.spoken).provider}:
        return get_protocol(spec.spoken)
    if provider in protocol_names():
        usual = get_protocol(provider)
        return RESPONSES if usual is OPENAI and can_reason(model) and not _elsewhere(spec, usual) else usual
    return get_protocol(_USUAL) if spec.api_base else None


def protocol_of(spec: ModelSpec) -> Protocol | None:
    """What we speak with it ourselves; None: it is asked through LiteLLM. Raises `InputError`."""
    provider, model, _ = _split(spec)
    return None if spec.client == "litellm" else _protocol(spec, provider, model)


def at_home(spec: ModelSpec) -> tuple[str, str] | None:
    """Provider and model; None where the address is another than the provider's own. Raises `InputError`."""
    provider, model, _ = _split(spec)
    own = get_protocol(provider) if provider in protocol_names() else None
    return None if spec.api_base or (own and _elsewhere(spec, own)) else (provider, model)


def _elsewhere(spec: ModelSpec, protocol: Protocol) -> str:
    """The address that is given for a provider; empty: its own."""
    return spec.api_base or os.environ.get(protocol.base_variable, "").strip()


def _split(spec: ModelSpec) -> tuple[str, str, str | None]:
    """Provider, model, and the provider only if the user said so."""
    name = spec.name.strip()
    if spec.provider:
        provider = spec.provider.strip().lower()
        return provider, name.removeprefix(f"{provider}/"), provider
    first, slash, rest = name.partition("/")
    if slash and (not spec.api_base or first in _known()):
        return first, rest, first
    if spec.api_base:  # any name may be served there, slashes and all
        return _USUAL, name, None
    provider_known = provider_of(name)
    if provider_known:
        return provider_known, name, provider_known
    near = near_names(name)
    meant = f" (did you mean {' or '.join(near)}?)" if near else ""
    raise InputError(f"no provider is known for the model {name!r}; write it as provider/model{meant}")


def _known() -> frozenset[str]:
    return known_providers().union(_UNPRICED, protocol_names())


def _base(spec: ModelSpec, protocol: Protocol) -> tuple[str, bool]:
    """The base URL, and whether it is other than the provider's own."""
    variable = protocol.base_variable
    own = _elsewhere(spec, protocol)
    if not own and not protocol.base:
        named = f"{variable} or " if variable else ""
        raise InputError(f"{protocol.name} has no address of its own; give one: {named}--api-base")
    if not own:
        return protocol.base, False
    if spec.api_base:
        fix = f"put the URL into {variable}" if variable else "leave it out of the URL"
        return protocol.tidy(given_base(own, "--api-base", fix)), True
    return protocol.tidy(checked_base(own, variable)), True


def checked_base(base: str, source: str) -> str:
    """The URL that others begin with, without its last slash."""
    parts = checked_url(base.strip(), source, like="http://127.0.0.1:8000/v1", instead="the key into the environment")
    if parts.query or parts.fragment:
        raise InputError(f"{source} must end before the ? or # (host {parts.hostname})")
    return base.strip().rstrip("/")


def given_base(base: str, option: str, fix: str) -> str:
    """As above, of an option, which is recorded for `resume`."""
    url = checked_base(base, option)
    if any(keys_in_address(url)):
        raise InputError(f"{option} must not hold a key in its path (host {urlsplit(url).hostname}): {fix}")
    return url


def checked_url(url: str, source: str, *, like: str, instead: str) -> SplitResult:
    """Its parts. A bad one is not quoted: it may hold a password."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise InputError(f"{source} is not a URL ({error}); write it like {like}") from None
    if parts.scheme not in {"http", "https"} or not host:
        raise InputError(f"{source} must be a URL like {like}, with http or https and a host")
    if "@" in parts.netloc:
        raise InputError(f"{source} must not hold a user name or password (host {host}); put {instead}")
    return parts


def _key(variable: str, provider: str, *, needed: bool) -> str | None:
    if not variable:
        return None
    value = os.environ.get(variable, "").strip()
    if not value and needed:
        raise InputError(f"no key for {provider}: set the environment variable {variable}")
    if not value.isascii() or not value.isprintable():
        raise InputError(f"the environment variable {variable} holds characters that no key has; set it again")
    return value or None
