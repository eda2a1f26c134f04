"""How a suite is found by its name."""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from trialkit.errors import InputError
from trialkit.plugins import find_plugin, plugin_names
from trialkit.runfile import RunInfo

from .base import Suite
from .checks import checked_suite

T = TypeVar("T")

_GROUP = "trialkit.suites"
_IN_SCRIPTS: dict[str, Suite] = {}


def suite_names() -> list[str]:
    return plugin_names(_GROUP)


def get_suite(name: str) -> Suite:
    """An installed one, or that of a file or an object of Python's. InputError if there is none to be had."""
    from .files import names_a_file, open_suite  # noqa: PLC0415 - only whoever has one needs it

    if names_a_file(name):
        return open_suite(name)
    if name not in suite_names():
        _refuse_file(name)
    return installed_suite(name)


def _refuse_file(name: str) -> None:
    """InputError where a file is meant that is no suite."""
    beside = Path(f"{name}.yaml")
    if beside.is_file():
        raise InputError(f"there is no suite {name!r}; did you mean {beside}?")
    if Path(name).exists():
        raise InputError(
            f"{name}: is no suite; write a YAML file with `cases: {name}` in it, as docs/own-cases.md shows, or begin"
            " with: trialkit init DIR --from classify"
        )


@functools.cache
def installed_suite(name: str) -> Suite:
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
    """An installed suite; where it cannot be had, one that knows no more than any suite does."""
    try:
        return installed_suite(name)
    except InputError:
        return _unknown(name)


def suite_of_run(info: RunInfo) -> Suite:
    """To go on with the run. What it was made of is in its file, where it is installed nowhere."""
    if info.definition is None:
        return _IN_SCRIPTS.get(info.suite) or get_suite(info.suite)
    from .files import suite_from  # noqa: PLC0415 - as above

    return suite_from(info.definition)


def suite_in(info: RunInfo) -> Suite:
    """To show the run; where its suite cannot be had, one that knows no more than any suite does."""
    try:
        return _unknown(info.suite) if shown_without(info) else suite_of_run(info)
    except InputError:
        return _unknown(info.suite)


def shown_without(info: RunInfo) -> str:
    """Why a run is shown without its suite, which looking at a run starts only if it is what it was. Else nothing."""
    if info.definition is None:
        return ""
    from .files import withheld  # noqa: PLC0415 - as above

    return withheld(info.definition)


def changes_since(info: RunInfo) -> list[str]:
    """What its suite is made of and is not as it was when the run began, a line for each file."""
    if info.definition is None:
        return []
    from .files import changed_files  # noqa: PLC0415 - as above

    return changed_files(info.definition)


def _unknown(name: str) -> Suite:
    unknown: Suite = Suite()
    unknown.name = name
    return unknown
