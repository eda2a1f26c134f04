"""Opens whoever plays the roles of a run."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from trialkit.errors import InputError
from trialkit.models import Traffic, open_model
from trialkit.paths import cache_dir
from trialkit.settings import RunSettings
from trialkit.suites import Peer, Role, asking

from .batching import check_batches

if TYPE_CHECKING:  # few runs need them
    from trialkit.models.batch import Batches


@asynccontextmanager
async def connected(
    roles: Mapping[str, Role], settings: RunSettings, traffic: Traffic, batches: "Batches | None" = None
) -> AsyncIterator[Mapping[str, Peer]]:
    """Raises `InputError` where one cannot be had, or cannot be kept within --max-cost: nothing is spent yet."""
    if batches is not None:
        check_batches(settings, roles)
    peers = {name: _opened(name, role, traffic, batches) for name, role in roles.items()}
    try:
        if settings.max_cost is not None:
            check_prices(peers)
        yield peers
    finally:
        for peer in peers.values():
            await peer.aclose()


def traffic_of(settings: RunSettings) -> Traffic:
    """What a minute allows is shared with the other runs of this machine."""
    return Traffic(settings.max_concurrency, rpm=settings.rpm, tpm=settings.tpm, leases=cache_dir() / "rates")


def check_prices(peers: Mapping[str, Peer]) -> None:
    """A limit in dollars needs the price of everybody who is paid."""
    unknown = sorted({peer.name for peer in peers.values() if peer.billed and not peer.price_known})
    if unknown:
        raise InputError(
            f"--max-cost cannot be kept: the price of {', '.join(unknown)} is unknown; name a file with it in"
            " TRIALKIT_PRICES (LiteLLM's format), or leave --max-cost out"
        )


def _opened(name: str, role: Role, traffic: Traffic, batches: "Batches | None") -> Peer:
    try:
        if role.open is not None:
            with asking(f"the role {name}", "connection"):
                return role.open(traffic)
        if role.spec is None:
            raise TypeError(f"the role {name} has neither a model (spec) nor a way to open it (open)")
        return open_model(role.spec, traffic, None if role.converses else batches)
    except InputError as error:
        who = f"{name} ({role.spec.name}): " if role.spec else ""  # others name themselves
        raise InputError(who + "; ".join(filter(None, [str(error), role.hint]))) from None
