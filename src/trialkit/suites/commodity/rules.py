"""The deterministic judge: strict scenarios by comparison, criteria by the rules that code can decide.

What cannot be decided by a rule (docs/rules.md) is reported as such, never guessed: the verdict is then `error`, unless
another rule already failed.
"""

from collections.abc import Sequence
from decimal import Decimal

from trialkit.suites.commodity.alerts import Analysis, Suggestion
from trialkit.suites.commodity.cells import StrictTruth
from trialkit.suites.commodity.criteria import decide
from trialkit.suites.commodity.fields import decimal
from trialkit.suites.commodity.judging import checks_for
from trialkit.suites.commodity.scenarios import Scenario
from trialkit.text.short import shown
from trialkit.vocabulary import Finding, Verdict

JUDGE = "rules"


def judge_by_rules(scenario: Scenario, analysis: Analysis) -> Verdict:
    truth = scenario.truth
    if isinstance(truth, StrictTruth):
        return _judge_strict(truth, checks_for(scenario), analysis.suggestions)
    decisions = [decide(rule, scenario, analysis) for rule in truth]
    return _verdict(
        tuple(Finding(check=rule, met=met, evidence=said) for rule, (met, said) in zip(truth, decisions, strict=True))
    )


def _verdict(findings: tuple[Finding, ...]) -> Verdict:
    unmet = [finding for finding in findings if finding.met is False]
    undecided = [finding for finding in findings if finding.met is None]
    said = [f"not met: {shown(finding.check, 200)}: {finding.evidence}" for finding in unmet]
    said += [f"not decidable by rules: {shown(finding.check, 200)}: {finding.evidence}" for finding in undecided]
    critique = "; ".join(said) or "Every rule is met."
    if undecided and not unmet:
        return Verdict(judge=JUDGE, outcome="error", critique=critique, findings=findings)
    return Verdict(judge=JUDGE, outcome="fail" if unmet else "pass", critique=critique, findings=findings)


def _judge_strict(truth: StrictTruth, checks: Sequence[str], suggestions: Sequence[Suggestion]) -> Verdict:
    if not suggestions:
        findings = tuple(Finding(check=check, met=False, evidence="there are no suggestions") for check in checks)
        return Verdict(judge=JUDGE, outcome="fail", critique="There are no suggestions.", findings=findings)

    def rank(suggestion: Suggestion) -> tuple[int, Decimal]:
        return sum(_matches(truth, suggestion)), -_miss(truth, suggestion)

    best = max(suggestions, key=rank)
    missed = _miss(truth, best)
    side = "below the range" if decimal(best.threshold_price) < decimal(truth.price_min) else "above the range"
    evidence = (
        f"the commodity of {best} is {best.commodity_code}",
        f"the condition of {best} is {best.condition}",
        f"the threshold of {best} is " + (f"{missed:f} {side}" if missed else "within the range"),
    )
    findings = tuple(
        Finding(check=check, met=met, evidence=said)
        for check, met, said in zip(checks, _matches(truth, best), evidence, strict=True)
    )
    unmet = [finding.evidence for finding in findings if not finding.met]
    wanted = f"{truth.commodity_code} {truth.expected_condition} {truth.price_min} to {truth.price_max}"
    if not unmet:
        return Verdict(judge=JUDGE, outcome="pass", critique=f"{best} matches {wanted}.", findings=findings)
    critique = f"No suggestion matches {wanted}; the nearest of {len(suggestions)} is {best}: {'; '.join(unmet)}."
    return Verdict(judge=JUDGE, outcome="fail", critique=critique, findings=findings)


def _matches(truth: StrictTruth, suggestion: Suggestion) -> tuple[bool, bool, bool]:
    return (
        suggestion.commodity_code == truth.commodity_code,
        suggestion.condition == truth.expected_condition,
        not _miss(truth, suggestion),
    )


def _miss(truth: StrictTruth, suggestion: Suggestion) -> Decimal:
    """By how much the threshold misses the range; 0 within it."""
    threshold = decimal(suggestion.threshold_price)
    return max(decimal(truth.price_min) - threshold, threshold - decimal(truth.price_max), Decimal(0))
