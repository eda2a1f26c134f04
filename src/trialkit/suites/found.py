"""How a suite is found by its name."""

import functools

from trialkit.errors import InputError
from trialkit.plugins import find_plugin, plugin_names

from .base import API, Suite

_GROUP = "trialkit.suites"


def suite_names() -> list[str]:
    return plugin_names(_GROUP)


@functools.cache
def get_suite(name: str) -> Suite:
    """InputError if there is none, or if it was written for another trialkit."""
    plugin = find_plugin(_GROUP, name, "suite")
    value = plugin.value
    try:
        suite = value() if isinstance(value, type) and issubclass(value, Suite) else value
    except TypeError as error:
        raise InputError(f"{plugin.where} cannot be made without arguments: {error}; see docs/suites.md") from None
    wanted = f"this trialkit wants a trialkit.suites.Suite of API {API}; see docs/suites.md"
    if not isinstance(suite, Suite):
        raise InputError(f"{plugin.where} is no suite, or of the shape before API 1: {wanted}")
    if suite.api != API:
        raise InputError(f"{plugin.where} was written for API {suite.api}; {wanted}, or install a trialkit of its time")
    return suite


def suite_of(name: str) -> Suite:
    """The suite of a run; where it cannot be had, one that knows no more than any suite does."""
    try:
        return get_suite(name)
    except InputError:
        unknown: Suite = Suite()
        unknown.name = name
        return unknown
