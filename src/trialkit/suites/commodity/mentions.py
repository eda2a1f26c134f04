"""What a reasoning mentions: a concept by any of its words, another word by itself, in any of its English forms.

What a sentence only denies (`no risk`, `not profitable`) it does not mention.
"""

import re
import unicodedata
from functools import cache

_LARGE = r"(?:larg(?:e|er|est)|big(?:ger|gest)?|huge|siz(?:e)?able|substantial|significant|considerable|massive|heavy)"
_HOLDING = r"(?:positions?|holdings?|exposure|stake|bet)"
#: What is said of it may stand aside: `the position, bought at 4.50, is …`, `the position (100,000 bu) is …`.
_HOLDING_IS = rf"{_HOLDING}(?:, .{{1,30}},| \([^()]*\))? (?:is|are|has become|remains)"
#: Between `large` and what is large no other thing may stand that could be, such as a gain on the position.
_BETWEEN = r"(?:(?!(?:a|an|the|of|on|in|to|is|gains?|losses|loss|profits?|prices?|moves?|swings?) )\S+ ){0,5}"
_PL = r"p&l (?:= .{1,80} )?(?:[^\d\s]+ ){0,5}?"
_STANDS = rf"(?<!if the )(?<!when the )(?:{_HOLDING_IS}|trade is|you're)(?: (?:now|currently))?"
_SUM = r"(?:[^\W\d]+ ){0,2}[$€£]?\d\S*(?: unrealized)?"
#: Names that a rule can ask by → words that mention the concept, and phrases (as patterns). Words count in all forms.
_CONCEPTS = {
    "size sizing": (
        "size sizing sizable sizeable volume notional outsized oversized",
        (
            rf"{_LARGE},? {_BETWEEN}(?:{_HOLDING}|long|short)|{_HOLDING_IS} (?:(?!not )\w+ )?{_LARGE}|"
            rf"scale of the {_HOLDING}"
        ),
    ),
    "concentration concentrated": (
        "concentration concentrate undiversified diversify diversification overweight overexposed",
        r"(?:single|sole|one) (?:\w+ )?(?:position|holding|commodity|asset|market|crop)|(?:entire|whole) portfolio",
    ),
    "risk risky": (
        "risk risky riskier riskiest danger dangerous hazard downside threat vulnerable vulnerability jeopardy",
        "at stake",
    ),
    "profit profitable gain": (
        "profit profitable profitability gain appreciate appreciation",
        (
            rf"in the (?:money|green|black)|positive p&l|p&l is (?:\w+ )?positive|{_PL}\+{_SUM}|\+{_SUM} p&l|"
            rf"{_STANDS} up {_SUM}"
        ),
    ),
    "loss lose": (
        "loss lose losing lost underwater drawdown",
        rf"under water|in the red|negative p&l|p&l is (?:\w+ )?negative|{_PL}-{_SUM}|{_STANDS} down {_SUM}",
    ),
    "p&l": ("p&l profit gain loss lose losing lost unrealised unrealized", "mark to market"),
    "breakeven": ("breakeven", "entry (?:price|level)|cost basis"),
    "volatility volatile": ("volatility volatile swing choppy turbulent turbulence fluctuate fluctuation", ""),
    "exposure exposed": ("exposure expose overexposed", ""),
    "hedge": ("hedge offset", ""),
    "price": ("price quote", ""),
    "trend": ("trend momentum rally downtrend uptrend", ""),
    "protection protect protective": ("protection protect protective safeguard", ""),
    "stoploss": ("stoploss", "(?:protective|trailing) stop|stop order"),
    "takeprofit": ("takeprofit", "profit target"),
}
#: Whoever denies these does not speak of them. The others are spoken of even so: no diversification, not hedged.
_DENIABLE = {"size sizing", "risk risky", "profit profitable gain", "loss lose", "volatility volatile"}
_DENIED = re.compile(
    r"(?:^| )(?<!not )(?:no|not|without|nor|neither|never|isn't|aren't|wasn't|doesn't)(?: (?:any|a|an|the|yet|very|so|"
    r"real|significant|material|major|further|small|downside|price|\w+ (?:or|nor)))* $"
)
#: `no further losses`, `no small risk` and `not only risk` deny nothing; nor does `no risk limits`.
_NO_DENIAL = re.compile(r"\b(?:no (?:further|small)|not only)\b")
_SOMETHING_ELSE = re.compile(r" (?:management|controls?|limits?|tolerance|targets?|more than)\b")
# Words that no reasoning is asked to mention for themselves: a rule with one of them means something else.
_FUNCTION_WORDS = re.compile(
    "that|this|these|those|it|its|why|how|what|when|where|which|who|whether|if|then|than|not|no|none|never|neither|nor|any|"
    "some|all|each|every|either|both|only|also|with|without|in|on|at|to|of|for|from|by|as|but|so|there|here"
)
# Names of several words become one word: a stop-loss mentions no loss, a short-term trend is not short.
_NAMES = {
    re.compile(r"\bstop[\s_-]*loss(?:es)?\b"): "stoploss",
    re.compile(r"\b(?:take|taking)[\s_-]*profits?\b|\bprofit[\s-]*taking\b"): "takeprofit",
    re.compile(r"\bbreak(?:s|ing)?[\s-]*even\b"): "breakeven",
    re.compile(r"\bp\s?[&/]\s?l\b|\bpnl\b|\bprofit(?: (?:and|or) |\s?[&/]\s?)loss\b"): "p&l",
    re.compile(r"\b(long|short)[\s-](term|run|lived|dated|squeeze|covering)\b"): r"\1\2",
}
_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\n]*\)")
_LINE_START = re.compile(r"^[ \t]*(?:[-*•>|]|#{1,6}|\d{1,2}[.)])[ \t]+|\n[ \t]*(?=\n)", re.MULTILINE)
_MARKS = re.compile(r"[*`|~]+|(?<!\w)_+|_+(?!\w)")
# Scripts that put no spaces between words.
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")


