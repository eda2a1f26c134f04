"""The models behind FastWorkflow's roles: all of them the one on trial, with every token counted."""

import inspect
import os
from importlib import import_module

from .wire import JsonObject, Theirs

#: An exception's class, or one that it derives from → what trialkit calls the fault.
_KINDS = {
    "ContextWindowExceededError": "context_overflow",
    "LMAuthError": "auth",
    "AuthenticationError": "auth",
    "PermissionDeniedError": "auth",
    "LMUnsupportedModelError": "not_found",
    "NotFoundError": "not_found",
    "LMRateLimitError": "rate_limit",
    "RateLimitError": "rate_limit",
    "LMTimeoutError": "timeout",
    "Timeout": "timeout",
    "LMTransportError": "connection",
    "APIConnectionError": "connection",
    "LMInvalidRequestError": "bad_request",
    "BadRequestError": "bad_request",
}


class Models:
    """Stands in for FastWorkflow's own way to get a model, which knows neither a base URL nor a temperature."""

    def __init__(self) -> None:
        self.settings: JsonObject = {}
        self.fault: BaseException | None = None  # the last call that failed for good
        self._spent: dict[str, JsonObject] = {}
        self._lm: Theirs = None

    def install(self) -> None:
        dspy: Theirs = import_module("dspy")
        litellm: Theirs = import_module("litellm")
        litellm.drop_params = True  # a model that takes no seed or temperature is asked without
        # Its own cache would make repeated trials copies of each other.
        dspy.configure_cache(enable_disk_cache=False, enable_memory_cache=False)
        self._lm = type("MeteredLM", (dspy.LM,), {"update_history": self._counting(dspy.LM), **self._watching(dspy.LM)})
        import_module("fastworkflow.utils.dspy_utils").get_lm = self._get  # type: ignore[attr-defined]

    def take_usage(self) -> list[JsonObject]:
        """What was spent since this was last asked, by role."""
        spent, self._spent = self._spent, {}
        return list(spent.values())

    def take_fault(self) -> dict[str, str] | None:
        fault, self.fault = self.fault, None
        return None if fault is None else told_of(fault, "a model call of FastWorkflow's failed")

    def _get(self, model_env_var: str, api_key_env_var: str | None = None, **options: Theirs) -> Theirs:  # noqa: ARG002 - FastWorkflow's signature
        settings = self.settings
        chosen = {
            "temperature": settings.get("temperature"),
            "max_tokens": settings.get("max_tokens"),
            "seed": settings.get("seed"),
            "api_base": settings.get("api_base"),
            "api_key": _key(settings),
            "timeout": settings.get("timeout"),
        }
        options |= {name: value for name, value in chosen.items() if value is not None}
        options |= {"cache": False, "num_retries": settings.get("retries", 3)}
        if "engine" in inspect.signature(self._lm.__init__).parameters:
            options["engine"] = "litellm"
        lm = self._lm(model=settings["model"], **options)
        lm.trialkit_role = model_env_var.removeprefix("LLM_").lower()
        return lm

    def _counting(self, base: Theirs) -> Theirs:
        def update_history(lm: Theirs, entry: Theirs) -> Theirs:
            usage = dict(entry.get("usage") or {})
            role = getattr(lm, "trialkit_role", "other")
            empty = {"role": role, "model": self.settings["model"], "input_tokens": 0, "output_tokens": 0}
            part = self._spent.setdefault(role, {**empty, "cache_read_tokens": 0, "calls": 0})
            part["calls"] += 1
            part["input_tokens"] += usage.get("prompt_tokens") or 0
            part["output_tokens"] += usage.get("completion_tokens") or 0
            details = usage.get("prompt_tokens_details")
            cached = details.get("cached_tokens") if isinstance(details, dict) else getattr(details, "cached_tokens", 0)
            part["cache_read_tokens"] += cached or 0
            return base.update_history(lm, entry)

        return update_history

    def _watching(self, base: Theirs) -> JsonObject:
        def forward(lm: Theirs, *args: Theirs, **kwargs: Theirs) -> Theirs:
            try:
                return base.forward(lm, *args, **kwargs)
            except Exception as error:
                # FastWorkflow shortens what is too long and asks again, so that one is no fault until it gives up.
                if "ContextWindowExceededError" not in {kind.__name__ for kind in type(error).__mro__}:
                    self.fault = error
                raise

        return {"forward": forward}


def told_of(fault: BaseException, what: str) -> dict[str, str]:
    """As trialkit's protocol tells it."""
    names = [kind.__name__ for kind in type(fault).__mro__]
    kind = next((_KINDS[name] for name in names if name in _KINDS), "server")
    return {"kind": kind, "message": f"{what}: {type(fault).__name__}: {fault}"[:1000]}


def _key(settings: JsonObject) -> str | None:
    """LiteLLM finds the providers' keys by itself; a server of one's own may need none, but the client wants one."""
    provider = settings["model"].partition("/")[0]
    if provider in {"openai", "anthropic"} and settings.get("api_base"):
        return os.environ.get(f"{provider.upper()}_API_KEY") or "none"
    return None
