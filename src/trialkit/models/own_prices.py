"""Prices in the format of LiteLLM's list, as people keep them: an object of each model by its name."""

import re
from dataclasses import replace
from pathlib import Path
from typing import TypeGuard

from trialkit.errors import InputError
from trialkit.text.json import JsonObject, read_json
from trialkit.vocabulary import LARGEST

from .prices import Listed, TokenPrice

_TIER = re.compile(r"input_cost_per_token_above_(\d{1,9})k_tokens")


def read_own(file: Path) -> dict[str, Listed]:
    """Raises `InputError`."""
    entries = read_json(file, "TRIALKIT_PRICES names it")
    if not isinstance(entries, dict):
        raise InputError(
            f'{file} (TRIALKIT_PRICES) must be an object: {{"openai/NAME": {{"input_cost_per_token": …}}}}'
        )
    if "sample_spec" in entries:  # LiteLLM's own, which has images and much else, priced in other ways
        entries = {name: entry for name, entry in entries.items() if _is_of_text(entry)}
    else:
        for name, entry in entries.items():
            _check(file, name, entry)
    return {name: Listed(provider=_provider(entry), price=_price(entry)) for name, entry in entries.items()}


def _is_of_text(entry: object) -> bool:
    return isinstance(entry, dict) and entry.get("mode") in {"chat", "completion", "responses"}


def _provider(entry: JsonObject) -> str | None:
    name = entry.get("litellm_provider")
    if not isinstance(name, str):
        return None
    # LiteLLM's list divides some providers by kind of model; a model's name does not
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
    if not _is_amount(given) or not _is_amount(taken):
        return None
    read = entry.get(f"cache_read_input_token_cost{suffix}")
    write = entry.get(f"cache_creation_input_token_cost{suffix}")
    return TokenPrice(
        input=float(given),
        output=float(taken),
        cache_read=float(read if _is_amount(read) else given),
        cache_write=float(write if _is_amount(write) else given),
    )


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


def _is_amount(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= LARGEST
