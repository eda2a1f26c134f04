"""How a suite is found by its name."""

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from trialkit.errors import InputError
from trialkit.plugins import find_plugin, plugin_names

from .base import Suite
from .checks import checked_suite

T = TypeVar("T")

_GROUP = "trialkit.suites"
_IN_SCRIPTS: dict[str, Suite] = {}


def suite_names() -> list[str]:
    return plugin_names(_GROUP)


@functools.cache
def get_suite(name: str) -> Suite:
    """InputError if there is none, or if it was written for another trialkit."""
    plugin = find_plugin(_GROUP, name, "suite")
    value = plugin.value
    try:
        made = value() if isinstance(value, type) and issubclass(value, Suite) else value
    except TypeError as error:
        raise InputError(f"{plugin.where} cannot be made without arguments: {error}; see docs/suites.md") from None
    suite = checked_suite(made, plugin.where)
    if suite.name != name:
        raise InputError(f"{plugin.where} calls itself {suite.name!r}: name its entry point so too; see docs/suites.md")
    return suite


def every_suite(ask: Callable[[Suite], T], tell: Callable[[str], object] = str) -> dict[str, T]:
    """What each suite says, by its name; one that fails is told of and left out: it must not hide the others."""
    found = {}
    for name in suite_names():
        try:
            found[name] = ask(suite_of(name))
        except InputError as error:
            tell(str(error))
    return found


def remember_suite(suite: Suite[Any]) -> None:
    """It need not be installed in a script that runs it and reports on it."""
    _IN_SCRIPTS[suite.name] = suite


def suite_of(name: str) -> Suite:
    """The suite of a run; where it cannot be had, one that knows no more than any suite does."""
    if name in _IN_SCRIPTS:
        return _IN_SCRIPTS[name]
    try:
        return get_suite(name)
    except InputError:
        unknown: Suite = Suite()
        unknown.name = name
        return unknown
