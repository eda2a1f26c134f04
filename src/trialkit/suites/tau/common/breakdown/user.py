"""Whether the simulated user left in the middle: agreed to what the agent offered, and stopped in the same breath."""

import re

from trialkit.dialogue import RESPOND, Output, agrees_to

_TOKEN = re.compile(r"###[A-Z-]+###")


def last_words(output: Output) -> str | None:
    """The user's last message."""
    texts = (message["content"] for message in reversed(output["messages"]) if message["role"] == "user")
    return next(texts, None)


def left_in_the_middle(output: Output) -> bool:
    """Whether the last reply offers something, and the message that ends the conversation takes it up."""
    replies = (action["kwargs"].get("content") for action in reversed(output["actions"]) if action["name"] == RESPOND)
    reply = next(replies, None)
    return isinstance(reply, str) and agrees_to(_TOKEN.sub("", last_words(output) or ""), reply)
