"""The grammar of criteria rules: what code can decide. The page docs/rules.md is its reference.

`parse` gives the clauses of a rule, all of which must hold, or None for a rule outside the grammar. It never guesses:
every word of a rule must have a place in it.
"""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial
from typing import NamedTuple

from trialkit.suites.commodity.alerts import Analysis, Suggestion
from trialkit.suites.commodity.fields import decimal
from trialkit.suites.commodity.mentions import is_askable, is_concept, mention, normalised, quotation
from trialkit.suites.commodity.portfolio import Position, kind_for
from trialkit.suites.commodity.scenarios import Scenario
from trialkit.text.short import shown


class Decision(NamedTuple):
    met: bool | None  # None: the clause says nothing about this scenario
    evidence: str


#: Decides one clause of a rule for an answer.
Clause = Callable[[Scenario, Analysis], Decision]

_SUGGEST = r"(?:suggest|recommend|include|contain|set|create|have|has)s?"
_GUARD = r"(?:stoploss|takeprofit)(?: alerts?)?"
_KIND = rf"{_GUARD}|alerts? above|alerts? below|above alerts?|below alerts?"
_PRICE = r"thresholds?(?:[ _]prices?)?"
_NUMBER = r"\$?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
_COUNT_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_FILLERS = re.compile(r"\b(?:must|should|a|an|the|be|is|are)\b(?![&'])")
_STRICTLY_BELOW = ("below", "under", "less than", "lower than", "<")
_STRICTLY_ABOVE = ("above", "over", "more than", "greater than", "higher than", ">")
_AT_MOST = ("at or below", "at most", "<=", "\u2264")
_AT_LEAST = ("at or above", "at least", ">=", "\u2265")
_COMPARISON = "|".join(sorted((*_STRICTLY_BELOW, *_STRICTLY_ABOVE, *_AT_MOST, *_AT_LEAST), key=len, reverse=True))
_CLAUSE_START = (
    rf"(?:{_SUGGEST}|address|addresses|(?:reasoning )?mentions?|"
    rf"(?:(?:all|every|each) )?(?:(?:{_GUARD} )?thresholds?|{_GUARD} (?:{_COMPARISON}|between)))(?!\w)"
)
_SEPARATOR = re.compile(rf"(?:[,;] and|[,;]| and) (?={_CLAUSE_START})")
_DIRECTIONS = r"alerts? in both directions"


def parse(rule: str) -> list[Clause] | None:
    text = normalised(rule).rstrip(".;! ")
    # What stands in quotes is asked for as it is.
    parts = re.split(r'("[^"]*")', re.sub("[\u201c\u201d]", '"', text))
    text = "".join(part if part.startswith('"') else _FILLERS.sub("", part) for part in parts)
    found = [_clause(clause) for clause in _SEPARATOR.split(" ".join(text.split()))]
    return None if None in found else [clause for clause in found if clause]


def _clause(text: str) -> Clause | None:
    return _addresses(text) or _counts(text) or _suggests(text) or _threshold(text) or _mentions(text)


def _addresses(text: str) -> Clause | None:
    """Each position in the scope has a stop-loss or a take-profit."""
    found = re.fullmatch(rf"address(?:es)? (.+?)( with {_DIRECTIONS})?", text)
    scope = _scope(found[1]) if found else None
    if not found or not scope:
        return None
    addressed = partial(_has, ["stop-loss", "take-profit"], False, scope)
    return partial(_all_of, [addressed, partial(_has, ["above", "below"], True, None)]) if found[2] else addressed


def _suggests(text: str) -> Clause | None:
    """Alerts of all these kinds (or one of them), for each position in the scope; without one, for any position."""
    if re.fullmatch(rf"{_SUGGEST} {_DIRECTIONS}", text):
        return partial(_has, ["above", "below"], True, None)
    if side := re.fullmatch(rf"(?:{_SUGGEST} )?(?:alerts? with )?conditions? (above|below)", text):
        return partial(_has, [side[1]], True, None)
    found = re.fullmatch(rf"{_SUGGEST} (both )?({_KIND})(?: (and|or) ({_KIND}))?(?: for (.+))?", text)
    if not found:
        return None
    both, first, joint, second, where = found.groups()
    scope = _scope(where) if where else None
    kinds = [_kind(kind) for kind in (first, second) if kind]
    if (where and not scope) or (both and joint != "and") or len(set(kinds)) < len(kinds):
        return None
    return partial(_has, kinds, joint != "or", scope)


