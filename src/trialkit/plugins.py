"""What other packages add through entry points: suites, agents, model protocols and report formats."""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from trialkit.errors import InputError


def plugin_names(group: str) -> list[str]:
    return sorted(_found(group))


@dataclass(frozen=True, kw_only=True, slots=True)
class Plugin:
    value: object
    where: str  # for messages: `suite NAME: MODULE:OBJECT, of the package PACKAGE,`


def find_plugin(group: str, name: str, what: str, more: Sequence[str] = ()) -> Plugin:
    """`what` it is; `more`: names that are known besides. InputError if it cannot be had."""
    found = _found(group)
    if name not in found:
        family = [other for other in sorted(found) if other.startswith(f"{name}/")]
        if family:
            raise InputError(f"{name}: which {what}? There are {', '.join(family)}")
        near = get_close_matches(name, found, n=1)
        hint = f"; did you mean {near[0]}? Known" if near else "; known"
        raise InputError(f"there is no {what} {name!r}{hint}: {', '.join([*sorted(found), *more])}")
    point = found[name]
    where = f"{what} {point.name}: {point.value}, of the package {point.dist.name if point.dist else '?'},"
    try:
        return Plugin(value=point.load(), where=where)
    except Exception as error:  # a package of someone else's may be broken in any way
        raise InputError(f"{where} cannot be loaded: {type(error).__name__}: {error}") from error


def load_plugin(group: str, name: str, what: str, parts: Sequence[str], more: Sequence[str] = ()) -> Any:
    """One that is told by its `parts`, whatever class it is of."""
    plugin = find_plugin(group, name, what, more)
    lacking = [part for part in parts if not hasattr(plugin.value, part)]
    if lacking:
        raise InputError(f"{plugin.where} is no {what}: it has no {', no '.join(lacking)}; see docs/{what}s.md")
    return plugin.value


def _found(group: str) -> dict[str, EntryPoint]:
    return _by_group(tuple((folder, _changed(folder)) for folder in sys.path)).get(group, {})


@cache
def _by_group(_installed: tuple[tuple[str, float], ...]) -> Mapping[str, dict[str, EntryPoint]]:
    """What all packages there add, read once: each of them is opened, which takes longer than a short command may."""
    points = entry_points()
    return {group: {point.name: point for point in points.select(group=group)} for group in points.groups}


def _changed(folder: str) -> float:
    """When something was installed there, or taken away."""
    try:
        return os.stat(folder or ".").st_mtime  # noqa: PTH116 - for each name that is looked up
    except OSError:
        return 0.0
