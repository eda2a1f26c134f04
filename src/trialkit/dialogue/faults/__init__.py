"""What a simulated user does wrong, found in the words of a conversation, without a model."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from .ending import agrees_to, ended_early
from .invented import invented
from .talk import FaultKind, UserFault, UserTalk, read_talk
from .telling import repeated, spoke_as_agent, told_all
from .withheld import withheld

__all__ = ["USER_FAULTS", "WEAK_USER_FAULTS", "FaultKind", "UserFault", "agrees_to", "find_user_faults"]

#: In the order of what they do to a trial.
USER_FAULTS: Mapping[FaultKind, Callable[[UserTalk], Iterator[UserFault]]] = {
    "ended_early": ended_early,
    "invented": invented,
    "withheld": withheld,
    "spoke_as_agent": spoke_as_agent,
    "repeated": repeated,
    "told_all": told_all,
}
#: Those whose precision nobody has measured: users of today hardly do it (docs/user-faults.md). They decide nothing.
WEAK_USER_FAULTS: frozenset[FaultKind] = frozenset({"spoke_as_agent", "repeated", "told_all"})


def find_user_faults(messages: Sequence[Mapping[str, Any]], scenario: str) -> tuple[UserFault, ...]:
    """In `messages` as the output of a conversation has them. `scenario` is all that the user was told of who it is
    and what it wants; where nobody knows it, what the user invented or withheld is not looked for.
    """
    talk = read_talk(messages, scenario)
    return tuple(fault for detect in USER_FAULTS.values() for fault in detect(talk))
