"""Concepts that a reasoning can mention: synonyms and word forms, found on word boundaries.

A concept of the dictionary is mentioned by any of its words and phrases, within one sentence, and profit and loss by
figures too; any other word is mentioned by itself. All words count in their English forms (s, es, ies, ed, ing, …).
What a text only denies (`no risk`, `not profitable`) it does not mention.
"""

import re
from functools import cache

from trialkit.suites.commodity.prose import sentences, told_results

_LARGE = (
    "large|larger|largest|big|bigger|biggest|huge|sizable|sizeable|substantial|significant|considerable|massive|enormous|"
    "hefty|heavy|outsized|oversized"
)
_HOLDING = "position|holding|exposure|stake|bet|allocation|commitment"
_BE = "is|are|was|were|be|been|being|remain|look|seem|appear|become|became"
#: Names that a rule can ask by → words and phrases that mention the concept. In a phrase, `|` stands between words of
#: which one will do, `…` for up to five words that can stand between an adjective and its noun, `~` for adverbs and
#: parentheses.
_DICTIONARY: dict[str, str] = {
    "size sizing": f"size, sizable, sizeable, volume, notional, outsized, oversized, {_LARGE} … {_HOLDING}|long|short, "
    f"{_HOLDING} ~ {_BE} ~ {_LARGE}, {_HOLDING} of|in|at … {_BE} ~ {_LARGE}, "
    f"{_HOLDING} has|have become|been|grown ~ {_LARGE}, {_LARGE} … bushel|contract|tonne|ton, "
    f"sheer scale|magnitude, scale|magnitude of the|this|that|such|a|an|your|their|his|her|our|its … {_HOLDING}",
    "concentration concentrated": "concentration, concentrate, undiversified, diversify, diversification, overweight, "
    "overexposed, single|sole … position|holding|commodity|asset|market|crop, one commodity|basket|asset|crop, "
    "entire|whole portfolio|book",
    "risk risky": "risk, risky, riskier, riskiest, danger, dangerous, hazard, downside, threat, vulnerable, "
    "vulnerability, jeopardy, at stake",
    "profit profitable gain": "profit, profitable, profitability, gain, appreciate, appreciation, in the money, "
    f"in the green, in the black, positive p&l, p&l {_BE} ~ positive",
    "loss lose": "loss, lose, lost, losing, underwater, under water, drawdown, in the red, negative p&l, "
    f"p&l {_BE} ~ negative",
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
_TOLD_BY = {"+": "profit profitable gain", "-": "loss lose"}
# Words that no reasoning is asked to mention for themselves: a rule with one of them means something else.
_FUNCTION_WORDS = re.compile(
    "that|this|these|those|it|its|why|how|what|when|where|which|who|whether|if|then|than|not|no|none|never|neither|nor|any|"
    "some|all|each|every|either|both|only|also|with|without|in|on|at|to|of|for|from|by|as|but|so|there|here"
)
# Between an adjective and its noun: where one of these stands, something else is talked of.
_ELSEWHERE = (
    "a|an|the|this|that|these|those|my|your|his|her|its|our|their|any|each|every|some|no|not|and|of|on|in|at|to|from|for|"
    "by|with|within|without|against|under|over|above|below|between|into|per|than|as|if|when|while|where|which|who|whose|"
    "because|so|but|or|nor|is|are|was|were|be|been|being|has|have|had|do|does|did|will|would|can|could|may|might|must|"
    "should|i|you|he|she|it|we|they|gains?|loss|losses|profits?|p&l|prices?|moves?|movements?|swings?|drops?|falls?|"
    "declines?|risks?|drawdowns?|rally|rallies|gaps?|increases?|amounts?|volatility|stoploss|takeprofit"
)
_BETWEEN = rf"(?:(?:and )?[^\w\s]*(?!(?:{_ELSEWHERE})(?!\w))\w\S* ){{0,5}}"
_ADVERBS = (
    r"(?:(?:\w+ly|very|quite|rather|so|too|also|still|pretty|now|already|just|even|here|itself|\([^()]*\)),? ){0,3}"
)
_NOT_EVERY = r"(?<!\bevery )"
#: Whoever denies these does not speak of them. The others are spoken of even so: no diversification, not hedged.
_DENIABLE = {
    "size sizing",
    "risk risky",
    "profit profitable gain",
    "loss lose",
    "volatility volatile",
}
# Only what can leave no doubt may stand between: `no further losses`, `no small risk` and `not only risk` deny nothing.
_DENIED = re.compile(
    r"(?:(?<!\bnot )(?<!n't )\bwithout|\b(?:no|not|never|neither|nor|zero)|\w+n't|\b(?:lack|absence|free) of)"
    r"(?: (?:any|a|an|the|at|in|of|yet|currently|longer|very|so|too|particularly|really|much|real|actual|significant|"
    r"material|meaningful|major|serious|great|undue|notable|obvious|apparent|immediate|imminent|unreali[sz]ed|open|"
    r"concentration|size|downside|price|market|\w+ (?:or|nor)))* \Z"
)
#: Longer than any denial; a text may deny something in every other word.
_DENIAL_LENGTH = 200
_DENIED_AFTER = re.compile(r" free\b| (?:is|are|was) (?:nil|zero|absent|non ?existent)\b")
# `no risk limits`, `do not risk more than`: what is denied is something else.
_SOMETHING_ELSE = re.compile(r" (?:management|controls?|limits?|mitigation|protection|tolerance|targets?|more than)\b")
# Scripts that put no spaces between words have no boundaries to look for either.
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_NOT_PLURAL = ("ss", "us", "is", "news")


def is_concept(word: str) -> bool:
    """Whether the dictionary has a concept by this (normalised) name, in any form of the word."""
    return _concept(word) is not None


def is_askable(word: str) -> bool:
    """Whether a rule can ask for a mention of this single word."""
    return re.fullmatch(r"[^\W_](?:[\w'&]*\w)?", word) is not None and not _FUNCTION_WORDS.fullmatch(word)


def mention(word: str, text: str) -> str | None:
    """The first mention of a word's concept, or of the word itself, in a normalised text."""
    for sentence in sentences(text):
        for found in _pattern(word).finditer(sentence):
            if _concept(word) not in _DENIABLE or not _denied(found):
                return found.group()
        for told in told_results(sentence):
            if _concept(word) == _TOLD_BY[told.sign]:
                return told.words
    return None


def _denied(found: re.Match[str]) -> bool:
    text, start, end = found.string, found.start(), found.end()
    before = text[max(0, start - _DENIAL_LENGTH) : start]
    return bool(_DENIED_AFTER.match(text, end) or (_DENIED.search(before) and not _SOMETHING_ELSE.match(text, end)))


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
    """Words of a phrase may have punctuation between them: a sentence has none that would separate them."""
    between = {"…": _BETWEEN, "~": _ADVERBS}
    parts = [between.get(part) or rf"[^\w\s]*(?:{_alternatives(part)})[^\w\s]* " for part in phrase.split()]
    whole = "".join(parts).removeprefix(r"[^\w\s]*").removesuffix(r"[^\w\s]* ")
    return (_NOT_EVERY if "…" in phrase else "") + _bounded(whole, phrase)


def _alternatives(words: str) -> str:
    forms = {form for word in words.split("|") for form in _forms(word)}
    return "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True))


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
