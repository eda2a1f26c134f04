"""What tokens cost: from the list that comes along, and from a file of the user's own (`TRIALKIT_PRICES`)."""

import difflib
import functools
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from trialkit.vocabulary import Usage

#: A line for each model; what the columns are, its second line says. `scripts/prices.py` writes it.
LIST = Path(__file__).with_name("prices.tsv")


@dataclass(frozen=True, kw_only=True, slots=True)
class TokenPrice:
    """US dollars for one token. `tiers`: from more than so many input tokens on, another price for all of them."""

    input: float
    output: float
    cache_read: float
    cache_write: float
    tiers: tuple[tuple[int, "TokenPrice"], ...] = ()

    @property
    def is_free(self) -> bool:
        """Nobody sends a bill, whatever was asked."""
        return self == FREE

    def in_batch(self) -> "TokenPrice":
        """At the providers whose batch APIs are known here it is half of everything."""
        return TokenPrice(
            input=self.input / 2,
            output=self.output / 2,
            cache_read=self.cache_read / 2,
            cache_write=self.cache_write / 2,
            tiers=tuple((above, dearer.in_batch()) for above, dearer in self.tiers),
        )

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


FREE = TokenPrice(input=0.0, output=0.0, cache_read=0.0, cache_write=0.0)


@dataclass(frozen=True, kw_only=True, slots=True)
class Listed:
    """A model as a list names it."""

    provider: str | None
    price: TokenPrice | None = None  # None: the list knows only who serves it


def price_of(provider: str | None, model: str) -> TokenPrice | None:
    """The price of a model; None where no list tells it. Without a provider the model's name alone decides."""
    name = listed_name(provider, model)
    return _models()[name].price if name else None


def listed_name(provider: str | None, model: str) -> str | None:
    """What a list calls the model; None where none names it."""
    models = _models()
    if provider and f"{provider}/{model}" in models:
        return f"{provider}/{model}"
    found = models.get(model)
    return None if found is None or (provider and found.provider not in {None, provider}) else model


def listed() -> Mapping[str, Listed]:
    """All models of the lists, by the names that these have for them."""
    return _models()


def provider_of(model: str) -> str | None:
    """Who serves a model that was named without its provider."""
    found = _models().get(model)
    return found.provider if found else None


def known_providers() -> frozenset[str]:
    return frozenset(found.provider for found in _models().values() if found.provider)


def known_models() -> list[str]:
    """Those of the lists, written so that they are understood."""
    return sorted(name if "/" in name else f"{found.provider}/{name}" for name, found in _models().items())


def near_names(model: str) -> list[str]:
    """Models whose names look alike, written so that they are understood."""
    near = difflib.get_close_matches(model, _models(), n=3, cutoff=0.7)
    return [name if "/" in name else f"{provider_of(name)}/{name}" for name in near]


def listed_on() -> str:
    """The day of the list that comes along."""
    return LIST.read_text(encoding="utf-8")[2:12]


def _models() -> Mapping[str, Listed]:
    return _read(os.environ.get("TRIALKIT_PRICES") or None)


@functools.lru_cache(maxsize=4)
def _read(own: str | None) -> dict[str, Listed]:
    models = dict(_shipped())
    if own is not None:
        from .own_prices import read_own  # noqa: PLC0415 - most have none

        for name, found in read_own(Path(own)).items():
            known = models.get(name)
            provider = found.provider or (known.provider if known else None)
            models[name] = Listed(provider=provider, price=found.price)
    return models


@functools.lru_cache(maxsize=1)
def _shipped() -> dict[str, Listed]:
    _day, _columns, *lines = LIST.read_text(encoding="utf-8").splitlines()
    return {name: Listed(provider=provider, price=_price(amounts)) for name, provider, *amounts in map(_split, lines)}


def _split(line: str) -> list[str]:
    return line.split("\t")


def _price(amounts: list[str]) -> TokenPrice | None:
    if not amounts:
        return None
    base, *dearer = amounts
    steps = (tier.partition(":") for tier in dearer)
    return _token_price(base, tuple((int(above), _token_price(tier)) for above, _, tier in steps))


def _token_price(text: str, tiers: tuple[tuple[int, TokenPrice], ...] = ()) -> TokenPrice:
    """From dollars for a million tokens, read so that those for one are the same to the last digit."""
    given, taken, *cached = [float(f"{part}e-6") for part in text.split()]
    read, write = cached or (given, given)
    return TokenPrice(input=given, output=taken, cache_read=read, cache_write=write, tiers=tiers)
