"""How the user tells what it wants: as if it were the agent, again and again, or all at once."""

import re
from collections import Counter
from collections.abc import Iterator

from .talk import UserFault, UserTalk

_WORD = re.compile(r"[^\W_]+")
#: What only those say who serve.
_SERVES = re.compile(
    r"\b(?:how (?:can|may) i (?:help|assist) you"
    r"|anything else i can (?:help|assist)"
    r"|i can (?:help|assist) you with"
    r"|(?:happy|glad) to (?:help|assist) you"
    r"|i(?:'ve| have) (?:processed|cancell?ed|updated|refunded|transferred|submitted) your"
    r"|i(?:'ll| will) (?:process|cancel|update|refund|submit) your"
    r"|(?:could|can) you (?:please )?provide (?:me with )?your"
    r"|please provide (?:me with )?your"
    r"|thank you for (?:contacting|calling|reaching out))\b",
    re.IGNORECASE,
)
_FEWEST_WORDS = 6  # of a message that is worth calling a repetition
_OFTEN = 3  # so many times is a repetition whatever stood between
#: Of the telling words of a scenario, and how many of them there have to be to say so.
_SHARE, _FEWEST_TELLING = 0.7, 20
_COMMON = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be but by can do for from has have he her his i if in into is it its me my no not "
        "of on or our she so that the their them then they this to us was we what when where which who will "
        "with would you your am want wants like need needs also any about all please",
    )
)
_ALLOWED = re.compile(r"\b(?:up ?front|first message|at once|everything together)\b", re.IGNORECASE)


def spoke_as_agent(talk: UserTalk) -> Iterator[UserFault]:
    for turn in talk.of_user:
        if found := _SERVES.search(turn.text):
            why = "the user speaks as the one who serves"
            yield UserFault(kind="spoke_as_agent", place=turn.place, why=why, quote=found[0])


def repeated(talk: UserTalk) -> Iterator[UserFault]:
    """To an agent that asks the same again the same may be said again, but not in a row, and not three times."""
    said: Counter[tuple[str, ...]] = Counter()
    last: tuple[str, ...] = ()
    for turn in talk.of_user:
        words = tuple(_WORD.findall(turn.text.casefold()))
        said[words] += 1
        if len(words) >= _FEWEST_WORDS and (words == last or said[words] >= _OFTEN):
            why = "the user says word for word what it has said before"
            yield UserFault(kind="repeated", place=turn.place, why=why, quote=turn.text)
        last = words


def told_all(talk: UserTalk) -> Iterator[UserFault]:
    telling = set(_WORD.findall(talk.scenario.casefold())) - _COMMON
    if len(telling) < _FEWEST_TELLING or not talk.of_user or _ALLOWED.search(talk.scenario):
        return
    first = talk.of_user[0]
    told = telling.intersection(_WORD.findall(first.text.casefold()))
    if len(told) >= _SHARE * len(telling):
        why = f"the first message has {len(told)} of the {len(telling)} telling words of the scenario"
        yield UserFault(kind="told_all", place=first.place, why=why, quote=first.text)
