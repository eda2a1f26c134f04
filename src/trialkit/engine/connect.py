"""Opens whoever plays the roles of a run."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from trialkit.errors import InputError
from trialkit.models import Traffic, open_model
from trialkit.settings import RunSettings
from trialkit.suites import Peer, Role, asking


@asynccontextmanager
async def connected(
    roles: Mapping[str, Role], settings: RunSettings, traffic: Traffic
) -> AsyncIterator[Mapping[str, Peer]]:
    """Raises `InputError` where one cannot be had, or cannot be kept within --max-cost: nothing is spent yet."""
    peers = {name: _opened(name, role, traffic) for name, role in roles.items()}
    try:
        if settings.max_cost is not None:
            check_prices(peers)
        yield peers
    finally:
        for peer in peers.values():
            await peer.aclose()


def check_prices(peers: Mapping[str, Peer]) -> None:
    """A limit in dollars needs the price of everybody who is paid."""
    unknown = sorted({peer.name for peer in peers.values() if peer.billed and not peer.price_known})
    if unknown:
        raise InputError(
            f"--max-cost cannot be kept: the price of {', '.join(unknown)} is unknown; name a file with it in"
            " TRIALKIT_PRICES (LiteLLM's format), or leave --max-cost out"
        )


def _opened(name: str, role: Role, traffic: Traffic) -> Peer:
    try:
        if role.open is not None:
            with asking(f"the role {name}", "connection"):
                return role.open(traffic)
        if role.spec is None:
            raise TypeError(f"the role {name} has neither a model (spec) nor a way to open it (open)")
        return open_model(role.spec, traffic)
    except InputError as error:
        if not role.hint:
            raise
        raise InputError(f"{error}; {role.hint}") from None
