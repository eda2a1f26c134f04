"""The agent that replays the ground truth: what it does not earn, no agent can."""

from trialkit.dialogue import Opening, ScriptedUser

from .kind import Need


class _Oracle:
    summary = "Replays the ground truth: proves the harness; needs neither a model nor a user."
    needs: frozenset[Need] = frozenset({"truth"})

    async def open(self, opening: Opening) -> ScriptedUser:
        """Whatever it is told, it knows what to do: `extra["truth"]` has its moves, of which the last is repeated."""
        truth = opening.extra.get("truth")
        if not isinstance(truth, tuple):
            raise TypeError("the oracle was opened without the ground truth")
        return ScriptedUser(truth[:-1], stop=truth[-1])


KIND = _Oracle()