def normalised(text: str) -> str:
    """For comparing: one case, one kind of space, no Markdown; `;` stands where a paragraph or list item begins."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    plain = re.sub(r"[\u2010-\u2015\u2212]", "-", plain).replace("\u2019", "'")
    plain = _MARKS.sub("", _LINE_START.sub("; ", _LINK.sub(r"\1", plain)))
    for name, word in _NAMES.items():
        plain = name.sub(word, plain)
    return " ".join(re.sub(r"(?<=\w)-(?=\w)", " ", plain).split()).strip("; ")


def is_concept(word: str) -> bool:
    """Whether there is a concept by this (normalised) name, in any form of the word."""
    return _concept(word) is not None


def is_askable(word: str) -> bool:
    """Whether a rule can ask for a mention of this single word."""
    return re.fullmatch(r"[^\W_](?:[\w'&]*\w)?", word) is not None and not _FUNCTION_WORDS.fullmatch(word)


def mention(word: str, text: str) -> str | None:
    """The first mention of a word's concept, or of the word itself, in a normalised text."""
    concept = _concept(word)
    for sentence in re.split(r"(?<!\b\w)[.!?] |;", text):
        for found in _pattern(word).finditer(sentence):
            if concept not in _DENIABLE or not _denied(sentence, found.start(), found.end()):
                return found.group()
    return None


def quotation(phrase: str, text: str) -> bool:
    """Whether a normalised text has the (normalised) phrase as it is."""
    return re.search(_bounded(re.escape(phrase), phrase), text) is not None


def _denied(sentence: str, start: int, end: int) -> bool:
    before = sentence[max(0, start - 80) : start]
    denied = _DENIED.search(_NO_DENIAL.sub("", before)) or sentence.startswith((" free", " is nil"), end)
    return bool(denied) and not _SOMETHING_ELSE.match(sentence, end)


@cache
def _concept(word: str) -> str | None:
    return next((names for names in _CONCEPTS if _stem(word) in map(_stem, names.split())), None)


@cache
def _pattern(word: str) -> re.Pattern[str]:
    concept = _concept(word)
    words, phrases = _CONCEPTS[concept] if concept else (word, "")
    parts = [phrases, *map(_forms, words.split())] if phrases else list(map(_forms, words.split()))
    return re.compile(_bounded(f"(?:{'|'.join(parts)})", word))


def _forms(word: str) -> str:
    stem = _stem(word)
    return (
        rf"{stem}(?:{stem[-1]}?(?:[esdy]|es|ies|ed|ied|ing))?" if word.isascii() and word.isalpha() else re.escape(word)
    )


@cache
def _stem(word: str) -> str:
    """Without its English ending: risks, stopped, policies, concentrate. It need be no word itself."""
    found = re.fullmatch(r"([a-z]{3,}?)(?:ies|ied|(?<=[sxzh])es|(?<![su])(?<!new)s|ed|ing|[ey])?", word)
    stem = found[1] if found else word
    return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] not in "ls" else stem


def _bounded(pattern: str, phrase: str) -> str:
    return pattern if _UNSPACED.search(phrase) else rf"(?<!\w){pattern}(?!\w)"
