"""The agent that uses the model's own tool calls."""

from trialkit.dialogue import ModelParty, Move, Opening
from trialkit.models import Reply

from .kind import Need
from .replying import reply_by_call


class ToolCallingAgent(ModelParty):
    """The system message is the policy."""

    def __init__(self, opening: Opening, system: str) -> None:
        super().__init__(opening, system, opening.tools)
        self.last = Move(text=opening.rules.known_greeting)

    def read(self, reply: Reply) -> Move:
        return reply_by_call(self.opening, reply.tool_calls) or super().read(reply)


class _ToolCalling:
    summary = "The model's own tool calls; the policy is the system message."
    needs: frozenset[Need] = frozenset({"model"})

    async def open(self, opening: Opening) -> ToolCallingAgent:
        return ToolCallingAgent(opening, opening.policy)


KIND = _ToolCalling()
