"""Criteria rules that code can decide (docs/rules.md): each form is a pattern, with what decides it for an answer.

A rule that has a word without a place in a form is undecidable, and so is one that does not fit the scenario.
"""

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from trialkit.text.short import shown

from .alerts import Analysis, Suggestion
from .fields import decimal
from .mentions import Decision, is_askable, is_concept, mention, normalised, quotation
from .scenarios import Position, Scenario, kind_for

_COUNTS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBER = r"\$?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?!\w)"
_SUGGEST = "(?:suggest|recommend|include|contain|set|create|have|has)s?"
_NOT = "(?:not|never)"
_GUARD = "(?:stoploss|takeprofit)"
_KIND = f"(?:{_GUARD}|@above|@below)"
_BOUND = rf"(?:[<>]=?{_NUMBER}){{1,2}}"
#: What is said in several ways, outside quotes → the one way that the forms know.
_SAID: dict[str, str | Callable[[re.Match[str]], str]] = {
    r"\b(?:must|should|a|an|the|be|is|are)\b(?![&'])": "",
    r"\s+": " ",
    rf"\b({_NOT} {_SUGGEST}) any\b": r"\1",
    rf"\b({_GUARD}) alerts?\b": r"\1",
    r" with alerts? in both directions\b": " and suggest @above and @below",
    r"\balerts? in both directions\b": "@above and @below",
    rf"\b(?:{_SUGGEST} )?(?:alerts? with )?conditions? (above|below)\b": r"suggest @\1",
    r"(?<!@)\b(?:alerts? (above|below)|(above|below) alerts?)\b": lambda m: f"@{m[1] or m[2]}",
    rf"\b{_SUGGEST} alerts?(?= and |,|;| ?\Z)": "suggest >=1 alert",
    rf"\b(at least|at most|no more than|exactly) ({'|'.join(_COUNTS)})\b": lambda m: f"{m[1]} {_COUNTS.index(m[2])}",
    rf"\bbetween ({_NUMBER}) and ({_NUMBER})": r">=\1<=\2",
    rf"(?:\b(?:at or below|at most|no more than)|\u2264|<=) ?(?={_NUMBER})": "<=",
    rf"(?:\b(?:at or above|at least)|\u2265|>=) ?(?={_NUMBER})": ">=",
    rf"(?:(?<!@)\b(?:below|under|less than|lower than)|<) ?(?={_NUMBER})": "<",
    rf"(?:(?<!@)\b(?:above|over|more than|greater than|higher than)|>) ?(?={_NUMBER})": ">",
    rf"\bexactly (?={_NUMBER})": "=",
}
_SHOWN = {"stoploss": "stop-loss", "takeprofit": "take-profit", "@above": "above", "@below": "below"}
#: Where a second rule begins in one.
_SEPARATOR = re.compile(
    rf"(?:[,;] and|[,;]| and) (?=(?:{_NOT}|{_SUGGEST}|address|addresses|(?:reasoning )?mentions?|"
    rf"(?:(?:all|every|each) )?(?:(?:{_GUARD} )?thresholds?|{_GUARD} ?{_BOUND}))(?!\w))"
)
_SHORTEST_CODE = 3  # what is shorter may be another word, such as no
_FORBIDS = re.compile(rf"(reasoning )?{_NOT} (?!{_NOT} )")
_SEVERAL = re.compile(r"\b(?:and|both|all|every|each|either)\b")
_QUOTED = re.compile(r'("[^"]*")')
_COMPARE = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq}


@dataclass(frozen=True, kw_only=True, slots=True)
class _Analysed:
    scenario: Scenario
    suggestions: Sequence[Suggestion]
    reasoning: str  # normalised

    def of_kind(self, kind: str, *positions: Position) -> list[Suggestion]:
        """The suggestions that are of this kind for one of the positions, or of all."""
        held = positions or self.scenario.positions
        return [one for one in self.suggestions if any(self._is(one, kind, position) for position in held)]

    def _is(self, one: Suggestion, kind: str, position: Position) -> bool:
        if kind[0] == "@":
            return one.commodity_code == position.commodity_code and one.condition == kind[1:]
        guards = kind_for(one, position, self.scenario.price_of(position))
        return guards is not None and kind in {"alert", guards.replace("-", "")}


def decide(rule: str, scenario: Scenario, analysis: Analysis) -> Decision:
    answer = _Analysed(scenario=scenario, suggestions=analysis.suggestions, reasoning=normalised(analysis.reasoning))
    parts = _QUOTED.split(re.sub("[\u201c\u201d]", '"', normalised(rule)).rstrip(".;! "))
    for pattern, said in _SAID.items():
        parts = [part if part[:1] == '"' else re.sub(pattern, said, part) for part in parts]
    clauses = [clause.strip() for clause in _SEPARATOR.split("".join(parts))]
    # What follows something forbidden may be forbidden as well.
    clear = not any(map(_FORBIDS.match, clauses[:-1]))
    decisions = [_clause(clause, answer) if clear else None for clause in clauses]
    together = _joined(decisions, every=True)
    if together is None:
        return Decision(None, "outside the rule grammar")
    for form, name in _SHOWN.items():
        together = together._replace(evidence=together.evidence.replace(form, name))
    return together


def _clause(text: str, answer: _Analysed) -> Decision | None:
    if forbidden := _FORBIDS.match(text):
        return _reversed((forbidden[1] or "") + text[forbidden.end() :], answer)
    for form, decide_form in _FORMS.items():
        if found := re.fullmatch(form, text):
            return decide_form(answer, *found.groups())
    return None


