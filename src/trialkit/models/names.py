"""From what the user wrote to who answers: provider, model, protocol, address, key."""

import os
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from trialkit.errors import InputError

from .prices import Price, known_providers, near_names, price_of, provider_of

ProtocolName = Literal["openai", "anthropic", "litellm"]

_OPENAI_URL = "https://api.openai.com/v1"
_ANTHROPIC_URL = "https://api.anthropic.com"
#: Providers that LiteLLM knows although its price file names no model of theirs under that name.
_UNPRICED = frozenset({"openai", "anthropic", "openrouter", "hosted_vllm", "lm_studio", "ollama_chat", "litellm_proxy"})


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelSpec:
    """A model as the user names it."""

    name: str
    provider: str | None = None
    api_base: str | None = None
    client: Literal["litellm"] | None = None  # None: the quickest that speaks the model's protocol
    timeout: float = 60.0
    retries: int = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Target:
    """Who answers, and how to reach it."""

    provider: str
    model: str  # as the provider calls it
    protocol: ProtocolName
    base: str | None  # None: LiteLLM knows
    api_key: str | None = field(repr=False)
    price: Price | None

    @property
    def name(self) -> str:
        return f"{self.provider}/{self.model}"


def resolve(spec: ModelSpec) -> Target:
    """Decide by the name, the options and the environment; `InputError` where they do not fit together."""
    provider, model, given = _split(spec)
    if not model:
        raise InputError(f"the model {spec.name!r} has no name after its provider; write provider/model")
    protocol: ProtocolName = "litellm"
    if provider in {"openai", "anthropic"}:
        protocol = "openai" if provider == "openai" else "anthropic"
    elif spec.api_base and spec.client is None:
        protocol = "openai"
    base, is_own = _base(spec, protocol)
    return Target(
        provider=provider,
        model=model,
        protocol=spec.client or protocol,
        base=base,
        api_key=None if protocol == "litellm" else _key(f"{protocol.upper()}_API_KEY", provider, needed=not is_own),
        price=price_of(given, model),
    )


def _split(spec: ModelSpec) -> tuple[str, str, str | None]:
    """Provider, model, and the provider only if the user said so."""
    name = spec.name.strip()
    if spec.provider:
        provider = spec.provider.strip().lower()
        return provider, name.removeprefix(f"{provider}/"), provider
    first, slash, rest = name.partition("/")
    if slash and (not spec.api_base or first in _UNPRICED or first in known_providers()):
        return first, rest, first
    if spec.api_base:  # any name may be served there, slashes and all
        return "openai", name, None
    provider_known = provider_of(name)
    if provider_known:
        return provider_known, name, provider_known
    near = near_names(name)
    meant = f" (did you mean {' or '.join(near)}?)" if near else ""
    raise InputError(f"no provider is known for the model {name!r}; write it as provider/model{meant}")


def _base(spec: ModelSpec, protocol: ProtocolName) -> tuple[str | None, bool]:
    """The base URL, and whether it is other than the provider's own."""
    if protocol == "litellm":
        return (checked_url(spec.api_base, "--api-base") if spec.api_base else None), False
    variable = f"{protocol.upper()}_BASE_URL"
    own = spec.api_base or os.environ.get(variable, "").strip()
    if not own:
        return (_OPENAI_URL if protocol == "openai" else _ANTHROPIC_URL), False
    base = checked_url(own, "--api-base" if spec.api_base else variable)
    return (base.removesuffix("/v1") if protocol == "anthropic" else base), True


def checked_url(base: str, source: str) -> str:
    """The URL without its last slash. A bad one is not quoted: it may hold a password."""
    try:
        parts = urlsplit(base.strip())
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise InputError(f"{source} is not a URL ({error}); write it like http://127.0.0.1:8000/v1") from None
    if parts.scheme not in {"http", "https"} or not host:
        raise InputError(f"{source} must be a URL like http://127.0.0.1:8000/v1, with http or https and a host")
    if "@" in parts.netloc:
        raise InputError(
            f"{source} must not hold a user name or password (host {host}); put the key into the environment"
        )
    if parts.query or parts.fragment:
        raise InputError(f"{source} must end before the ? or # (host {host})")
    return base.strip().rstrip("/")


def _key(variable: str, provider: str, *, needed: bool) -> str | None:
    value = os.environ.get(variable, "").strip()
    if not value and needed:
        raise InputError(f"no key for {provider}: set the environment variable {variable}")
    if not value.isascii() or not value.isprintable():
        raise InputError(f"the environment variable {variable} holds characters that no key has; set it again")
    return value or None
