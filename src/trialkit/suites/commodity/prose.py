"""The text of a reasoning or a rule as it is compared, its sentences, and the results that they tell in figures."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Literal, NamedTuple

_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\n]*\)")
# A `+` may be a bullet too, but with us it is rather a sign.
_LINE_START = re.compile(r"^[ \t]*(?:(?:[-*•>|]|#{1,6}|\d{1,2}[.)])[ \t]+|\|)+|\n[ \t]*(?=\n)", re.MULTILINE)
_MARK = re.compile(r"(?<!\d)\*+|\*+(?!\d)|`+|~~|\||(?<!\w)_+|_+(?!\w)")
# Names of several words become one word: a stop-loss mentions no loss, a short-term trend is not short.
_NAMES = {
    re.compile(r"\bstop[\s_-]*loss(?:es)?\b"): "stoploss",
    re.compile(r"\b(?:take|taking)[\s_-]*profits?\b|\bprofit[\s-]*taking\b"): "takeprofit",
    re.compile(r"\bbreak(?:s|ing)?[\s-]*even\b"): "breakeven",
    re.compile(r"\bp\s?[&/]\s?l\b|\bpnl\b|\bprofit(?: (?:and|or) |\s?[&/]\s?)loss\b"): "p&l",
    re.compile(r"\b(long|short)[\s-](term|run|lived|dated|squeeze|covering)\b"): r"\1\2",
}
# A mark before a space ends a sentence; but not after a single letter (U.S.) or an abbreviation.
_SENTENCE_END = re.compile(r"(?<!\b\w)(?<!\bvs)(?<!\bapprox)[.!?][^\w\s]* |;")


def normalised(text: str) -> str:
    """For comparing: one case, one kind of space, no Markdown; `;` stands where a paragraph or list item begins."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    plain = re.sub(r"[\u2010-\u2015\u2212]", "-", plain).replace("\u2019", "'")
    plain = _MARK.sub("", _LINE_START.sub("; ", _LINK.sub(r"\1", plain)))
    for name, word in _NAMES.items():
        plain = name.sub(word, plain)
    return " ".join(re.sub(r"(?<=\w)-(?=\w)", " ", plain).split()).strip("; ")


def sentences(text: str) -> list[str]:
    """Of a normalised text."""
    return [sentence for sentence in _SENTENCE_END.split(text) if sentence.strip()]


class Told(NamedTuple):
    """What a position has made so far, told as a figure: `P&L of +12%`, `the position is down $500`."""

    sign: Literal["+", "-"]
    words: str


_FIGURE = re.compile(r"[(:=~≈]*(?P<sign>[+-]?)(?P<money>[$€£]?)(?P<amount>\d[\d,.]*)[km]?(?P<unit>%|\Z|\W)")
_UNITS = {"%", "percent", "usd", "eur", "dollars", "cents", "points"}
_HOLDERS = {"position", "positions", "holding", "holdings", "trade", "stake", "portfolio", "investment", "you", "user"}
_APPROXIMATELY = re.compile(r"\w+ly|about|around|some|nearly|over|by|~|≈")
#: Between P&L and a figure without a sign.
_CONNECTING = re.compile(rf"of|is|at|was|stands|sits|now|unreali[sz]ed|to|date|so|far|=|{_APPROXIMATELY.pattern}")
#: What else goes up and down, and what only may.
_OTHERWISE = {"price", "prices", "market", "if", "when", "once", "until", "should", "would", "could", "may", "might"}
_NEGATIVE = {"negative", "loss", "losses", "lost", "losing", "down", "minus", "red"}


def told_results(sentence: str) -> Iterator[Told]:
    words = sentence.split()
    bare = [re.sub(r"'(?:s|re)$", "", word.strip("()[],:\"'")) for word in words]
    # Of a calculation only its end counts.
    result = max((n for n, word in enumerate(words) if word == "="), default=0)
    negative = not _NEGATIVE.isdisjoint(bare)
    for place, word in enumerate(bare):
        if word == "p&l":
            yield from _beside_pl(words, bare, place, max(place, result) + 1, negative=negative)
        elif word in {"up", "down"}:
            yield from _moved(words, bare, place)


def _beside_pl(words: list[str], bare: list[str], place: int, start: int, *, negative: bool) -> Iterator[Told]:
    """A figure with a sign near P&L, from `start` on, or one without where nothing says that it is a loss."""
    signs = [(n, sign) for n in range(start, min(start + 12, len(words))) if (sign := _sign(words, n)) is not None]
    signs += [(n, sign) for n in range(max(place - 4, 0), place) if (sign := _sign(words, n))]
    for n, sign in signs[:1]:
        first, last = sorted((place, n))
        quoted = " ".join(words[first : last + 1])
        between = all(map(_CONNECTING.fullmatch, bare[start:n]))
        if sign:
            yield Told("+" if sign == "+" else "-", quoted)
        elif between and not negative and words[n - 1] != "-" and not words[n].startswith("("):
            yield Told("+", quoted)


def _moved(words: list[str], bare: list[str], place: int) -> Iterator[Told]:
    """The position is what goes up or down, and it does."""
    near = range(max(place - 8, 0), place)
    clause = max((n + 1 for n in near if words[n].endswith(",")), default=near.start)
    if _HOLDERS.isdisjoint(bare[near.start : place]) or not _OTHERWISE.isdisjoint(bare[clause:place]):
        return
    figure = next((n for n in range(place + 1, len(words)) if not _APPROXIMATELY.fullmatch(bare[n])), None)
    if figure is not None and _sign(words, figure) is not None:
        yield Told("+" if bare[place] == "up" else "-", " ".join(words[place : figure + 1]))


def _sign(words: list[str], place: int) -> str | None:
    """Of a sum of money or a share: `+`, `-` or none; None where the word is neither."""
    found = _FIGURE.match(words[place])
    if not found or not re.search("[1-9]", found["amount"]):
        return None
    following = words[place + 1].strip(",)") if place + 1 < len(words) else ""
    named = found["sign"] or found["money"] or found["unit"] == "%" or following in _UNITS
    return found["sign"] if named else None
