"""The tool-calling agent with some example conversations in its system message."""

from trialkit.dialogue import Opening

from .kind import Need
from .tool_calling import ToolCallingAgent

#: As many as tau-bench shows.
SHOWN = 5


class _FewShot:
    summary = f"tool-calling, with {SHOWN} example conversations drawn into the system message."
    needs: frozenset[Need] = frozenset({"model", "examples"})

    async def open(self, opening: Opening) -> ToolCallingAgent:
        drawn = opening.draws.sample(opening.examples, min(SHOWN, len(opening.examples)))
        shown = (f"Example {number}:\n{example}" for number, example in enumerate(drawn, start=1))
        return ToolCallingAgent(opening, "\n\n".join([opening.policy, *shown]))


KIND = _FewShot()
