"""What there is where trialkit is installed, whether it is as it should be and, if it is not, what to do about it."""

import asyncio
import os
import platform
import re
import shutil
import sqlite3
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Literal

from rich.console import Console

from trialkit.errors import InputError
from trialkit.models import (
    Secrets,
    listed_on,
    named_keys,
    named_servers,
    price_of,
    server_at,
    server_fault,
    showable,
)
from trialkit.pages import Name, Page, Prose, Table
from trialkit.paths import cache_dir
from trialkit.runfile import find_leftovers
from trialkit.suites import Source, every_suite, get_suite, suite_names
from trialkit.text.shown import counted, file_size

from .caches import caches, scraps

#: How long a server may take to answer anything at all.
_WAIT_S = 3.0
#: With less room a long run may not end.
_LITTLE = 1_000_000_000
#: Tables are made for so many columns.
_WIDTH = 80

Health = Literal["ok", "to do", "none"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Diagnosis:
    what: str
    state: Health  # none: it is not there, and need not be
    found: str
    fix: str = ""  # what to do about it


def examine(folder: Path) -> list[Diagnosis]:
    """`folder` is the one with runs. Takes no longer than the slowest server may."""
    return [
        _version(),
        *_packages(),
        *_suites(),
        *_keys(),
        *_servers(),
        _prices(),
        *(_content(source) for source in _sources()),
        *_caches(),
        _leftovers(folder),
        *_disks(folder),
        _terminal(),
    ]


def doctor_page(checks: list[Diagnosis]) -> Page:
    todo = [check for check in checks if check.state == "to do"]
    told = f"{counted(len(todo), 'thing')} to do" if todo else "all is well"
    found = tuple((_state(one), Name(one.what), Prose(one.found)) for one in checks)
    parts = [Table(title="", columns=("State", "Check", "Found"), rows=found)]
    fixes = tuple((Name(one.what), Prose(one.fix, lines=9)) for one in checks if one.fix)
    if fixes:
        parts.append(Table(title="What to do", columns=("Check", "Do"), rows=fixes))
    return Page(title=f"trialkit doctor: {told}", parts=tuple(parts))


def _state(check: Diagnosis) -> Name:
    return Name(check.state, "good" if check.state == "ok" else "bad" if check.state == "to do" else "dim")


def _version() -> Diagnosis:
    python = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {platform.system()}"
    return Diagnosis(what="trialkit", state="ok", found=f"{_installed('trialkit')}; {python}")


def _packages() -> Iterator[Diagnosis]:
    """What trialkit needs, and each of its extras."""
    needed: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for line in requires("trialkit") or ():
        name, extra = re.match(r"[\w.-]+", line), re.search(r"extra == ['\"](.+?)['\"]", line)
        if name:
            needed[extra[1] if extra else ""][name[0]] = _installed(name[0])
    for group, packages in sorted(needed.items()):
        lacking = [name for name, found in packages.items() if not found]
        there = ", ".join(f"{name} {found}" for name, found in packages.items() if found)
        what = f"extra {group}" if group else "packages"
        if not lacking:
            yield Diagnosis(what=what, state="ok", found=there)
        elif group:
            yield Diagnosis(
                what=what, state="none", found=f"not installed; add it with: pip install 'trialkit[{group}]'"
            )
        else:
            yield Diagnosis(what=what, state="to do", found=f"no {', no '.join(lacking)}", fix="install trialkit again")


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _suites() -> Iterator[Diagnosis]:
    sound = []
    for name in suite_names():
        try:
            sound.append(get_suite(name).name)
        except InputError as error:
            fix = "mend or uninstall the package that brings it"
            yield Diagnosis(what=f"suite {name}", state="to do", found=str(error), fix=fix)
    yield Diagnosis(what="suites", state="ok", found=", ".join(sound))


def _keys() -> Iterator[Diagnosis]:
    keys = named_keys()
    good = [name for name, sound in keys.items() if sound]
    if good:
        yield Diagnosis(what="keys", state="ok", found=f"{', '.join(good)} (names only; what they hold is never shown)")
    elif not keys:
        yield Diagnosis(what="keys", state="none", found="none in the environment; models over the network need one")
    for name in keys.keys() - set(good):
        yield Diagnosis(
            what="keys", state="to do", found=f"{name} holds characters that no key has", fix=f"set {name} again"
        )


def _servers() -> Iterator[Diagnosis]:
    async def ask() -> list[str]:
        return await asyncio.gather(*(server_fault(name, _WAIT_S) for name in names))

    names = named_servers()
    if not names:
        yield Diagnosis(what="servers", state="none", found="no address of your own in the environment")
        return
    yield from map(_server, names, asyncio.run(ask()))


def _server(variable: str, fault: str) -> Diagnosis:
    try:
        where = f"{server_at(variable)} of {variable}"
    except InputError as error:
        return Diagnosis(what="server", state="to do", found=str(error), fix=f"set {variable} again, or unset it")
    if not fault:
        return Diagnosis(what="server", state="ok", found=f"{where} answers")
    fix = f"start it, or unset {variable} to ask the provider's own"
    return Diagnosis(what="server", state="to do", found=f"{where}: {fault}", fix=fix)


def _prices() -> Diagnosis:
    try:
        price_of(None, "")
    except InputError as error:
        found = Secrets.of_environment().hide(str(error))
        return Diagnosis(what="prices", state="to do", found=found, fix="mend the file that TRIALKIT_PRICES names")
    own = os.environ.get("TRIALKIT_PRICES")
    more = f" and {showable(own)}" if own else ""
    return Diagnosis(what="prices", state="ok", found=f"the list of {listed_on()}{more}")


def _sources() -> list[Source]:
    told = every_suite(lambda suite: suite.sources()).values()
    return list({source.name: source for sources in told for source in sources}.values())


def _content(source: Source) -> Diagnosis:
    what = f"data {source.name}"
    try:
        there = source.locate(None)
        wrong = list(source.faults()) if there.resolve().is_relative_to(cache_dir().resolve()) else []
        if not wrong:
            return Diagnosis(what=what, state="ok", found=str(there))
        return Diagnosis(what=what, state="to do", found="; ".join(wrong), fix=f"trialkit data fetch {source.name}")
    except InputError as error:
        if os.environ.get(source.variable):
            return Diagnosis(
                what=what, state="to do", found=str(error), fix=f"name another folder by {source.variable}"
            )
        return Diagnosis(what=what, state="none", found=f"not here; get it with: trialkit data fetch {source.name}")


def _caches() -> Iterator[Diagnosis]:
    for name, size in caches().items():
        found = f"{file_size(size)}; remove it with: trialkit doctor --clean {name}"
        yield Diagnosis(what=f"cache {name}", state="ok", found=found)
    left = scraps()
    if left:
        found = f"{counted(len(left), 'piece')} of what was not finished: {', '.join(path.name for path in left)}"
        yield Diagnosis(what="cache", state="to do", found=found, fix="trialkit doctor --clean")


def _leftovers(folder: Path) -> Diagnosis:
    left = find_leftovers(folder)
    if not left:
        return Diagnosis(what="leftovers", state="ok", found=f"killed runs left nothing in {folder}")
    found = f"{counted(len(left), 'file')} in {folder} that killed runs left: {', '.join(file.name for file in left)}"
    return Diagnosis(what="leftovers", state="to do", found=found, fix="trialkit doctor --clean")


def _disks(folder: Path) -> Iterator[Diagnosis]:
    for what, path, variable in (("runs", folder, "--output-dir"), ("cache", cache_dir(), "TRIALKIT_CACHE_DIR")):
        there = next(one for one in (path.absolute(), *path.absolute().parents) if one.exists())
        free = shutil.disk_usage(there).free
        found = f"{path}: {file_size(free)} free"
        if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
            found, fix = f"{path}: cannot be written to", f"name another folder by {variable}"
        else:
            fix = f"make room, or name another folder by {variable}" if free < _LITTLE else ""
        yield Diagnosis(what=f"disk of {what}", state="to do" if fix else "ok", found=found, fix=fix)


def _terminal() -> Diagnosis:
    console, encoding = Console(), sys.stdout.encoding or "unknown"
    colours = f"colours: {console.color_system or 'none'}"
    found = f"{console.width} columns, {colours}, {encoding}" if console.is_terminal else f"not a terminal; {encoding}"
    if encoding.lower().replace("-", "") != "utf8":
        fix = "set LANG to one with UTF-8, such as C.UTF-8, or PYTHONUTF8=1: what it lacks is shown as ?"
        return Diagnosis(what="terminal", state="to do", found=found, fix=fix)
    narrow = console.is_terminal and console.width < _WIDTH
    return Diagnosis(what="terminal", state="ok", found=found, fix=f"tables take {_WIDTH} columns" if narrow else "")
