"""The grammar of criteria rules: what code can decide. The page docs/rules.md is its reference.

`parse` gives the clauses of a rule, all of which must hold, or None for a rule outside the grammar. It never guesses:
every word of a rule must have a place in it.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from trialkit.suites.commodity.concepts import is_askable, is_concept
from trialkit.suites.commodity.prose import normalised

AlertKind = Literal["stop-loss", "take-profit", "above", "below"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Scope:
    """The positions that a rule is about: every one of them."""

    which: Literal["every", "both", "long", "short", "long and short", "commodity"]
    commodity: str = ""  # normalised


@dataclass(frozen=True, kw_only=True, slots=True)
class Suggests:
    """Alerts of all these kinds (or one of them), for each position in the scope; without one, for any position."""

    kinds: tuple[AlertKind, ...]
    every: bool
    scope: Scope | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Addresses:
    """Each position in the scope has a stop-loss or a take-profit."""

    scope: Scope


@dataclass(frozen=True, kw_only=True, slots=True)
class HowMany:
    kind: AlertKind | None
    low: int
    high: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Threshold:
    """The threshold of some (or every) suggestion of the kind lies within the bounds."""

    kind: AlertKind | None
    every: bool
    low: Decimal | None = None
    high: Decimal | None = None
    inclusive: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class Term:
    """Words that must each be mentioned, one of the alternatives of each; or a quotation."""

    words: tuple[tuple[str, ...], ...] = ()
    quotation: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Mentions:
    terms: tuple[Term, ...]
    every: bool


Clause = Suggests | Addresses | HowMany | Threshold | Mentions

_SUGGEST = r"(?:suggest|recommend|include|contain|set|create|have|has)s?"
_GUARD = r"(?:stoploss|takeprofit)(?: alerts?)?"
_KIND = rf"{_GUARD}|alerts? above|alerts? below|above alerts?|below alerts?"
_PRICE = r"thresholds?(?:[ _]prices?)?"
_NUMBER = r"\$?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
_COUNT_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_FILLERS = re.compile(r"\b(?:must|should|a|an|the|be|is|are)\b(?![&'])")
#: Comparison → (bounded from below, both ends included).
_COMPARISONS: dict[str, tuple[bool, bool]] = {
    "below": (False, False),
    "under": (False, False),
    "less than": (False, False),
    "lower than": (False, False),
    "above": (True, False),
    "over": (True, False),
    "more than": (True, False),
    "greater than": (True, False),
    "higher than": (True, False),
    "at or below": (False, True),
    "at most": (False, True),
    "at or above": (True, True),
    "at least": (True, True),
    "<": (False, False),
    "<=": (False, True),
    "\u2264": (False, True),
    ">": (True, False),
    ">=": (True, True),
    "\u2265": (True, True),
}
_COMPARISON = "|".join(sorted(_COMPARISONS, key=len, reverse=True))
_CLAUSE_START = (
    rf"(?:{_SUGGEST}|address|addresses|(?:reasoning )?mentions?|"
    rf"(?:(?:all|every|each) )?(?:(?:{_GUARD} )?thresholds?|{_GUARD} (?:{_COMPARISON}|between)))(?!\w)"
)
_SEPARATOR = re.compile(rf"(?:[,;] and|[,;]| and) (?={_CLAUSE_START})")
_DIRECTIONS = r"alerts? in both directions"


def parse(rule: str) -> tuple[Clause, ...] | None:
    text = normalised(rule).rstrip(".;! ")
    # What stands in quotes is asked for as it is.
    parts = re.split(r'("[^"]*")', re.sub("[\u201c\u201d]", '"', text))
    text = "".join(part if part.startswith('"') else _FILLERS.sub("", part) for part in parts)
    found = [_clauses(clause) for clause in _SEPARATOR.split(" ".join(text.split()))]
    return None if () in found else tuple(clause for clauses in found for clause in clauses)


def _clauses(text: str) -> tuple[Clause, ...]:
    """The clauses that one phrase stands for; none if it is outside the grammar."""
    if address := re.fullmatch(rf"address(?:es)? (.+?)( with {_DIRECTIONS})?", text):
        scope = _scope(address[1])
        both = (Suggests(kinds=("above", "below"), every=True, scope=None),) if address[2] else ()
        return (Addresses(scope=scope), *both) if scope else ()
    if re.fullmatch(rf"{_SUGGEST} {_DIRECTIONS}", text):
        return (Suggests(kinds=("above", "below"), every=True, scope=None),)
    clause = _counts(text) or _suggests(text) or _threshold(text) or _mentions(text)
    return (clause,) if clause else ()


def _suggests(text: str) -> Suggests | None:
    if side := re.fullmatch(rf"(?:{_SUGGEST} )?(?:alerts? with )?conditions? (above|below)", text):
        return Suggests(kinds=(_kind(side[1]),), every=True, scope=None)
    found = re.fullmatch(rf"{_SUGGEST} (both )?({_KIND})(?: (and|or) ({_KIND}))?(?: for (.+))?", text)
    if not found:
        return None
    both, first, joint, second, where = found.groups()
    scope = _scope(where) if where else None
    kinds = tuple(_kind(kind) for kind in (first, second) if kind)
    if (where and not scope) or (both and joint != "and") or len(set(kinds)) < len(kinds):
        return None
    return Suggests(kinds=kinds, every=joint != "or", scope=scope)


def _kind(text: str) -> AlertKind:
    if "above" in text:
        return "above"
    if "below" in text:
        return "below"
    return "stop-loss" if "stoploss" in text else "take-profit"


def _scope(text: str) -> Scope | None:
    if re.fullmatch(r"both(?: positions)?", text):
        return Scope(which="both")
    if re.fullmatch(r"(?:all|every|each)(?: positions?)?", text):
        return Scope(which="every")
    if re.fullmatch(r"(?:both )?(?:long(?: position)? and short|short(?: position)? and long)(?: positions?)?", text):
        return Scope(which="long and short")
    if sided := re.fullmatch(r"(?:(?:all|every|each) )?(long|short)(?: positions?)?", text):
        return Scope(which="long" if sided[1] == "long" else "short")
    named = re.fullmatch(r"(\S+)(?: positions?)?", text)
    return Scope(which="commodity", commodity=named[1]) if named else None


def _counts(text: str) -> HowMany | None:
    if re.fullmatch(rf"{_SUGGEST} alerts?", text):
        return HowMany(kind=None, low=1, high=None)
    # No more digits than any answer could have alerts.
    amount = rf"(at least|at most|no more than|exactly) (\d{{1,6}}|{'|'.join(_COUNT_WORDS)})"
    found = re.fullmatch(rf"(?:{_SUGGEST} )?{amount} (suggestions?|{_KIND}|alerts?)", text)
    if not found:
        return None
    bound, word, what = found.groups()
    number = _COUNT_WORDS.index(word) if word in _COUNT_WORDS else int(word)
    kind = _kind(what) if re.fullmatch(_KIND, what) else None
    low = number if bound in {"at least", "exactly"} else 0
    return HowMany(kind=kind, low=low, high=None if bound == "at least" else number)


def _threshold(text: str) -> Threshold | None:
    # Of a stop-loss or take-profit only the threshold can be compared; an alert below 4.50 may mean its condition.
    subject = rf"(?:(all|every|each) )?(?:({_GUARD}) {_PRICE}|{_PRICE}|({_GUARD}))"
    compared = rf"({_COMPARISON}) ?{_NUMBER}|between {_NUMBER} and {_NUMBER}"
    found = re.fullmatch(rf"(?:{_SUGGEST} (?={_GUARD}))?{subject} (?:{compared})", text)
    if not found:
        return None
    every, named, bare, comparison, bound, low, high = found.groups()
    kind = named or bare
    about = _kind(kind) if kind else None
    if comparison is None:
        within = Threshold(kind=about, every=bool(every), low=_number(low), high=_number(high))
        return within if _number(low) <= _number(high) else None
    from_below, inclusive = _COMPARISONS[comparison]
    number = _number(bound)
    return Threshold(
        kind=about,
        every=bool(every),
        low=number if from_below else None,
        high=None if from_below else number,
        inclusive=inclusive,
    )


def _number(text: str) -> Decimal:
    return Decimal(text.replace(",", ""))


def _mentions(text: str) -> Mentions | None:
    found = re.fullmatch(r"(?:reasoning )?mentions? (?:both |either )?(.+?)(?: in reasoning)?", text)
    if not found:
        return None
    asked = re.sub(r" ?/ ?", "/", found[1])
    listed = re.split(r",? (and|or) |, ", asked)
    joints = {joint for joint in listed[1::2] if joint}
    # "a, b" says neither and nor or; "a and b or c" says both.
    if len(joints) != 1 and len(listed) > 1:
        return None
    terms = [_term(term) for term in listed[::2]]
    if None in terms:
        return None
    return Mentions(terms=tuple(term for term in terms if term), every=joints == {"and"})


def _term(text: str) -> Term | None:
    if quoted := re.fullmatch(r'"([^"]*\w[^"]*)"', text):
        return Term(quotation=quoted[1].strip())
    words = tuple(tuple(word.split("/")) for word in text.replace("position size", "size").split())
    every = [word for choice in words for word in choice]
    # Words side by side are decidable where each is a concept; else only quotes can say what exactly is meant.
    fine = all(map(is_askable, every)) and (len(words) == 1 or all(map(is_concept, every)))
    return Term(words=words) if fine else None
