"""Users: one that a model plays, and one that says what it was given."""

from collections.abc import Iterable, Sequence

from trialkit.errors import ModelError
from trialkit.models import Reply

from .model_party import ModelParty
from .opening import Opening
from .party import Move, ToolResult

STOP = "###STOP###"


class SimulatedUser(ModelParty):
    """The policy is the system message. To the model that plays the user, the agent is the one who asks."""

    asked_again = ("user_asked_again", "the simulated user's reply holds no message")

    def __init__(self, opening: Opening, system: str | None = None) -> None:
        super().__init__(opening, opening.policy if system is None else system, opening.tools)

    def read(self, reply: Reply) -> Move:
        return Move(text=reply.text.strip(), calls=reply.tool_calls if self.opening.tools else ())

    async def decide(self) -> Move:
        move = await super().decide()
        if move.empty:  # no fault of the agent's: the trial ends without a verdict, and can be tried again
            raise ModelError("bad_reply", "the simulated user gave no message, twice in a row")
        return move


class ScriptedUser:
    """Says one line after the other, whatever it hears, and then ends the conversation. A line may be a tool call.

    It can be an agent as well.
    """

    def __init__(self, lines: Iterable[str | Move], stop: str = STOP) -> None:
        self._lines = iter(lines)
        self._stop = stop

    async def hear(self, text: str) -> Move:  # noqa: ARG002 - see above
        return self._next()

    async def observe(self, results: Sequence[ToolResult]) -> Move:  # noqa: ARG002 - see above
        return self._next()

    async def end(self) -> None:
        pass

    def _next(self) -> Move:
        line = next(self._lines, self._stop)
        return Move(text=line) if isinstance(line, str) else line
