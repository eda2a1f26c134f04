"""Decides one clause of a rule for one answer, with the evidence."""

from collections.abc import Sequence
from dataclasses import dataclass

from trialkit.suites.commodity.alerts import Analysis, Suggestion
from trialkit.suites.commodity.concepts import mention, quotation
from trialkit.suites.commodity.fields import decimal
from trialkit.suites.commodity.grammar import (
    Addresses,
    AlertKind,
    Clause,
    HowMany,
    Mentions,
    Scope,
    Suggests,
    Term,
    Threshold,
)
from trialkit.suites.commodity.portfolio import Position, kind_for
from trialkit.suites.commodity.prose import normalised
from trialkit.suites.commodity.scenarios import Scenario
from trialkit.text.short import shown


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision:
    met: bool | None  # None: the clause says nothing about this scenario
    evidence: str


def decide(clause: Clause, scenario: Scenario, analysis: Analysis) -> Decision:
    match clause:
        case Suggests():
            return _suggests(clause, scenario, analysis.suggestions)
        case Addresses():
            return _addresses(clause, scenario, analysis.suggestions)
        case HowMany():
            return _counts(clause, scenario, analysis.suggestions)
        case Threshold():
            return _threshold(clause, scenario, analysis.suggestions)
        case Mentions():
            return _mentions(clause, analysis.reasoning)


def _suggests(clause: Suggests, scenario: Scenario, suggestions: Sequence[Suggestion]) -> Decision:
    if clause.scope is None:
        found = {kind: _of_kind(kind, scenario, suggestions) for kind in clause.kinds}
        return _joined([_listed(kind, some) for kind, some in found.items()], every=clause.every)
    positions = _in_scope(clause.scope, scenario)
    if isinstance(positions, str):
        return Decision(met=None, evidence=positions)
    per_position = []
    for position in positions:
        found = {kind: _for_position(kind, position, scenario, suggestions) for kind in clause.kinds}
        parts = [_listed(f"{kind} for {position}", some) for kind, some in found.items()]
        per_position.append(_joined(parts, every=clause.every))
    return _joined(per_position, every=True)


def _addresses(clause: Addresses, scenario: Scenario, suggestions: Sequence[Suggestion]) -> Decision:
    positions = _in_scope(clause.scope, scenario)
    if isinstance(positions, str):
        return Decision(met=None, evidence=positions)
    guards = [
        [one for one in suggestions if kind_for(one, position, scenario.price_of(position))] for position in positions
    ]
    return _joined([_listed(f"alert for {one}", some) for one, some in zip(positions, guards, strict=True)], every=True)


def _counts(clause: HowMany, scenario: Scenario, suggestions: Sequence[Suggestion]) -> Decision:
    counted = suggestions if clause.kind is None else _of_kind(clause.kind, scenario, suggestions)
    number = len(counted)
    met = clause.low <= number and (clause.high is None or number <= clause.high)
    return Decision(met=met, evidence=f"{clause.kind or 'suggestions'}: {number}")


def _threshold(clause: Threshold, scenario: Scenario, suggestions: Sequence[Suggestion]) -> Decision:
    asked = list(suggestions) if clause.kind is None else _of_kind(clause.kind, scenario, suggestions)
    what = clause.kind or "suggestion"
    if not asked:
        return Decision(met=False, evidence=f"no {what}")
    inside = [one for one in asked if _within(clause, one)]
    if clause.every:
        outside = [one for one in asked if one not in inside]
        said = f"outside the bounds: {_names(outside)}" if outside else f"within the bounds: {_names(inside)}"
        return Decision(met=not outside, evidence=said)
    said = f"within the bounds: {_names(inside)}" if inside else f"none within the bounds: {_names(asked)}"
    return Decision(met=bool(inside), evidence=said)


def _within(clause: Threshold, suggestion: Suggestion) -> bool:
    threshold = decimal(suggestion.threshold_price)
    if threshold in (clause.low, clause.high):
        return clause.inclusive
    return (clause.low is None or clause.low < threshold) and (clause.high is None or threshold < clause.high)


def _mentions(clause: Mentions, reasoning: str) -> Decision:
    text = normalised(reasoning)
    return _joined([_mentioned(term, text) for term in clause.terms], every=clause.every)


def _mentioned(term: Term, text: str) -> Decision:
    if term.quotation:
        quoted = quotation(term.quotation, text)
        said = "the reasoning says" if quoted else "the reasoning does not say"
        return Decision(met=quoted, evidence=f"{said} {shown(term.quotation)}")
    return _joined([_any_mentioned(choice, text) for choice in term.words], every=True)


def _any_mentioned(words: tuple[str, ...], text: str) -> Decision:
    name = "/".join(words)
    found = next((said for word in words if (said := mention(word, text))), None)
    if found is None:
        return Decision(met=False, evidence=f"the reasoning does not mention {name}")
    return Decision(met=True, evidence=f"{name}: the reasoning says {shown(found)}")


def _joined(parts: Sequence[Decision], *, every: bool) -> Decision:
    """All parts as one decision; the evidence is of those that settle it."""
    met = all(part.met for part in parts) if every else any(part.met for part in parts)
    return Decision(met=met, evidence="; ".join(part.evidence for part in parts if part.met == met))


def _listed(what: str, found: Sequence[Suggestion]) -> Decision:
    return Decision(met=bool(found), evidence=f"{what}: {_names(found)}" if found else f"no {what}")


def _names(suggestions: Sequence[Suggestion]) -> str:
    return ", ".join(map(str, suggestions))


def _of_kind(kind: AlertKind, scenario: Scenario, suggestions: Sequence[Suggestion]) -> list[Suggestion]:
    """The suggestions that are of this kind for at least one position, in their order."""
    found = [set(map(id, _for_position(kind, one, scenario, suggestions))) for one in scenario.positions]
    return [suggestion for suggestion in suggestions if any(id(suggestion) in some for some in found)]


def _for_position(
    kind: AlertKind, position: Position, scenario: Scenario, suggestions: Sequence[Suggestion]
) -> list[Suggestion]:
    about = [one for one in suggestions if one.commodity_code == position.commodity_code]
    if kind in ("above", "below"):
        return [one for one in about if one.condition == kind]
    return [one for one in about if kind_for(one, position, scenario.price_of(position)) == kind]


def _in_scope(scope: Scope, scenario: Scenario) -> tuple[Position, ...] | str:
    """The positions that the scope names, or why it names none."""
    positions = scenario.positions
    if scope.which == "every":
        return positions
    if scope.which == "both":
        return (
            positions if len(positions) == 2 else f"the rule says both, but the number of positions is {len(positions)}"
        )
    if scope.which == "commodity":
        named = tuple(one for one in positions if normalised(one.commodity_code) == scope.commodity)
        return named or f"there is no position in {shown(scope.commodity)}"
    wanted = scope.which.split(" and ")
    for direction in wanted:
        if all(one.direction != direction for one in positions):
            return f"there is no {direction} position"
    return tuple(one for one in positions if one.direction in wanted)
