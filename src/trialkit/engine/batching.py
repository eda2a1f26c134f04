"""`--batch`: who of a run is asked in batches, and who is not."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from trialkit.errors import InputError
from trialkit.settings import RunSettings
from trialkit.suites import Role

if TYPE_CHECKING:  # few runs need them, and they load aiohttp
    from trialkit.models.batch import Batches


def batches_of(settings: RunSettings) -> "Batches | None":
    """None: each request goes to its model by itself."""
    if not settings.batch:
        return None
    from trialkit.models.batch import Batches  # noqa: PLC0415 - as above

    return Batches()


def check_batches(settings: RunSettings, roles: Mapping[str, Role]) -> None:
    """InputError where nobody could be asked in a batch, or one who should be cannot."""
    if not settings.batch:
        return
    from trialkit.models.batch import check_batch_api  # noqa: PLC0415 - as above

    specs = [role.spec for role in roles.values() if role.spec and not role.converses]
    if not specs:
        why = _conversing(roles) or "no model is asked in this run"
        raise InputError(f"--batch: {why}, so there is nothing to be asked in a batch; leave it out")
    for spec in specs:
        check_batch_api(spec)


def batch_notices(settings: RunSettings, roles: Mapping[str, Role]) -> Sequence[str]:
    """Who is asked at once all the same."""
    why = _conversing(roles)
    if not (settings.batch and why):
        return []
    batched = [name for name, role in roles.items() if role.spec and not role.converses]
    return [f"only the {' and the '.join(batched)} is asked in batches, at half the price: {why}"]


def _conversing(roles: Mapping[str, Role]) -> str:
    names = [name for name, role in roles.items() if role.converses]
    return f"the {' and the '.join(names)} converse{'s' if len(names) == 1 else ''}" if names else ""
