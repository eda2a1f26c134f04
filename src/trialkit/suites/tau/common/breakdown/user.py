"""Whether the simulated user left in the middle: agreed to what the agent offered, and stopped in the same breath."""

import re

from trialkit.dialogue import RESPOND, Output

_TOKEN = re.compile(r"###[A-Z-]+###")
_SENTENCE = re.compile(r"[^.?!\n]+[.?!\n]*")
#: Politeness at the end of nearly every reply; an answer to it agrees to nothing.
_ANYTHING_ELSE = re.compile(
    r"\b(anything|something) (else|more)\b|\b(other|more|further|any) (questions?|assistance|help)\b", re.IGNORECASE
)
_ASKS = re.compile(
    r"\?|\b(confirm|proceed|go ahead|would you like|do you want|shall i|should i|let me know|reply)\b", re.IGNORECASE
)
_AGREES = re.compile(
    r"\b(yes|yeah|yep|yup|please|proceed|confirm|confirmed|go ahead|do it|do that|correct)\b", re.IGNORECASE
)
_DECLINES = re.compile(r"^\W*(no|nope|nah|not|never ?mind|actually)\b", re.IGNORECASE)


def last_words(output: Output) -> str | None:
    """The user's last message."""
    texts = (message["content"] for message in reversed(output["messages"]) if message["role"] == "user")
    return next(texts, None)


def left_in_the_middle(output: Output) -> bool:
    """Whether the last reply offers something, and the message that ends the conversation takes it up."""
    text = _TOKEN.sub("", last_words(output) or "")
    if _DECLINES.search(text) or not _AGREES.search(text):
        return False
    replies = (action["kwargs"].get("content") for action in reversed(output["actions"]) if action["name"] == RESPOND)
    reply = next(replies, None)
    sentences = _SENTENCE.findall(reply) if isinstance(reply, str) else ()
    return any(_ASKS.search(one) and not _ANYTHING_ELSE.search(one) for one in sentences)
