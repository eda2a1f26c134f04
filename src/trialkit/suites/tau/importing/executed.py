"""Calls that stand apart from the conversation, in `info.executed_actions`, as FastWorkflow's own traces have them.

When each was made is not told. They are put before the first message, in their own order.
"""

import json
from collections.abc import Sequence

from trialkit.text.json import JsonObject

from .reading import Form
from .talk import Talk

#: Marks a message that the file does not have; an export leaves it out.
APART = "apart"
#: Commands of its agent's own, which are no tools; those of its error correction have a `/` in their names.
_OWN = frozenset({"ask_user", "what_can_i_do"})


class ExecutedCommand(Form):
    name: str
    kwargs: JsonObject | None = None
    response_text: str | None = None
    success: object = None

    @property
    def is_call(self) -> bool:
        """Where its parameters could not be extracted, no tool was called."""
        return "/" not in self.name and self.name not in _OWN and (bool(self.success) or bool(self.kwargs))


def add_calls(talk: Talk, executed: Sequence[ExecutedCommand]) -> None:
    calls = [one for one in executed if one.is_call]
    for number, one in enumerate(calls):
        call_id, arguments = f"apart {number}", json.dumps(one.kwargs or {}, ensure_ascii=False)
        talk.write_calls(None, [{"id": call_id, "name": one.name, "arguments": arguments}], {APART: True})
        talk.execute({"id": call_id, "name": one.name, "arguments": arguments})
        talk.tool_answers(call_id, one.name, one.response_text or "", {APART: True})
    if executed:
        left_out = len(executed) - len(calls)
        talk.note(
            "calls_apart",
            f"when the {len(calls)} calls were made is not told: they stand before the first message; "
            f"{left_out} commands that called no tool are left out",
        )
