"""What other packages add through entry points: suites, agents and model protocols."""

from collections.abc import Sequence
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from trialkit.errors import InputError


def plugin_names(group: str) -> list[str]:
    return sorted(_found(group))


def load_plugin(group: str, name: str, what: str, parts: Sequence[str], more: Sequence[str] = ()) -> Any:
    """`what` it is, and what it must have; `more`: names that are known besides. InputError if it cannot be had."""
    found = _found(group)
    if name not in found:
        near = get_close_matches(name, found, n=1)
        hint = f"; did you mean {near[0]}? Known" if near else "; known"
        raise InputError(f"there is no {what} {name!r}{hint}: {', '.join([*sorted(found), *more])}")
    return _load(found[name], what, parts)


def _load(point: EntryPoint, what: str, parts: Sequence[str]) -> Any:
    """A package of someone else's may be broken in any way; that is no fault of the program's."""
    where = f"{what} {point.name}: {point.value}, of the package {point.dist.name if point.dist else '?'},"
    try:
        loaded = point.load()
    except Exception as error:
        raise InputError(f"{where} cannot be loaded: {type(error).__name__}: {error}") from error
    lacking = [part for part in parts if not hasattr(loaded, part)]
    if lacking:
        raise InputError(f"{where} is no {what}: it has no {', no '.join(lacking)}; see docs/{what}s.md")
    return loaded


def _found(group: str) -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=group)}
