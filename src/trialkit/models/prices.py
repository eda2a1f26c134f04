"""What tokens cost, from LiteLLM's price file read as data, and from a file of the user's own (`TRIALKIT_PRICES`)."""

import difflib
import functools
import importlib.util
import json
import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from trialkit.errors import InputError
from trialkit.text.json import JsonObject, read_json
from trialkit.vocabulary import Usage

_FILE = "model_prices_and_context_window_backup.json"
_TIER = re.compile(r"input_cost_per_token_above_(\d+)k_tokens")


@dataclass(frozen=True, kw_only=True, slots=True)
class TokenPrice:
    """US dollars for one token. `tiers`: from more than so many input tokens on, another price for all of them."""

    input: float
    output: float
    cache_read: float
    cache_write: float
    tiers: tuple[tuple[int, "TokenPrice"], ...] = ()

    def cost(self, usage: Usage) -> float:
        price = self
        for above, dearer in self.tiers:
            if usage.input_tokens > above:
                price = dearer
        plain = max(0, usage.input_tokens - usage.cache_read_tokens - usage.cache_write_tokens)
        return (
            plain * price.input
            + usage.cache_read_tokens * price.cache_read
            + usage.cache_write_tokens * price.cache_write
            + usage.output_tokens * price.output
        )


def price_of(provider: str | None, model: str) -> TokenPrice | None:
    """The price of a model; None where no file tells it. Without a provider the model's name alone decides."""
    entries = _entries()
    entry = entries.get(f"{provider}/{model}") if provider else None
    if entry is None:
        entry = entries.get(model)
        if entry is None or (provider and _provider(entry) not in {None, provider}):
            return None
    return _price(entry)


def provider_of(model: str) -> str | None:
    """Who serves a model that was named without its provider."""
    return _provider(_entries().get(model, {}))


def known_providers() -> frozenset[str]:
    return frozenset(name for entry in _entries().values() if (name := _provider(entry)))


def near_names(model: str) -> list[str]:
    """Chat models whose names look alike, written so that they are understood."""
    names = [name for name, entry in _entries().items() if entry.get("mode") == "chat"]
    near = difflib.get_close_matches(model, names, n=3, cutoff=0.7)
    return [name if "/" in name else f"{provider_of(name)}/{name}" for name in near]


def _provider(entry: JsonObject) -> str | None:
    name = entry.get("litellm_provider")
    if not isinstance(name, str):
        return None
    # the price file divides some providers by kind of model; a model's name does not
    return {"vertex": "vertex_ai", "bedrock": "bedrock"}.get(re.split(r"[_-]", name)[0], name)


def _price(entry: JsonObject) -> TokenPrice | None:
    base = _price_at(entry, "")
    if base is None:
        return None
    steps = sorted({int(found[1]) for key in entry if (found := _TIER.fullmatch(key))})
    tiers = ((step * 1000, _price_at(entry, f"_above_{step}k_tokens")) for step in steps)
    return replace(base, tiers=tuple((above, tier) for above, tier in tiers if tier))


def _price_at(entry: JsonObject, suffix: str) -> TokenPrice | None:
    given, taken = entry.get(f"input_cost_per_token{suffix}"), entry.get(f"output_cost_per_token{suffix}")
    if given is None or taken is None:
        return None
    read = entry.get(f"cache_read_input_token_cost{suffix}")
    write = entry.get(f"cache_creation_input_token_cost{suffix}")
    return TokenPrice(
        input=float(given),
        output=float(taken),
        cache_read=float(given if read is None else read),
        cache_write=float(given if write is None else write),
    )


def _entries() -> Mapping[str, JsonObject]:
    return _read(os.environ.get("TRIALKIT_PRICES") or None)


@functools.lru_cache(maxsize=4)
def _read(own: str | None) -> dict[str, JsonObject]:
    entries = dict(_litellm_entries())
    if own is not None:
        for name, entry in _own_entries(Path(own)).items():
            known = entries.get(name, {}).get("litellm_provider")
            entries[name] = {"litellm_provider": known, **entry}
    return entries


@functools.lru_cache(maxsize=1)
def _litellm_entries() -> dict[str, JsonObject]:
    found = importlib.util.find_spec("litellm")
    if found is None or found.origin is None:
        return {}
    file = Path(found.origin).parent / _FILE
    entries: dict[str, JsonObject] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    entries.pop("sample_spec", None)
    return entries


def _own_entries(file: Path) -> dict[str, JsonObject]:
    entries = read_json(file, "TRIALKIT_PRICES names it")
    if not isinstance(entries, dict):
        raise InputError(
            f'{file} (TRIALKIT_PRICES) must be an object: {{"openai/NAME": {{"input_cost_per_token": …}}}}'
        )
    for name, entry in entries.items():
        _check(file, name, entry)
    return entries


def _check(file: Path, name: str, entry: object) -> None:
    if not isinstance(entry, dict):
        raise InputError(
            f"{file} (TRIALKIT_PRICES): {name!r} must be an object with input_cost_per_token, not {entry!r}"
        )
    for key in ("input_cost_per_token", "output_cost_per_token"):
        if key not in entry:
            raise InputError(f"{file} (TRIALKIT_PRICES): {name!r} lacks {key}, US dollars for one token")
    for key, value in entry.items():
        if "cost" in key and not _is_amount(value):
            raise InputError(f"{file} (TRIALKIT_PRICES): {name!r}: {key} must be a number from 0 up, not {value!r}")


def _is_amount(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value >= 0
