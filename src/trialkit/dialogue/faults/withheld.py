"""The agent asked for something that the scenario holds, and the user never gave it."""

import re
from collections.abc import Iterator, Sequence

from .talk import Turn, UserFault, UserTalk

#: How agents call it, and how it looks in a scenario.
_KINDS = {
    "e-mail address": (
        re.compile(r"\be-?mail\b", re.IGNORECASE),
        re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,63}){1,4}"),
    ),
    "user id": (
        re.compile(r"\buser id\b", re.IGNORECASE),
        re.compile(r"\b[a-z]{1,40}_[a-z]{1,40}_\d{3,12}\b", re.IGNORECASE),
    ),
    "order number": (re.compile(r"\border (?:id|number)\b", re.IGNORECASE), re.compile(r"\bW\d{5,12}\b")),
    "reservation number": (
        re.compile(r"\b(?:reservation|confirmation|booking) (?:id|number|code)\b", re.IGNORECASE),
        re.compile(r"\b(?=[A-Z]{0,5}\d)[A-Z0-9]{6}\b"),
    ),
    "zip code": (re.compile(r"\b(?:zip|postal) ?code\b", re.IGNORECASE), re.compile(r"\b\d{5}\b")),
    "phone number": (re.compile(r"\bphone number\b", re.IGNORECASE), re.compile(r"\b\d{3}-\d{3}-\d{4}\b")),
}
_MOST = 24  # where a scenario holds more of a kind, nobody knows which was asked for
_SENTENCE = re.compile(r"[^.?!\n]+[.?!\n]*")
_ASKS = re.compile(r"\?|\b(?:provide|need|tell me|let me know|share|confirm|give me)\b", re.IGNORECASE)
#: A request that leaves the user a choice, or a word about what was found by it.
_HEDGES = re.compile(r"\b(?:or|either|alternatively|if you|found|located|using|thanks|thank you)\b", re.IGNORECASE)
#: In a scenario: that something is not to be told, or not at once.
_ANYTHING = re.compile(r"\b(?:details|information|yourself)\b", re.IGNORECASE)
_HOLDS_BACK = re.compile(r"\b(?:n'?t|not|never|forg[oe]t|private|minimal)\b", re.IGNORECASE)


def withheld(talk: UserTalk) -> Iterator[UserFault]:
    for kind, (called, looks) in _KINDS.items():
        values = {one.casefold() for one in looks.findall(talk.scenario)}
        if not 0 < len(values) <= _MOST or _says_any(talk.turns, values) or _is_held_back(talk.scenario, called):
            continue
        answer = _answer(talk, called)
        if answer is not None:
            why = f"the agent asked for the {kind}, which the user knows and never gave"
            yield UserFault(kind="withheld", place=answer.place, why=why, quote=answer.text)


def _answer(talk: UserTalk, called: re.Pattern[str]) -> Turn | None:
    """What the user said first when it was asked for it, and for nothing else in its stead."""
    for turn in talk.of_user:
        asked = talk.before(turn)
        sentences = _SENTENCE.findall(asked.text) if asked else ()
        if any(called.search(one) and _ASKS.search(one) and not _HEDGES.search(one) for one in sentences):
            return turn
    return None


def _says_any(turns: Sequence[Turn], values: set[str]) -> bool:
    """Whether anybody said one: what the agent knows by itself need not be told."""
    texts = (turn.text.casefold() for turn in turns)
    return any(value in text for text in texts for value in values)


def _is_held_back(scenario: str, called: re.Pattern[str]) -> bool:
    sentences = _SENTENCE.findall(scenario)
    return any((called.search(one) or _ANYTHING.search(one)) and _HOLDS_BACK.search(one) for one in sentences)
