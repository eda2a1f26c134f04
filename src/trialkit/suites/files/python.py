"""A suite of a Python file, or of an object in a module: a `Suite`, or plain functions."""

import inspect
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from trialkit.code import file_of, load_module, load_object
from trialkit.errors import InputError
from trialkit.suites.base import Suite
from trialkit.suites.checks import checked_suite

from .hashes import hashes_of

#: Those of a suite without a class.
FUNCTIONS = ("cases", "attempt", "judge")


def python_suite(named: str, folder: Path) -> Suite[Any]:
    """`named`: FILE.py, FILE.py:NAME or MODULE:NAME, as seen from the folder."""
    place = _place(named)
    module = load_module(place, "suite", folder)
    found = _only_suite(module, named) if place == named else load_object(named, "suite", folder)
    suite = checked_suite(_made(found, named), named)
    files = [module.__file__] if module.__file__ else []
    suite.definition = {"python": named, "folder": str(folder.resolve()), "files": hashes_of(folder, files)}
    return suite


def python_suite_again(definition: Mapping[str, Any]) -> Suite[Any]:
    return python_suite(definition["python"], Path(definition["folder"]))


def other_code(definition: Mapping[str, Any]) -> str:
    """Why a run is not to be shown by its suite: code that is not the run's own would be started. Else nothing."""
    file = file_of(_place(definition["python"]), Path(definition["folder"]))
    if file is None:
        return ""
    before = definition["files"].get(str(file))
    if not file.is_file():
        return f"there is no file {file}"
    same = before is not None and hashes_of(file.parent, [file.name]) == {str(file): before}
    return "" if same else f"{file} is not as it was when the run began"


def _place(named: str) -> str:
    return named if named.endswith(".py") else named.rpartition(":")[0]


def _only_suite(module: ModuleType, named: str) -> object:
    """The one `Suite` of a file, its object rather than its class; else one of its functions."""
    own = {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, Suite)
        or (inspect.isclass(value) and issubclass(value, Suite) and value.__module__ == module.__name__)
    }
    objects = {name: value for name, value in own.items() if isinstance(value, Suite)} or own
    if len(objects) == 1:
        return next(iter(objects.values()))
    if objects:
        raise InputError(
            f"{named}: it has several suites; name one: {', '.join(f'{named}:{name}' for name in objects)}"
        )
    if any(inspect.isfunction(getattr(module, name, None)) for name in FUNCTIONS):
        from .functions import FunctionSuite  # noqa: PLC0415 - the judges are only for such files

        return FunctionSuite(module, named)
    wanted = f"a class of trialkit.Suite, or the functions {', '.join(FUNCTIONS)}"
    raise InputError(f"{named}: it has no suite: write {wanted}; see docs/suites.md")


def _made(found: object, named: str) -> object:
    if not (isinstance(found, type) and issubclass(found, Suite)):
        return found
    try:
        return found()
    except TypeError as error:
        raise InputError(f"{named} cannot be made without arguments: {error}; see docs/suites.md") from None
