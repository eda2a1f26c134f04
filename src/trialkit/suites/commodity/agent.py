"""An agent on trial in place of the analyzer's model: its calls are the alerts, what it says is the reasoning."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from trialkit.agents import get_agent
from trialkit.dialogue import By, Record
from trialkit.models import ToolCall
from trialkit.suites import Peer, Trial
from trialkit.suites.agents import agent_opening
from trialkit.suites.question import put_question, question_rules

from .alerts import CREATE_ALERT

if TYPE_CHECKING:  # pydantic takes longer to load than a short command may
    from .settings import CommoditySettings

#: Moves of the agent's: an alert each, for those who make one call at a time.
_MAX_STEPS = 30


class _Alerts:
    """The environment: whatever is suggested is taken down, and judged later."""

    def call(self, name: str, arguments: Mapping[str, object], by: By = "agent") -> str:  # noqa: ARG002 - see above
        return "noted" if name == CREATE_ALERT.name else f"Error: there is no tool {name}; there is {CREATE_ALERT.name}"


async def ask_agent(
    trial: Trial, settings: "CommoditySettings", peers: Mapping[str, Peer], policy: str, text: str
) -> tuple[str, Sequence[ToolCall]]:
    """What it said, and its calls as it wrote them."""
    record, rules = Record(log=trial.note), question_rules(_MAX_STEPS)
    opening = agent_opening(settings, trial, record, peers, policy=policy, tools=(CREATE_ALERT,), rules=rules)
    agent = await get_agent(settings.agent_name).open(opening)
    await put_question(agent, text, _Alerts(), record, rules)
    moves = [one for one in record.messages if one["role"] == "assistant"]
    said = [one["content"] for one in moves if one["content"]]
    return "\n\n".join(said), [ToolCall(**call) for one in moves for call in one.get("tool_calls", ())]
