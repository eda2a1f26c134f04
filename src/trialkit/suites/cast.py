"""Who plays in a run: roles, and those who play them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from trialkit.models import ModelSpec, Traffic


class Peer(Protocol):
    """Whoever plays a role: a model's `Connection`, or one that is talked to through `Trial.exchange`."""

    name: str
    endpoint: str
    key: str
    price_known: bool
    billed: bool
    storable: bool

    async def aclose(self) -> None: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Role:
    """A part that somebody plays in a trial: the subject, the judge, a user."""

    spec: "ModelSpec | None" = None  # the model that plays it
    phase: Literal["attempt", "judge"] = "attempt"
    prompts: tuple[str, ...] = ()  # the roles of the prompts that it is given
    converses: bool = False  # asked several times in a trial, each after what came of the last: in no batch
    open: "Callable[[Traffic], Peer] | None" = None  # in place of a model; nothing is started or asked yet
    hint: str = ""  # what to do where it cannot be opened
