"""Whether a reasoning mentions something: yes or no only where that is plain, else None (docs/rules.md).

A concept is mentioned where a sentence states it and has no word but those that are known to leave no doubt; it is not
mentioned where every word of the reasoning is known to have nothing to do with it. Every pattern is linear in the text.
"""

import re
import unicodedata
from collections.abc import Collection
from importlib.resources import files
from typing import NamedTuple

from trialkit.text.short import shown

#: Names of several words become one word: a stop-loss mentions no loss, a short-term trend is not short.
_NAMES = {
    r"\bstop ?loss(?:es)?\b": "stoploss",
    r"\b(?:take|taking) ?profits?\b|\bprofit taking\b": "takeprofit",
    r"\bbreak(?:s|ing)? ?even\b": "breakeven",
    r"\bp ?[&/] ?l\b|\bpnl\b|\bprofit(?: (?:and|or) | ?[&/] ?)loss\b": "p&l",
    r"\b(long|short) (term|run|lived|dated|squeeze|covering)\b": r"\1\2",
}
_MARKS = dict.fromkeys(map(ord, "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212*_`~#|[]"), " ") | {0x2019: "'"}
_MINUS = re.compile(r"(?<!\w)(?:[-\u2212] ?(?=[$\d])|\((?=\$?[\d.,]{1,20}%?\)))")
_TABLE = (files("trialkit.suites.commodity") / "words.txt").read_text("utf-8").split("#")
_NEUTRAL, _STATES, _PLAIN = (frozenset(part.partition("\n")[2].split()) for part in _TABLE[1:])
_UNDOUBTED = _NEUTRAL | _STATES | _PLAIN
_HOLDING = "(?:position|holding|exposure)s?"
_SIZEABLE = "large[rst]*|big(?:ger|gest)?|huge|size?able|substantial|significant|massive|enormous|outsized|oversized"
_LARGE = f"(?:very |quite |really )?(?:{_SIZEABLE})"
_BETWEEN = (
    r"(?:,? (?:and|long|short|commodity|corn|wheat|soybean|single|open|concentrated|unhedged|bushel|[\d,]{1,15})){0,4}"
)
_NOUN = (
    "(?:unreali[sz]ed|paper|open|current|existing|an?|the|your|its|this|these|in|of|healthy|solid|strong|decent|modest|small|"
    rf"{_SIZEABLE}|[\d.,]{{1,15}}%?) "
)
_GAIN = rf"{_NOUN}(?:gains?|profits?)(?! targets?\b)|has gained|profitable|in the (?:green|black)"
_LOSS = rf"{_NOUN}loss(?:es)?|under ?water|in the red|losing (?:money|position|trade)"
#: What is said of money may be of another price, of a price's way, or of what an alert is to bring or to save.
_NOT_MADE = (
    "^at(?! the current)|^with|could|may|might|can|to|prices?|market|rally|limits?|caps?|reduces?|manages?|protects?|"
    "further|target|stop|stoploss|takeprofit|above|below|risks?|risky|dangers?|vulnerable|exposed|falls?|drops?|declines?|"
    r"nearly(?! \$?\d)|moves?|against|adverse|lower|more|higher|order|hedge[sd]?|offsets?|offsetting|needed|all"
)
_POSSIBLE = "could|may|might|can"
_ALWAYS = "(?:long|short) (?:of|on|for|from|in)"  # of words that are plain, what is none: short of a profit


class _Concept(NamedTuple):
    said: str  # how a sentence states it
    of: str = ""  # what the sentence has to be about
    doubts: str = _POSSIBLE  # plain words that leave a doubt about this concept; none: it is of what may be
    near: str = "(?!)"  # neutral words that may mean it


_MINE = rf"\b(?:{_HOLDING}|trade|unreali[sz]ed)\b"
_CONCEPTS = {
    "size sizes sizing": _Concept(
        rf"{_HOLDING} size|(?:size|scale|magnitude) of (?:the|this|your|its) (?:long |short |commodity )?{_HOLDING}|"
        rf"{_LARGE}{_BETWEEN} {_HOLDING}|{_HOLDING} (?:is|are|remains) {_LARGE}",
        near=r"\d",
    ),
    "concentration concentrated": _Concept(
        "concentrat(?:ed|ion)|undiversified|overweight", _MINE + "|portfolio", near=r"\d"
    ),
    "risk risks risky": _Concept("risks?|risky|dangers?|dangerous|threat|vulnerable", doubts="", near="stoploss"),
    "profit profits profitable gain gains": _Concept(_GAIN, _MINE, _NOT_MADE, r"\d"),
    "loss losses lose losing": _Concept(_LOSS, _MINE, _NOT_MADE, r"\d"),
    "p&l": _Concept(rf"p&l|{_GAIN}|{_LOSS}", "p&l|" + _MINE, _NOT_MADE, r"\d"),
    "breakeven": _Concept("breakeven|entry price|entry level|cost basis", near=r"\d"),
    "volatility volatile": _Concept("volatility|volatile|price swings?|choppy"),
    "exposure exposed": _Concept("exposure|exposed|overexposed", near=r"\d|position"),
    "hedge hedges hedged hedging": _Concept("hedge[sd]?|hedging|offsets?|offsetting", near="stoploss|long|short"),
    "price prices": _Concept("prices?|quotes?", near=r"\d|market"),
    "trend trends": _Concept("(?:up|down)?trend|trending|momentum|rally"),
    "protection protect protective": _Concept("protect(?:s|ion|ive)?|safeguards?", near="stoploss"),
    "stoploss": _Concept("stoploss|protective stop|trailing stop|stop order"),
    "takeprofit": _Concept("takeprofit|profit target"),
}
_BY_NAME = {name: concept for names, concept in _CONCEPTS.items() for name in names.split()}
# Words that no reasoning is asked to mention for themselves: a rule with one of them means something else.
_FUNCTION_WORDS = re.compile(
    "that|this|these|those|it|its|why|how|what|when|where|which|who|whether|if|then|than|not|no|none|never|neither|nor|any|"
    "some|all|each|every|either|both|only|also|with|without|in|on|at|to|of|for|from|by|as|but|so|there|here"
)


