"""The user that says fixed lines: for tests, and for the oracle."""

from . import Part

STOP = "###STOP###"


class ScriptedUser:
    """The lines of its script, without one the instruction itself; then it ends the conversation."""

    def __init__(self, part: Part) -> None:
        self._lines = iter(part.lines or (part.instruction,))

    async def hear(self, text: str) -> str:  # noqa: ARG002 - it says its lines, whatever it hears
        return next(self._lines, STOP)
