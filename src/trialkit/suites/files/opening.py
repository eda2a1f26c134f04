"""From what a user names, or a run file holds, to the suite."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from trialkit.errors import InputError
from trialkit.suites.base import Suite
from trialkit.text.json import JsonObject
from trialkit.text.short import shortened

from .hashes import changes_since
from .python import other_code, python_suite, python_suite_again

_YAML = (".yaml", ".yml")
_SHOWN = 200


def names_a_file(name: str) -> bool:
    """Or an object in a module: whether it is no name of an installed suite."""
    return name.endswith((*_YAML, ".py")) or ":" in name


def open_suite(name: str) -> Suite[Any]:
    """The suite of a file, or of an object. InputError says all that is wrong with it."""
    if name.endswith(_YAML):
        from .yamlfile import yaml_suite  # noqa: PLC0415 - the parser and the judges are only for such files

        return yaml_suite(Path(name))
    return python_suite(name, Path())


def suite_from(definition: Mapping[str, Any]) -> Suite[Any]:
    """The suite of a run, made again from what its file holds. InputError where it was damaged."""
    try:
        if "python" in definition:
            return python_suite_again(definition)
        if "yaml" in definition:
            from .yamlfile import yaml_suite_again  # noqa: PLC0415 - as above

            return yaml_suite_again(definition)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        told = f"{type(error).__name__}: {shortened(str(error), _SHOWN)}"
        raise InputError(f"what its file says of its suite is damaged: {told}") from None
    raise InputError("its suite is defined in a way that this trialkit does not know: upgrade it")


def suite_schema() -> JsonObject:
    """The JSON schema of a suite's YAML file."""
    from .schema import schema_of_suites  # noqa: PLC0415 - as above

    return schema_of_suites()


def withheld(definition: Mapping[str, Any]) -> str:
    """Why it is not asked to show its run; nothing, where it may be."""
    try:
        return other_code(definition) if "python" in definition else ""
    except (InputError, KeyError, TypeError, ValueError, AttributeError, OSError):
        return "what the run file says of it is damaged"


def changed_files(definition: Mapping[str, Any]) -> list[str]:
    """What is to be told of a run that goes on: files that it needs and that are not as they were."""
    return changes_since(definition.get("files", {}))