class Decision(NamedTuple):
    met: bool | None  # None: not to be decided by rules
    evidence: str


def normalised(text: str) -> str:
    """For comparing: one case, no Markdown, names in one word; a line for each paragraph or list item."""
    plain = _MINUS.sub("minus ", unicodedata.normalize("NFKC", text).casefold()).translate(_MARKS)
    plain = "\n".join(" ".join(line.split()) for line in plain.splitlines())
    for name, word in _NAMES.items():
        plain = re.sub(name, word, plain)
    return plain.strip()


def is_concept(word: str) -> bool:
    return word in _BY_NAME


def is_askable(word: str) -> bool:
    """Whether a rule can ask for a mention of this single (normalised) word."""
    return is_concept(word) or (re.fullmatch(r"[^\W_]+", word) is not None and _FUNCTION_WORDS.fullmatch(word) is None)


def mention(word: str, text: str, asked: str, codes: Collection[str]) -> Decision:
    """Of a concept, or else of the word as it is written, in a normalised text; `asked`: the choice it stands in.

    To talk of one of the commodities that are held leaves no doubt.
    """
    if (concept := _BY_NAME.get(word)) is None:
        return _written(word, text)
    for code in codes:
        text = re.sub(rf"\b{re.escape(code)}(?!\w)", "commodity", text)
    said = re.compile(rf"\b(?:{concept.said})(?!\w)")
    sentences = re.split(r"(?<=[.!?]) |\n", text)
    if not concept.doubts:
        sentences = [sentence.partition(" if ")[0] for sentence in sentences]
    near = [sentence for sentence in sentences if said.search(sentence)]
    if plain := next((sentence for sentence in near if _states(sentence, concept)), None):
        return Decision(True, f"{asked}: the reasoning says {shown(_cue(said, plain))}")
    if near:
        return Decision(None, f"{word}: doubtful in {shown(near[0], 120)}")
    neutral = all(one in _NEUTRAL or one[0].isdigit() for one in _words(text))
    if neutral and not re.search(rf"\b(?:{concept.near})", text):
        return Decision(False, f"the reasoning does not mention {word}")
    return Decision(None, f"{word}: the reasoning does not say it plainly, but has words that may mean it")


def _cue(said: re.Pattern[str], sentence: str) -> str:
    """The word by which the sentence states it, or else all that states it."""
    words = next(said.finditer(sentence))[0]
    return next((word for word in _words(words) if is_concept(word)), words)


def _states(sentence: str, concept: _Concept) -> bool:
    words = _words(sentence)
    whole = not sentence.endswith((":", "?")) and any(one in _STATES or one[0].isdigit() for one in words)
    # A figure of 0 denies what it stands beside.
    plain = all(re.search("[1-9]", one) if one[0].isdigit() else one in _UNDOUBTED for one in words)
    doubts = "|".join(filter(None, (_ALWAYS, concept.doubts)))
    return whole and plain and not re.search(rf"\b(?:{doubts})\b", sentence) and bool(re.search(concept.of, sentence))


def _words(text: str) -> list[str]:
    return re.findall(r"\d[\d.,]*|[^\W\d_]+(?:['&][^\W\d_]+)*|[^\w\s.,;:!()%$&'@]", text)


def _written(word: str, text: str) -> Decision:
    words = re.findall(r"[^\W_]+", text)
    if word in words or word + "s" in words:
        return Decision(True, f"{word}: the reasoning has the word")
    if any(other.startswith(word[: max(3, len(word) - 3)]) or word in other for other in words):
        return Decision(None, f"{word}: the reasoning has a word that may be a form of it")
    return Decision(False, f"the reasoning does not mention {word}")


def quotation(phrase: str, text: str) -> Decision:
    """Whether a normalised text has the (normalised) phrase as it is."""
    quoted = re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", " ".join(text.split())) is not None
    said = "the reasoning says" if quoted else "the reasoning does not say"
    return Decision(quoted, f"{said} {shown(phrase)}")
