"""A call that is a reply: agents trained on tau-bench make one."""

from collections.abc import Sequence

from trialkit.dialogue import RESPOND, Move, Opening, read_arguments
from trialkit.models import ToolCall


def reply_by_call(opening: Opening, calls: Sequence[ToolCall]) -> Move | None:
    """The reply in a call of a tool named `respond`, where such a call is one; None: it is a call like others."""
    if not opening.rules.respond_is_reply or not calls or calls[0].name != RESPOND:
        return None
    if any(tool.name == RESPOND for tool in opening.tools):
        return None
    try:
        content = read_arguments(calls[0].arguments).get("content")
    except ValueError:
        return None
    if not isinstance(content, str):
        return None
    opening.note("respond_called", "a call of `respond` is a reply to the user")
    return Move(text=content)
