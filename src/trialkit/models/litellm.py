"""LiteLLM, for every provider whose protocol we do not speak ourselves."""

import asyncio
import importlib.util
import logging
import os
import warnings
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, ClassVar

from trialkit.errors import InputError, ModelError, ModelErrorKind
from trialkit.text.short import shortened

from .classify import LONGEST, kind_of, retry_after
from .names import Target
from .output import in_words
from .protocols import ModelAddress, NothingUsableError
from .protocols.openai import OPENAI  # what LiteLLM speaks, whoever answers
from .reply import billed, finished
from .secrets import Secrets
from .types import Reply, Request
from .unreached import unreached
from .web import Heard

_NO_KEY = "none"  # LiteLLM wants one even for servers that ask for none
_NOWHERE = ModelAddress(base="", model="")  # LiteLLM finds the way itself

#: How LiteLLM calls an answer that it cannot read, as if the request were to blame.
_UNREADABLE, _UNREADABLE_STATUS = "Error converting to valid response", 422

#: Where the class of LiteLLM's exception says more than the status that it carries.
_BY_CLASS: dict[str, ModelErrorKind] = {
    "ContextWindowExceededError": "context_overflow",
    "ContentPolicyViolationError": "content_filter",
    "Timeout": "timeout",
    "APIConnectionError": "connection",
    "APIResponseValidationError": "bad_reply",
}


class LitellmClient:
    #: LiteLLM keeps one pool of connections for all: who closes it closes it for everyone.
    _live: ClassVar[set[int]] = set()

    def __init__(self, target: Target, *, timeout: float, heard: Heard = lambda _headers: None) -> None:
        """`heard` is told the headers of each answer, their names in lower case."""
        self._litellm: Any = _load(target.name)
        self._target = target
        self._heard = heard
        self._secrets = Secrets.of_environment()
        self._fixed: dict[str, object] = {
            "model": target.name,
            "timeout": timeout,
            "num_retries": 0,
            "max_retries": 0,
            "drop_params": True,  # a seed that a provider does not know is no reason to fail
        }
        if target.base is not None:
            self._fixed["api_base"] = target.base
        if target.protocol is None:
            _check(self._litellm, target)
        else:
            self._fixed["api_key"] = target.api_key or _NO_KEY
        # a parameter that LiteLLM drops is not missed, but a schema would be
        self._holds_output = bool(self._litellm.supports_response_schema(model=target.name))
        self._live.add(id(self))

    async def send(self, request: Request) -> Reply:
        if request.extra and request.extra.get("stream"):
            raise ModelError("bad_request", "answers in pieces are read without LiteLLM only; leave out stream")
        request = OPENAI.fitted(request)
        if request.output is not None and not self._holds_output:
            request = in_words(request)
        fields = await asyncio.to_thread(self._fields, request) if request.files else self._fields(request)
        try:
            response = await self._litellm.acompletion(**fields)
            data = response.model_dump(warnings=False)
        except Exception as error:  # noqa: BLE001 - no documented tree bounds what LiteLLM raises
            raise self._fault(error) from None
        usage, price = OPENAI.usage(data), self._target.price
        beside = response._hidden_params  # noqa: SLF001 - LiteLLM has no other place for it
        self._heard(_lower(beside.get("additional_headers") or {}))
        told = beside.get("response_cost")
        cost = price.cost(usage) if price and usage else told or None
        try:
            reply = OPENAI.reply(data)
        except NothingUsableError as error:
            fault = ModelError("bad_reply", f"{self._target.name} answered without a reply ({error})")
            raise billed(fault, usage, cost) from None
        return finished(reply, usage, cost, self._secrets)

    def _fields(self, request: Request) -> dict[str, object]:
        fields = {**OPENAI.fields(request, _NOWHERE), **self._fixed}
        if request.extra:
            fields["extra_body"] = request.extra
        return {**fields, "tools": OPENAI.tools(request.tools)} if request.tools else fields

    async def aclose(self) -> None:
        self._live.discard(id(self))
        if not self._live:
            await self._litellm.close_litellm_async_clients()
            self._litellm.in_memory_llm_clients_cache.flush_cache()  # else closed clients are used again

    def _fault(self, error: Exception) -> ModelError:
        status = getattr(error, "status_code", None)
        said = shortened(self._secrets.hide(str(error)), LONGEST)
        message = f"{self._target.name} through LiteLLM: {said}"
        lost = unreached(self._target.base or self._target.provider, error, said)
        if lost.kind != "connection":
            return lost
        headers = getattr(error, "litellm_response_headers", None) or getattr(
            getattr(error, "response", None), "headers", {}
        )
        told = _lower(headers)
        self._heard(told)
        wish = retry_after(told, datetime.now(UTC))
        return ModelError(_kind(error, status), message, status=status, retry_after=wish)


def _lower(headers: Mapping[str, object]) -> dict[str, str]:
    """LiteLLM says before the name of a header that it is the provider's."""
    return {name.lower().removeprefix("llm_provider-"): str(value) for name, value in headers.items()}


def _kind(error: Exception, status: int | None) -> ModelErrorKind:
    for ancestor in type(error).__mro__:
        if ancestor.__name__ in _BY_CLASS:
            return _BY_CLASS[ancestor.__name__]
    if status == _UNREADABLE_STATUS and _UNREADABLE in str(error):
        return "bad_reply"
    # LiteLLM's own words leave out the provider's error code; what it caught still has it
    return kind_of(status or 500, f"{error} {error.__context__}")


def _load(model: str) -> Any:
    """LiteLLM, quiet. Without the variable it waits seconds for a price map from the network."""
    if importlib.util.find_spec("litellm") is None:
        own = "a server that speaks as OpenAI does needs its address alone: --api-base"
        raise InputError(
            f"{model} is reached through LiteLLM, which is not installed: pip install 'trialkit[litellm]'; {own}"
        )
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            litellm: Any = importlib.import_module("litellm")
        except ImportError as error:
            raise InputError(f"this model needs LiteLLM, which does not load: {error}") from None
    # it loads more of itself on first use, and pydantic complains about that too
    warnings.filterwarnings("ignore", category=UserWarning, module="pydantic")
    litellm.telemetry = False
    litellm.suppress_debug_info = True
    for name in ("LiteLLM", "LiteLLM Proxy", "LiteLLM Router"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return litellm


def _check(litellm: Any, target: Target) -> None:
    """An unknown provider, or a key that is missing for certain: some have other ways to log in."""
    try:
        litellm.get_llm_provider(target.name)
    except Exception:  # noqa: BLE001 - no documented tree bounds what LiteLLM raises
        raise InputError(
            f"LiteLLM knows no provider {target.provider!r}; for a server of your own give its address: --api-base"
        ) from None
    if target.provider == "vertex_ai" and not _signs_in_at_google():
        raise InputError(
            "vertex_ai: LiteLLM signs in there with a package of its own: pip install 'google-auth[requests]'"
        )
    missing = litellm.validate_environment(target.name)["missing_keys"]
    if missing and all(name.endswith("_API_KEY") for name in missing):
        raise InputError(f"no key for {target.provider}: set the environment variable {' or '.join(missing)}")


def _signs_in_at_google() -> bool:
    try:
        return None not in (importlib.util.find_spec("google.auth"), importlib.util.find_spec("requests"))
    except ModuleNotFoundError:
        return False
