"""Concepts that a reasoning can mention: synonyms and word forms, found on word boundaries.

A concept of the dictionary is mentioned by any of its words and phrases; any other word is mentioned by itself. All
words count in their English forms (s, es, ies, ed, ing, …).
"""

import re
import unicodedata
from functools import cache

#: Names that a rule can ask by → words and phrases that mention the concept; `…` stands for up to three words.
_DICTIONARY: dict[str, str] = {
    "size sizing": "size, sizable, sizeable, volume, notional, outsized, oversized, large … position, "
    "position … large, large … holding, large … exposure, large long, large short, big … position, position … big, "
    "huge … position, position … huge, substantial … position, position … substantial",
    "concentration concentrated": "concentration, concentrate, undiversified, diversify, diversification, overweight, "
    "overexposed, single position, single commodity, one commodity",
    "risk risky": "risk, risky, riskier, riskiest, danger, dangerous, hazard, downside, threat, vulnerable, "
    "vulnerability, jeopardy, at stake",
    "profit profitable gain": "profit, profitable, profitability, gain, appreciate, appreciation, in the money, "
    "in the green",
    "loss lose": "loss, lose, lost, losing, underwater, under water, drawdown, in the red",
    "p&l": "p&l, unrealised, unrealized, mark to market, profit, gain, loss, lose, lost, losing",
    "breakeven": "breakeven, entry price, entry level, cost basis",
    "volatility volatile": "volatility, volatile, swing, choppy, turbulent, turbulence, fluctuate, fluctuation",
    "exposure exposed": "exposure, expose, overexposed",
    "hedge": "hedge, offset",
    "price": "price, quote",
    "trend": "trend, momentum, rally, downtrend, uptrend",
    "protection protect protective": "protection, protect, protective, safeguard",
    "stoploss": "stoploss, protective stop, trailing stop, stop order",
    "takeprofit": "takeprofit, profit target",
}
# Words that no reasoning is asked to mention for themselves: a rule with one of them means something else.
_FUNCTION_WORDS = re.compile(
    "that|this|these|those|it|its|why|how|what|when|where|which|who|whether|if|then|than|not|no|none|never|neither|nor|any|"
    "some|all|each|every|either|both|only|also|with|without|in|on|at|to|of|for|from|by|as|but|so|there|here"
)
# Scripts that put no spaces between words have no boundaries to look for either.
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_NOT_PLURAL = ("ss", "us", "is", "news")


def normalised(text: str) -> str:
    """For comparing: one case, one kind of space. A stop-loss becomes one word, so that it does not mention a loss."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    plain = re.sub(r"[\u2010-\u2015\u2212]", "-", plain).replace("\u2019", "'")
    plain = re.sub(r"\bstop[\s-]*loss(?:es)?\b", "stoploss", plain)
    plain = re.sub(r"\b(?:take|taking)[\s-]*profits?\b|\bprofit[\s-]*taking\b", "takeprofit", plain)
    plain = re.sub(r"\bbreak(?:s|ing)?[\s-]*even\b", "breakeven", plain)
    plain = re.sub(r"\bp\s?[&/]\s?l\b|\bpnl\b|\bprofit (?:and|or) loss\b", "p&l", plain)
    return " ".join(re.sub(r"(?<=\w)-(?=\w)", " ", plain).split())


def is_concept(word: str) -> bool:
    """Whether the dictionary has a concept by this (normalised) name, in any form of the word."""
    return _concept(word) is not None


def is_askable(word: str) -> bool:
    """Whether a rule can ask for a mention of this single word."""
    return re.fullmatch(r"[^\W_](?:[\w'&]*\w)?", word) is not None and not _FUNCTION_WORDS.fullmatch(word)


def mention(word: str, text: str) -> str | None:
    """The first mention of a word's concept, or of the word itself, in a normalised text."""
    found = _pattern(word).search(text)
    return found.group() if found else None


def quotation(phrase: str, text: str) -> bool:
    """Whether a normalised text has the (normalised) phrase as it is."""
    return re.search(_bounded(re.escape(phrase), phrase), text) is not None


@cache
def _concept(word: str) -> str | None:
    for names in _DICTIONARY:
        if any(word in _forms(name) for name in names.split()):
            return names
    return None


@cache
def _pattern(word: str) -> re.Pattern[str]:
    names = _concept(word)
    phrases = _DICTIONARY[names].split(", ") if names else [word]
    return re.compile("|".join(_phrase(phrase) for phrase in phrases))


def _phrase(phrase: str) -> str:
    parts = [r"(?:\w+ ){0,3}" if part == "…" else f"(?:{_alternatives(part)}) " for part in phrase.split()]
    return _bounded("".join(parts).removesuffix(" "), phrase)


def _alternatives(word: str) -> str:
    return "|".join(re.escape(form) for form in sorted(_forms(word), key=len, reverse=True))


def _bounded(pattern: str, phrase: str) -> str:
    return pattern if _UNSPACED.search(phrase) else rf"(?<!\w){pattern}(?!\w)"


@cache
def _forms(word: str) -> frozenset[str]:
    """A word in its English forms. Some are not words, which does no harm: no text has them."""
    if len(word) < 3 or not (word.isascii() and word.isalpha()):
        return frozenset({word})
    return frozenset({word}.union(*(_inflected(base) for base in _bases(word))))


def _bases(word: str) -> set[str]:
    bases = {word}
    if word.endswith("ies") and len(word) > 4:
        bases.add(word[:-3] + "y")
    elif re.search(r"(?:s|x|z|ch|sh|o)es$", word):
        bases |= {word[:-2], word[:-1]}
    elif word.endswith("s") and not word.endswith(_NOT_PLURAL) and len(word) > 3:
        bases.add(word[:-1])
    elif word.endswith("ied") and len(word) > 4:
        bases.add(word[:-3] + "y")
    elif (ending := re.search(r"(?<=[a-z]{3})(?:(?<!e)ed|ing)$", word)) and re.search(r"[aeiouy]", word[:-3]):
        stem = word[: ending.start()]
        bases |= {stem, stem + "e", stem[:-1] if stem[-1] == stem[-2] else stem}
    return bases


def _inflected(base: str) -> set[str]:
    if base.endswith("e"):
        return {base, base + "s", base + "d", base[:-1] + "ing"}
    if re.search(r"[^aeiou]y$", base):
        return {base, base[:-1] + "ies", base[:-1] + "ied", base + "ing"}
    plural = base + "es" if re.search(r"(?:s|x|z|ch|sh|o)$", base) else base + "s"
    forms = {base, base + "s" if base.endswith("o") else plural, plural, base + "ed", base + "ing"}
    if re.search(r"(?:^|[^aeiou])[aeiou][bdgklmnprt]$", base):
        forms |= {base + base[-1] + "ed", base + base[-1] + "ing"}
    return forms
