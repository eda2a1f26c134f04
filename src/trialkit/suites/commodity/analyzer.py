"""The analyzer's pure part: what a model is told about a scenario, and what its reply amounts to."""

import json
from collections.abc import Collection

from trialkit.models import Reply
from trialkit.suites.commodity.alerts import Analysed, Analysis, read_calls
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


def read_reply(reply: Reply, commodities: Collection[str]) -> Analysed:
    """The text is the reasoning, the tool calls are the suggestions."""
    suggestions, malformed = read_calls(reply.tool_calls, commodities)
    analysis = Analysis(reasoning=clean(reply.text).strip(), suggestions=tuple(suggestions))
    return Analysed(analysis=analysis, malformed=tuple(malformed))