def _counts(text: str) -> Clause | None:
    if re.fullmatch(rf"{_SUGGEST} alerts?", text):
        return partial(_counted, None, 1, None)
    # No more digits than any answer could have alerts.
    amount = rf"(at least|at most|no more than|exactly) (\d{{1,6}}|{'|'.join(_COUNT_WORDS)})"
    found = re.fullmatch(rf"(?:{_SUGGEST} )?{amount} (suggestions?|{_KIND}|alerts?)", text)
    if not found:
        return None
    bound, word, what = found.groups()
    number = _COUNT_WORDS.index(word) if word in _COUNT_WORDS else int(word)
    low = number if bound in {"at least", "exactly"} else 0
    kind = _kind(what) if re.fullmatch(_KIND, what) else None
    return partial(_counted, kind, low, None if bound == "at least" else number)


def _threshold(text: str) -> Clause | None:
    """The threshold of some (or every) suggestion of the kind lies within the bounds."""
    # Of a stop-loss or take-profit only the threshold can be compared; an alert below 4.50 may mean its condition.
    subject = rf"(?:(all|every|each) )?(?:({_GUARD}) {_PRICE}|{_PRICE}|({_GUARD}))"
    compared = rf"({_COMPARISON}) ?{_NUMBER}|between {_NUMBER} and {_NUMBER}"
    found = re.fullmatch(rf"(?:{_SUGGEST} (?={_GUARD}))?{subject} (?:{compared})", text)
    if not found:
        return None
    every, named, bare, comparison, *written = found.groups()
    bound, low, high = (None if number is None else Decimal(number.replace(",", "")) for number in written)
    if bound is not None:
        low, high = (bound, None) if comparison in {*_STRICTLY_ABOVE, *_AT_LEAST} else (None, bound)
    elif low is not None and high is not None and low > high:
        return None
    strict = comparison in {*_STRICTLY_ABOVE, *_STRICTLY_BELOW}
    kind = named or bare

    def inside(suggestion: Suggestion) -> bool:
        threshold = decimal(suggestion.threshold_price)
        if threshold in (low, high):
            return not strict
        return (low is None or low < threshold) and (high is None or threshold < high)

    return partial(_within, _kind(kind) if kind else None, bool(every), inside)


def _mentions(text: str) -> Clause | None:
    found = re.fullmatch(r"(?:reasoning )?mentions? (?:both |either )?(.+?)(?: in reasoning)?", text)
    if not found:
        return None
    listed = re.split(r",? (and|or) |, ", re.sub(r" ?/ ?", "/", found[1]))
    joints = {joint for joint in listed[1::2] if joint}
    # "a, b" says neither and nor or; "a and b or c" says both.
    if len(joints) != 1 and len(listed) > 1:
        return None
    terms = listed[::2]
    return partial(_mentioned, terms, joints == {"and"}) if all(map(_is_term, terms)) else None


def _is_term(text: str) -> bool:
    """A quotation, a word, or concepts side by side: of other words only quotes can say what exactly is meant."""
    if re.fullmatch(r'"[^"]*\w[^"]*"', text):
        return True
    words = _words(text)
    every = [word for choice in words for word in choice]
    return all(map(is_askable, every)) and (len(words) == 1 or all(map(is_concept, every)))


def _words(term: str) -> list[list[str]]:
    return [word.split("/") for word in term.replace("position size", "size").split()]


_KINDS = {"above": "above", "below": "below", "stoploss": "stop-loss", "takeprofit": "take-profit"}


def _kind(text: str) -> str:
    return next(kind for word, kind in _KINDS.items() if word in text)


def _scope(text: str) -> str | None:
    """Which positions a rule is about: every, both, long, short, long and short, or those in a commodity."""
    for pattern, which in _SCOPES.items():
        if re.fullmatch(rf"{pattern}(?: positions?)?", text):
            return which
    named = re.fullmatch(r"(\S+)(?: positions?)?", text)
    return named[1] if named else None


_SCOPES = {
    "both": "both",
    "(?:all|every|each)": "every",
    "(?:both )?(?:long(?: position)? and short|short(?: position)? and long)": "long and short",
    "(?:(?:all|every|each) )?long": "long",
    "(?:(?:all|every|each) )?short": "short",
}


