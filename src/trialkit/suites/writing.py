"""How a run is written in a format.

A package adds a format by an entry point in the group `trialkit.formats` that names a `Format` object; so do we. A
suite adds its own in `Suite.formats`. A format's module is loaded when it is asked for.
"""

from collections.abc import Iterator
from contextlib import suppress
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Any

from trialkit.errors import InputError
from trialkit.plugins import find_plugin, plugin_names
from trialkit.runfile import RunFile

from .asking import asking
from .base import Suite
from .formats import Format
from .found import suite_in

_GROUP = "trialkit.formats"


def general_formats() -> list[str]:
    """The names of those that are no suite's own."""
    return plugin_names(_GROUP)


def find_format(run: RunFile, name: str) -> Format:
    """InputError tells which there are for this run."""
    info = run.info()
    suite, own = info.suite, suite_in(info).formats()
    if name in own:
        return own[name]
    found = _general(name) if name in general_formats() else None
    if found is not None and _holds(found, suite):
        return found
    known = sorted({*own, *filter(lambda other: _offered(other, suite), general_formats())})
    near = get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]}? There are" if near else "there are"
    raise InputError(f"{run.path}: a run of {suite} has no format {name!r}; {hint} {', '.join(known)}")


def check_beside(suite: Suite[Any]) -> None:
    """InputError where a format that is to stand beside its runs is none: after a run it would be too late."""
    known = [*suite.formats(), *general_formats()]
    if lost := [name for name in suite.beside if name not in known]:
        raise InputError(f"suite {suite.name}: beside names {lost[0]!r}, no format; there are {', '.join(known)}")


def written(run: RunFile, form: Format) -> str | bytes:
    """The run in this format, whoever made it."""
    first, *rest = pieces(run, form)
    return first if isinstance(first, bytes) else "".join((first, *map(str, rest)))


def pieces(run: RunFile, form: Format) -> Iterator[str | bytes]:
    """One, or several texts."""
    with asking(f"{run.path}, as {form.suffix}", "text"):
        text = form.write(run)
        if isinstance(text, str | bytes):
            yield text
        elif isinstance(text, Iterator):
            yield from text
        else:
            raise TypeError(f"it is {text!r:.60}, neither a text nor bytes")


def _general(name: str) -> Format:
    plugin = find_plugin(_GROUP, name, "format")
    if not isinstance(plugin.value, Format):
        raise InputError(f"{plugin.where} is no trialkit.suites.Format; see docs/runs.md")
    return plugin.value


def _holds(found: Format, suite: str) -> bool:
    return any(fnmatchcase(suite, pattern) for pattern in found.suites)


def _offered(name: str, suite: str) -> bool:
    """A package that is broken hides no other."""
    with suppress(InputError):
        return _holds(_general(name), suite)
    return False
