"""Writes the list of prices that comes along, from LiteLLM's: `uv run --extra litellm scripts/prices.py`.

Another copy of LiteLLM's list may be named: `scripts/prices.py model_prices_and_context_window.json`.
"""

import importlib.util
import json
import re
import sys
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from trialkit.models.listing import FACTS
from trialkit.models.own_prices import read_own
from trialkit.models.prices import LIST, Listed, TokenPrice

_COLUMNS = "# model, provider, dollars for a million tokens: input, output[, cache read, cache write]; then from:dearer"


_FACTS = "# model, tokens read, and written, tools vision reasoning, its end, dollars for a million in a batch"
_ABILITIES = {"t": "function_calling", "v": "vision", "r": "reasoning"}
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def _installed() -> Path:
    found = importlib.util.find_spec("litellm")
    if found is None or found.origin is None:
        sys.exit("LiteLLM is not installed: uv run --extra litellm scripts/prices.py")
    return Path(found.origin).parent / "model_prices_and_context_window_backup.json"


def _million(value: float) -> str:
    return f"{Decimal(repr(value)).scaleb(6).normalize():f}"


def _amounts(price: TokenPrice) -> str:
    amounts = [price.input, price.output]
    if (price.cache_read, price.cache_write) != (price.input, price.input):
        amounts += [price.cache_read, price.cache_write]
    return " ".join(map(_million, amounts))


def _line(name: str, found: Listed) -> str:
    prices = []
    if found.price is not None:
        prices = [_amounts(found.price), *(f"{above}:{_amounts(tier)}" for above, tier in found.price.tiers)]
    return "\t".join((name, found.provider or "", *prices))


def _facts(name: str, entry: dict[str, Any]) -> str:
    can = "".join(sign for sign, what in _ABILITIES.items() if entry.get(f"supports_{what}"))
    ends = str(entry.get("deprecation_date") or "")
    prices = [entry.get(f"{way}_cost_per_token_batches") for way in ("input", "output")]
    batch = " ".join(_million(price) for price in prices if price is not None) if None not in prices else ""
    sizes = [entry.get(f"max_{way}_tokens") for way in ("input", "output")]
    return "\t".join((name, *(str(size or "") for size in sizes), can, ends if _DAY.fullmatch(ends) else "", batch))


def main() -> None:
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else _installed()
    models = read_own(source)
    entries = json.loads(source.read_text(encoding="utf-8"))
    facts = [_facts(name, entries[name]) for name, found in sorted(models.items()) if found.provider]
    FACTS.write_text("\n".join([_FACTS, *facts]) + "\n", encoding="utf-8")
    lines = [_line(name, found) for name, found in sorted(models.items()) if found.provider]
    day = f"# {datetime.now(UTC):%Y-%m-%d}: what LiteLLM's list said"
    LIST.write_text("\n".join([day, _COLUMNS, *lines]) + "\n", encoding="utf-8")
    print(f"{len(lines)} models: {LIST}")


if __name__ == "__main__":
    main()
