"""The deterministic judge: strict scenarios by comparison, criteria by the rules that code can decide.

What cannot be decided by a rule (docs/rules.md) is reported as such, never guessed: the verdict is then `error`, unless
another rule already failed.
"""

from collections.abc import Sequence
from decimal import Decimal

from trialkit.text.short import shown
from trialkit.vocabulary import Finding, Verdict

from .alerts import Analysis, Suggestion
from .criteria import decide
from .fields import decimal
from .judging import checks_for
from .mentions import Decision
from .scenarios import Scenario, StrictTruth

JUDGE = "rules"


def judge_by_rules(scenario: Scenario, analysis: Analysis) -> Verdict:
    truth = scenario.truth
    if isinstance(truth, StrictTruth):
        decisions, critique = _strictly(truth, analysis.suggestions)
    else:
        decisions = [decide(rule, scenario, analysis) for rule in truth]
        critique = _critique(truth, decisions)
    findings = tuple(
        Finding(check=check, met=met, evidence=said)
        for check, (met, said) in zip(checks_for(scenario), decisions, strict=True)
    )
    states = {finding.met for finding in findings}
    return Verdict(
        judge=JUDGE,
        outcome="fail" if False in states else "error" if None in states else "pass",
        critique=critique,
        findings=findings,
    )


def _critique(rules: Sequence[str], decisions: Sequence[Decision]) -> str:
    said = [
        f"{words}: {shown(rule, 200)}: {evidence}"
        for state, words in ((False, "not met"), (None, "not decidable by rules"))
        for rule, (met, evidence) in zip(rules, decisions, strict=True)
        if met is state
    ]
    return "; ".join(said) or "Every rule is met."


def _strictly(truth: StrictTruth, suggestions: Sequence[Suggestion]) -> tuple[list[Decision], str]:
    if not suggestions:
        return [Decision(False, "there are no suggestions")] * 3, "There are no suggestions."

    missed_by = [_miss(truth, one) for one in suggestions]
    met = [_matches(truth, one, missed) for one, missed in zip(suggestions, missed_by, strict=True)]
    nearest = max(range(len(suggestions)), key=lambda place: (sum(met[place]), -missed_by[place]))
    best, missed = suggestions[nearest], missed_by[nearest]
    side = "below the range" if decimal(best.threshold_price) < decimal(truth.price_min) else "above the range"
    evidence = (
        f"the commodity of {best} is {best.commodity_code}",
        f"the condition of {best} is {best.condition}",
        f"the threshold of {best} is " + (f"{missed:f} {side}" if missed else "within the range"),
    )
    decisions = list(map(Decision, met[nearest], evidence))
    unmet = "; ".join(said for met, said in decisions if not met)
    wanted = f"{truth.commodity_code} {truth.expected_condition} {truth.price_min} to {truth.price_max}"
    if not unmet:
        return decisions, f"{best} matches {wanted}."
    return decisions, f"No suggestion matches {wanted}; the nearest of {len(suggestions)} is {best}: {unmet}."


def _matches(truth: StrictTruth, suggestion: Suggestion, missed: Decimal) -> tuple[bool, bool, bool]:
    return (
        suggestion.commodity_code == truth.commodity_code,
        suggestion.condition == truth.expected_condition,
        not missed,
    )


def _miss(truth: StrictTruth, suggestion: Suggestion) -> Decimal:
    """By how much the threshold misses the range; 0 within it."""
    threshold = decimal(suggestion.threshold_price)
    return max(decimal(truth.price_min) - threshold, threshold - decimal(truth.price_max), Decimal(0))
