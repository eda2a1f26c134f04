"""What there is to begin with, for `trialkit init`: suites in a file, and what installed suites bring."""

from collections.abc import Callable, Mapping

from trialkit.errors import InputError

from .extras import Starter
from .found import every_suite


def starter_of(name: str | None, tell: Callable[[str], object] = str) -> Starter:
    """By its name; the first that an installed suite brings, where none is named. `tell` hears of broken suites."""
    from .files.starting import STARTERS, file_starter  # noqa: PLC0415 - with the judges, for this command alone

    if name in STARTERS and name is not None:
        return file_starter(name)
    found = _brought(tell)
    if name is None and found:
        return next(iter(found.values()))
    if name is None or name not in found:
        raise InputError(f"--from {name}: there is no such starter; there are {', '.join([*STARTERS, *found])}")
    return found[name]


def _brought(tell: Callable[[str], object]) -> Mapping[str, Starter]:
    told = every_suite(lambda one: one.starter(), tell=tell)
    return {name: starter for name, starter in told.items() if starter is not None}


def starter_names() -> list[str]:
    from .files.starting import STARTERS  # noqa: PLC0415 - as above

    return [*STARTERS, *_brought(str)]
