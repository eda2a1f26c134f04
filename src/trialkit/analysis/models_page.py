"""Models as a table, and as JSON."""

from collections.abc import Sequence
from datetime import UTC, datetime

from trialkit.models import KnownModel, listed_on
from trialkit.pages import Cell, Code, Page, Table, Words
from trialkit.text.shown import counted

_COLUMNS = ("Model", "Context", "In", "Out", "Cached", "Batch", "Ends", "Can")
_NOTE = "US dollars for a million tokens; Cached: read from the cache; Batch: read / written."


def models_page(models: Sequence[KnownModel]) -> Page:
    title = f"{counted(len(models), 'model')} of the list of {listed_on()}"
    table = Table(title="", columns=_COLUMNS, rows=tuple(map(_row, models)), note=_NOTE, below="Model")
    return Page(title=title, parts=(table,))


def _row(one: KnownModel) -> tuple[Cell | str, ...]:
    price, facts = one.price, one.facts
    able = [what for what in ("tools", "vision", "reasoning") if getattr(facts, what)]
    return (
        Code(one.name),
        f"{facts.context:,}" if facts.context else "",
        _million(price.input if price else None),
        _million(price.output if price else None),
        _million(price.cache_read if price else None),
        " / ".join(map(_million, facts.batch or ())),
        Words(str(facts.ends or ""), style="bad" if one.ends_soon(datetime.now(UTC).date()) else ""),
        " ".join(able),
    )


def models_data(models: Sequence[KnownModel]) -> dict[str, object]:
    """Dollars are for one token, as where a price is given."""
    return {"listed_on": listed_on(), "models": list(map(_data, models))}


def _data(one: KnownModel) -> dict[str, object]:
    price, facts = one.price, one.facts
    ways = ("input", "output", "cache_read", "cache_write")
    return {
        "model": one.name,
        "context": facts.context,
        "output": facts.output,
        "usd_per_token": {way: getattr(price, way) for way in ways} if price else None,
        "usd_per_token_in_a_batch": dict(zip(ways, facts.batch, strict=False)) if facts.batch else None,
        "tools": facts.tools,
        "vision": facts.vision,
        "reasoning": facts.reasoning,
        "ends": str(facts.ends) if facts.ends else None,
    }


def _million(price: float | None) -> str:
    return "unknown" if price is None else f"{price * 1e6:.4g}"