def _has(kinds: Sequence[str], every: bool, scope: str | None, scenario: Scenario, analysis: Analysis) -> Decision:
    if scope is None:
        return _joined([_listed(kind, _of_kind(kind, scenario, analysis)) for kind in kinds], every=every)
    positions = _in_scope(scope, scenario)
    if isinstance(positions, str):
        return Decision(None, positions)
    return _joined(
        [
            _joined(
                [_listed(f"{kind} for {one}", _for_position(kind, one, scenario, analysis)) for kind in kinds],
                every=every,
            )
            for one in positions
        ],
        every=True,
    )


def _all_of(clauses: Sequence[Clause], scenario: Scenario, analysis: Analysis) -> Decision:
    found = [clause(scenario, analysis) for clause in clauses]
    undecided = next((one for one in found if one.met is None), None)
    return undecided or _joined(found, every=True)


def _counted(kind: str | None, low: int, high: int | None, scenario: Scenario, analysis: Analysis) -> Decision:
    number = len(_of_kind(kind, scenario, analysis))
    return Decision(low <= number and (high is None or number <= high), f"{kind or 'suggestions'}: {number}")


def _within(
    kind: str | None, every: bool, inside: Callable[[Suggestion], bool], scenario: Scenario, analysis: Analysis
) -> Decision:
    asked = _of_kind(kind, scenario, analysis)
    if not asked:
        return Decision(False, f"no {kind or 'suggestion'}")
    within = [one for one in asked if inside(one)]
    outside = [one for one in asked if one not in within]
    met = not outside if every else bool(within)
    told = f"within the bounds: {_names(within)}" if met else f"outside the bounds: {_names(outside)}"
    return Decision(met, told)


def _mentioned(terms: Sequence[str], every: bool, _scenario: Scenario, analysis: Analysis) -> Decision:
    text = normalised(analysis.reasoning)
    return _joined([_term_mentioned(term, text) for term in terms], every=every)


def _term_mentioned(term: str, text: str) -> Decision:
    if term.startswith('"'):
        phrase = term.strip('" ')
        quoted = quotation(phrase, text)
        return Decision(quoted, f"the reasoning {'says' if quoted else 'does not say'} {shown(phrase)}")
    return _joined([_any_mentioned(choice, text) for choice in _words(term)], every=True)


def _any_mentioned(words: Sequence[str], text: str) -> Decision:
    found = next((said for word in words if (said := mention(word, text))), None)
    name = "/".join(words)
    if found is None:
        return Decision(False, f"the reasoning does not mention {name}")
    return Decision(True, f"{name}: the reasoning says {shown(found)}")


def _joined(parts: Sequence[Decision], *, every: bool) -> Decision:
    """All parts as one decision; the evidence is of those that settle it."""
    met = all(part.met for part in parts) if every else any(part.met for part in parts)
    return Decision(met, "; ".join(part.evidence for part in parts if part.met == met))


def _listed(what: str, found: Sequence[Suggestion]) -> Decision:
    return Decision(bool(found), f"{what}: {_names(found)}" if found else f"no {what}")


def _names(suggestions: Sequence[Suggestion]) -> str:
    return ", ".join(map(str, suggestions))


def _of_kind(kind: str | None, scenario: Scenario, analysis: Analysis) -> list[Suggestion]:
    """The suggestions that are of this kind for at least one position, in their order."""
    if kind is None:
        return list(analysis.suggestions)
    found = {id(one) for position in scenario.positions for one in _for_position(kind, position, scenario, analysis)}
    return [suggestion for suggestion in analysis.suggestions if id(suggestion) in found]


def _for_position(kind: str, position: Position, scenario: Scenario, analysis: Analysis) -> list[Suggestion]:
    about = [one for one in analysis.suggestions if one.commodity_code == position.commodity_code]
    if kind in ("above", "below"):
        return [one for one in about if one.condition == kind]
    return [one for one in about if kind_for(one, position, scenario.price_of(position)) == kind]


def _in_scope(scope: str, scenario: Scenario) -> tuple[Position, ...] | str:
    """The positions that the scope names, or why it names none."""
    positions = scenario.positions
    if scope == "every":
        return positions
    if scope == "both":
        wrong = f"the rule says both, but the number of positions is {len(positions)}"
        return positions if len(positions) == 2 else wrong
    directions = [word for word in scope.split(" and ") if word in {"long", "short"}]
    if not directions:
        named = tuple(one for one in positions if normalised(one.commodity_code) == scope)
        return named or f"there is no position in {shown(scope)}"
    missing = [word for word in directions if all(one.direction != word for one in positions)]
    return (
        f"there is no {missing[0]} position"
        if missing
        else tuple(one for one in positions if one.direction in directions)
    )
