"""An analyst's answer said otherwise: alerts in another order, other thresholds, other words."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from trialkit.suites import Variant, text_variants

from .alerts import Analysis
from .rules import judge_by_rules
from .scenarios import Scenario

#: No threshold that fits its scenario fits it at three times the price.
_TIMES = 3


def variants_of(scenario: Scenario, output: Mapping[str, Any]) -> list[Variant]:
    """A changed number is one of the thresholds, and only where the rules can say that it makes a fail."""
    found = [one for one in text_variants(output, ("reasoning",)) if one.verdict == "same"]
    analysis = Analysis.from_data(output)
    swapped = replace(analysis, suggestions=analysis.suggestions[::-1])
    if swapped != analysis:
        found.append(Variant(name="order swap", output=swapped.to_data()))
    moved = tuple(replace(one, threshold_price=one.threshold_price * _TIMES) for one in analysis.suggestions)
    wrong = replace(analysis, suggestions=moved)
    if moved and judge_by_rules(scenario, wrong).outcome == "fail":
        found.append(Variant(name="changed number", output=wrong.to_data(), verdict="fail"))
    return found
