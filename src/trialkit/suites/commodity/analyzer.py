"""The analyzer's pure part: what a model is told about a scenario."""

import json

from trialkit.suites.commodity.scenarios import Scenario
from trialkit.text.plain import plain
from trialkit.text.whole import clean


def analyzer_message(scenario: Scenario) -> str:
    """The user message. The description and the ground truth stay out of it: they would give the answer away."""
    return (
        f"User: {clean(scenario.user_name)}\n\n"
        f"Open positions:\n{_listed([plain(one) for one in scenario.positions])}\n\n"
        f"Current prices:\n{_listed([plain(one) for one in scenario.prices])}\n\n"
        "Analyse these positions and suggest the price alerts that this user should set."
    )


def _listed(items: list[dict[str, object]]) -> str:
    return "[\n" + ",\n".join(f"  {json.dumps(item, ensure_ascii=False)}" for item in items) + "\n]"
