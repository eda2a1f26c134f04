"""Reading a file of the content; whatever is wrong with it becomes an InputError that names the file and the place."""

import json
import tomllib
from pathlib import Path
from typing import Any

from trialkit.errors import InputError
from trialkit.suites.tau.v2.source import FETCH


def text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise unreadable(file, error) from None


def value_of(file: Path) -> Any:
    """What a JSON or TOML file holds."""
    text = text_of(file)
    try:
        return tomllib.loads(text) if file.suffix == ".toml" else json.loads(text)
    except ValueError as error:
        raise unreadable(file, error) from None


def unreadable(file: Path, error: Exception) -> InputError:
    return InputError(f"{file}: cannot be read: {error}; bring a fresh copy with `{FETCH}`")
