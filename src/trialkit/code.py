"""Python of the user's own, named on the command line or in a file: `tools.py:lookup`, `package.module:OBJECT`."""

import hashlib
import importlib
import importlib.util
import sys
import traceback
from difflib import get_close_matches
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

from trialkit.errors import InputError


def load_object(named: str, where: str, folder: Path | None = None) -> Any:
    """What `FILE.py:NAME` or `MODULE:NAME` names. `where` it is named, for messages; a file is looked for in `folder`.

    InputError says what is wrong: nothing of that name, or code that fails.
    """
    place, _, name = named.rpartition(":")
    if not place or not name.isidentifier():
        raise InputError(f"{where}: {named!r} names no Python object; write FILE.py:NAME or MODULE:NAME")
    module = load_module(place, where, folder)
    if not hasattr(module, name):
        near = get_close_matches(name, (one for one in vars(module) if not one.startswith("_")), n=1)
        raise InputError(f"{where}: {place} has no {name}{f'; did you mean {near[0]}?' if near else ''}")
    return getattr(module, name)


def load_module(place: str, where: str, folder: Path | None = None) -> ModuleType:
    """A file is loaded once in a process, whoever names it; its folder can be imported from, as if it were started."""
    try:
        return _of_file((folder or Path()) / place) if place.endswith(".py") else _installed(place, folder)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    except (Exception, SystemExit) as error:  # somebody else's code may fail in any way
        last = traceback.extract_tb(error.__traceback__)[-1]
        at = f"{Path(last.filename).name}:{last.lineno}"
        if isinstance(error, SyntaxError) and error.filename:
            at = f"{Path(error.filename).name}:{error.lineno}"
        raise InputError(f"{where}: {place} cannot be loaded: {type(error).__name__}: {error} ({at})") from error


def file_of(place: str, folder: Path) -> Path | None:
    """What `load_module` would run, found without running it; None: nothing, or it was run already."""
    if place.endswith(".py"):
        path = (folder / place).resolve()
        return None if _name(path) in sys.modules else path
    spec, search = None, [str(folder), *sys.path]
    parts = [] if place in sys.modules else place.split(".")
    for number in range(len(parts)):
        spec = PathFinder.find_spec(".".join(parts[: number + 1]), search)
        search = list(spec.submodule_search_locations or ()) if spec else []
    return Path(spec.origin).resolve() if spec and spec.origin else None


def _installed(name: str, folder: Path | None) -> ModuleType:
    _find_beside(folder or Path())
    return importlib.import_module(name)


def _of_file(path: Path) -> ModuleType:
    path = path.resolve()
    if not path.is_file():
        raise InputError(f"there is no file {path}")
    name = _name(path)
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    _find_beside(path.parent)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _name(path: Path) -> str:
    return f"trialkit_loaded_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}_{path.stem}"


def _find_beside(folder: Path) -> None:
    place = str(folder.resolve())
    if place not in sys.path:
        sys.path.insert(0, place)
