"""What is known of models besides their prices: what they take, and until when there are any."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from fnmatch import fnmatchcase
from pathlib import Path

from trialkit.errors import InputError

from .local import LOCAL
from .names import ModelSpec, at_home
from .prices import Listed, TokenPrice, listed, listed_name, listed_on, near_names, provider_of
from .scripted import SCRIPTED

#: A line for each model; what the columns are, its first line says. `scripts/prices.py` writes it.
FACTS = Path(__file__).with_name("models.tsv")
#: So long before its end a model is warned of.
_SOON = timedelta(days=60)


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelFacts:
    """`None`: the list does not say."""

    context: int | None = None  # tokens that a request may have
    output: int | None = None  # and a reply
    tools: bool = False
    vision: bool = False
    reasoning: bool = False
    ends: date | None = None
    batch: tuple[float, float] | None = None  # US dollars for a token, read and written, in a batch


@dataclass(frozen=True, kw_only=True, slots=True)
class KnownModel:
    name: str  # as it is understood by --model
    price: TokenPrice | None
    facts: ModelFacts

    def ends_soon(self, today: date) -> bool:
        return self.facts.ends is not None and self.facts.ends - today <= _SOON


def find_models(pattern: str = "") -> Sequence[KnownModel]:
    """Those with this in their name, or of this form (`*`, `?`), in the order of their names. Raises `InputError`."""
    facts = dict(map(_read, FACTS.read_text(encoding="utf-8").splitlines()[1:]))
    models = [
        KnownModel(name=_full(name, one), price=one.price, facts=facts.get(name) or ModelFacts())
        for name, one in listed().items()
    ]
    form = pattern.lower() if any(sign in pattern for sign in "*?[") else f"*{pattern.lower()}*"
    found = [one for one in models if fnmatchcase(one.name.lower(), form)]
    if not found:
        near = near_names(pattern)
        meant = f"; did you mean {' or '.join(near)}?" if near else ""
        raise InputError(f"the list of {listed_on()} names no model like {pattern!r}{meant}")
    return sorted(found, key=lambda one: one.name)


def endings(specs: Iterable[ModelSpec], today: date) -> Iterator[str]:
    """Of each model that its own provider ends soon, or has ended, a line."""
    for name in dict.fromkeys(filter(None, map(_listed_as, specs))):
        facts = _facts_of(name)
        if facts and facts.ends and facts.ends - today <= _SOON:
            when = "has ended on" if facts.ends < today else "ends on"
            others = f"trialkit models {provider_of(name) or name}/"
            yield f"{name} {when} {facts.ends}, by the list of {listed_on()}; others: {others}"


def _listed_as(spec: ModelSpec) -> str | None:
    if spec.name.startswith((SCRIPTED, LOCAL)):
        return None
    with suppress(InputError):  # which is told by whoever opens it
        if (found := at_home(spec)) is not None:
            return listed_name(*found)
    return None


def _facts_of(name: str) -> ModelFacts | None:
    """Without reading the other lines: a run has a few models of three thousand."""
    _, found, rest = FACTS.read_text(encoding="utf-8").partition(f"\n{name}\t")
    line, _, _ = rest.partition("\n")
    return _read(f"{name}\t{line}")[1] if found else None


def _read(line: str) -> tuple[str, ModelFacts]:
    name, context, output, can, ends, batch = line.split("\t")
    given, _, taken = batch.partition(" ")
    return name, ModelFacts(
        context=int(context) if context else None,
        output=int(output) if output else None,
        tools="t" in can,
        vision="v" in can,
        reasoning="r" in can,
        ends=date.fromisoformat(ends) if ends else None,
        batch=(float(f"{given}e-6"), float(f"{taken}e-6")) if batch else None,
    )


def _full(name: str, one: Listed) -> str:
    return name if "/" in name or not one.provider else f"{one.provider}/{name}"