def _reversed(text: str, answer: _Analysed) -> Decision | None:
    """Of what must not be; "not both" and "not for all" do not say whether one is fine."""
    if _SEVERAL.search(_QUOTED.sub("", text)) or not (decided := _clause(text, answer)):
        return None
    return decided._replace(met=None if decided.met is None else not decided.met)


def _joined(parts: Sequence[Decision | None], *, every: bool) -> Decision | None:
    """All parts as one decision, with the evidence of those that settle it; None if one is outside the grammar."""
    known = [part for part in parts if part]
    states = {part.met for part in known}
    met = (not every) if (not every) in states else None if None in states else every
    evidence = "; ".join(part.evidence for part in known if part.met == met)
    return Decision(met, evidence) if len(known) == len(parts) else None


def _listed(what: str, found: Sequence[Suggestion]) -> Decision:
    return Decision(bool(found), f"{what}: {', '.join(map(str, found))}" if found else f"no {what}")


def _suggests(answer: _Analysed, both: str, first: str, joint: str, second: str, where: str) -> Decision | None:
    kinds = [kind for kind in (first, second) if kind]
    if (both and joint != "and") or len(set(kinds)) < len(kinds):
        return None
    if where:
        return _for_each(answer, where, *kinds, every=joint != "or")
    return _joined([_listed(kind, answer.of_kind(kind)) for kind in kinds], every=joint != "or")


def _for_each(answer: _Analysed, where: str, *kinds: str, every: bool = True) -> Decision | None:
    """For each position in the scope: alerts of every kind, or of one of them."""
    held = answer.scenario.positions
    named = re.sub(r" positions?\b|^both (?=\w+(?: position)? and )|\b(?:all|every|each) (?=long|short)", "", where)
    if named == "both" and len(held) != 2:
        return Decision(None, f"the rule says both, but the number of positions is {len(held)}")
    sides = named.split(" and ")
    if sorted(sides) in (["long"], ["short"], ["long", "short"]):
        held = tuple(one for one in held if one.direction in sides)
        if missing := {*sides} - {one.direction for one in held}:
            return Decision(None, f"there is no {missing.pop()} position")
    elif named not in {"all", "every", "each", "both"}:
        held = tuple(one for one in held if normalised(one.commodity_code) == named)
    if not held:
        return None if " " in named else Decision(None, f"there is no position in {shown(named)}")
    found = ([_listed(f"{kind} for {one}", answer.of_kind(kind, one)) for kind in kinds] for one in held)
    return _joined([_joined(listed, every=every) for listed in found], every=True)


def _counted(answer: _Analysed, compare: str, number: str, kind: str | None) -> Decision:
    count = len(answer.of_kind(kind) if kind else answer.suggestions)
    return Decision(_COMPARE[compare](count, int(number)), f"{kind or 'suggestions'}: {count}")


def _threshold(answer: _Analysed, every: str, named: str, bare: str, bound: str) -> Decision | None:
    asked = answer.of_kind(named or bare) if named or bare else answer.suggestions
    bounds = [
        (_COMPARE[sign], Decimal(price.replace(",", ""))) for sign, price in re.findall(r"([<>]=?)\$?([\d.,]+)", bound)
    ]
    if len(bounds) > 1 and bounds[0][1] > bounds[1][1]:
        return None
    within = [one for one in asked if all(fits(decimal(one.threshold_price), price) for fits, price in bounds)]
    said = f"{named or bare or 'suggestions'}: {', '.join(map(str, asked)) or 'none'}"
    return Decision(
        bool(within) and (not every or len(within) == len(asked)),
        f"{said}; within the bounds: {', '.join(map(str, within)) or 'none'}",
    )


def _mentions(answer: _Analysed, asked: str) -> Decision | None:
    listed = re.split(r",? (and|or) |, ", re.sub(" ?/ ?", "/", asked))
    joints = {joint for joint in listed[1::2] if joint}
    # "a, b" says neither and nor or; "a and b or c" says both.
    if len(joints) != 1 and len(listed) > 1:
        return None
    return _joined([_term(term, answer) for term in listed[::2]], every=joints == {"and"})


def _term(text: str, answer: _Analysed) -> Decision | None:
    if (quoted := re.fullmatch(r'"([^"]*)"', text)) and re.search(r"\w", quoted[1]):
        return quotation(quoted[1].strip(), answer.reasoning)
    choices = [choice.split("/") for choice in text.replace("position size", "size").split()]
    words = [word for choice in choices for word in choice]
    # Words side by side are decidable where each is a concept; else only quotes can say what exactly is meant.
    if not all(map(is_askable, words)) or not (len(choices) == 1 or all(map(is_concept, words))):
        return None
    names = {normalised(code) for code in answer.scenario.commodities}
    codes = {name for name in names if len(name) >= _SHORTEST_CODE and not is_concept(name)}
    found = ([mention(one, answer.reasoning, "/".join(choice), codes) for one in choice] for choice in choices)
    return _joined([_joined(choice, every=False) for choice in found], every=True)


_FORMS: dict[str, Callable[..., Decision | None]] = {
    "address(?:es)? (.+)": lambda answer, where: _for_each(answer, where, "alert"),
    rf"(?:{_SUGGEST} )?(<=|>=|=)(\d{{1,6}}) (?:suggestions?|alerts?|({_KIND}))": _counted,
    rf"{_SUGGEST} (both )?({_KIND})(?: (and|or) ({_KIND}))?(?: for (.+))?": _suggests,
    rf"(?:{_SUGGEST} (?={_GUARD}))?(?:(all|every|each) )?"
    rf"(?:(?:({_GUARD}) )?thresholds?(?: prices?)?|({_GUARD})) ?({_BOUND})": _threshold,
    r"(?:reasoning )?mentions? (?:both |either )?(.+?)(?: in reasoning)?": _mentions,
}
