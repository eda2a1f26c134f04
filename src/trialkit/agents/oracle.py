"""The agent that replays the ground truth: what it does not earn, no agent can."""

import json
from collections.abc import Sequence

from trialkit.dialogue import Move, Opening, ToolResult
from trialkit.models import ToolCall

from .kind import Need, Solution


class OracleAgent:
    def __init__(self, truth: Solution) -> None:
        self._left = iter(
            ToolCall(id=f"truth_{number}", name=name, arguments=json.dumps(kwargs))
            for number, (name, kwargs) in enumerate(truth.calls)
        )
        self._last = Move(text=" ".join(["That is done.", *truth.says]))

    async def hear(self, text: str) -> Move:  # noqa: ARG002 - it knows what to do, whatever it is told
        return self._next()

    async def observe(self, results: Sequence[ToolResult]) -> Move:  # noqa: ARG002 - likewise
        return self._next()

    async def end(self) -> None:
        pass

    def _next(self) -> Move:
        call = next(self._left, None)
        return self._last if call is None else Move(calls=(call,))


class _Oracle:
    summary = "Replays the ground truth: proves the harness; needs neither a model nor a user."
    needs: frozenset[Need] = frozenset({"truth"})

    async def open(self, opening: Opening) -> OracleAgent:
        truth = opening.extra.get("truth")
        if not isinstance(truth, Solution):
            raise TypeError("the oracle was opened without the ground truth")
        return OracleAgent(truth)


KIND = _Oracle()
