"""The user left in the middle: it agreed to what the agent offered, and stopped in the same breath."""

import re
from collections.abc import Iterator

from .talk import UserFault, UserTalk

_SENTENCE = re.compile(r"[^.?!\n]+[.?!\n]*")
#: Politeness at the end of nearly every reply; an answer to it agrees to nothing.
_ANYTHING_ELSE = re.compile(
    r"\b(anything|something) (else|more)\b|\b(other|more|further|any) (questions?|assistance|help)\b", re.IGNORECASE
)
_ASKS = re.compile(
    r"\?|\b(confirm|proceed|go ahead|would you like|do you want|shall i|should i|let me know|reply)\b", re.IGNORECASE
)
#: Whether what the user did itself has helped: to say yes leaves nothing undone.
_HAS_HELPED = re.compile(r"\b(work|works|working|fixed|resolved|back|better)\b", re.IGNORECASE)
_AGREES = re.compile(
    r"\b(yes|yeah|yep|yup|please|proceed|confirm|confirmed|go ahead|do it|do that|correct|absolutely|definitely"
    r"|sounds (?:good|great|perfect)|that's (?:right|fine|perfect))\b",
    re.IGNORECASE,
)
_DECLINES = re.compile(r"^\W*(no|nope|nah|not|never ?mind|actually)\b", re.IGNORECASE)


def agrees_to(answer: str, reply: str) -> bool:
    """Whether the agent's reply offers something, and the user's answer takes it up."""
    if _DECLINES.search(answer) or not _AGREES.search(answer):
        return False
    return any(map(_offers, _SENTENCE.findall(reply)))


def _offers(sentence: str) -> bool:
    if not _ASKS.search(sentence) or _ANYTHING_ELSE.search(sentence):
        return False
    return not (sentence.rstrip().endswith("?") and _HAS_HELPED.search(sentence))


def ended_early(talk: UserTalk) -> Iterator[UserFault]:
    last = talk.turns[-1] if talk.turns else None
    if last is None or last.by != "user" or not last.stops:
        return
    asked = talk.before(last)
    if asked is not None and agrees_to(last.text, asked.text):
        why = "the user agreed to what the agent was about to do, and ended the conversation before it was done"
        yield UserFault(kind="ended_early", place=last.place, why=why, quote=last.text)
