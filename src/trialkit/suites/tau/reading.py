"""A conversation as people read it, in a label sheet."""

from collections.abc import Sequence

from trialkit.text.json import JsonObject


def readable(messages: Sequence[JsonObject]) -> str:
    lines = []
    for message in messages:
        calls = [f"calls {call.get('name')}({call.get('arguments')})" for call in message.get("tool_calls") or ()]
        parts = [message.get("content") or "", *calls]
        lines.append(f"{message.get('role')}: " + "\n".join(part for part in parts if part))
    return "\n\n".join(lines)
