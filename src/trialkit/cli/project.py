"""What a project's file says: `trialkit.toml`, or `[tool.trialkit]` in `pyproject.toml`."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trialkit.errors import InputError
from trialkit.paths import RESULTS
from trialkit.text.files import read_text
from trialkit.text.short import shown

from .environment import near, project_folder

#: File → the table of it that is ours. The first there is counts.
_FILES: Mapping[str, tuple[str, ...]] = {"trialkit.toml": (), "pyproject.toml": ("tool", "trialkit")}
#: All settings take a few kilobytes. tomllib's work grows with the square of a dotted name: minutes for a megabyte.
_MOST_BYTES = {"trialkit.toml": 50_000, "pyproject.toml": 1_000_000}
_KEY = re.compile(r"""^[ \t]*(?:\[[ \t]*)?["']?(?P<key>[\w-]+)["']?[ \t]*[=.\]]""", re.MULTILINE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Default:
    value: Any
    by: str  # the file and line, or the variable


def project_defaults() -> Mapping[str, Default]:
    """By the setting's spelling."""
    for name, table in _FILES.items():
        text, found = _read(project_folder() / name, table)
        if found is not None:
            by, lines = near(project_folder() / name), _lines(text, table)
            return {
                key.replace("_", "-"): Default(value=value, by=f"{by}:{lines.get(key, 1)}")
                for key, value in found.items()
            }
    return {}


def output_dir() -> Path:
    """Where runs go, and are looked for, unless something else is said."""
    if not project_defaults():
        return RESULTS
    from trialkit.settings import RunSettings  # noqa: PLC0415 - pydantic takes longer to load than most that need this

    from .defaults import with_defaults  # noqa: PLC0415 - likewise

    return Path(with_defaults(RunSettings).model_fields["output_dir"].default)


def project_file() -> Path | None:
    """The file that says the project's defaults."""
    files = (project_folder() / name for name in _FILES)
    return next((file for file in files if _read(file, _FILES[file.name])[1] is not None), None)


def _read(file: Path, table: tuple[str, ...]) -> tuple[str, dict[str, Any] | None]:
    """Its text and our table of it; None: there is none."""
    if not file.exists():
        return "", None
    text = read_text(near(file), most=_MOST_BYTES[file.name])
    try:
        found: Any = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        if table and ".".join(table) not in text:
            return text, None  # somebody else's to see to
        wrong = "nested too deep" if isinstance(error, RecursionError) else str(error).partition(";")[0]
        raise InputError(f"{near(file)}: not TOML: {wrong}") from None
    for step in table:
        found = found.get(step) if isinstance(found, dict) else None
    return text, found if isinstance(found, dict) else None


def _lines(text: str, table: tuple[str, ...]) -> Mapping[str, int]:
    """Where each key of the table stands first: tomllib does not tell."""
    at = max(text.find(f"[{'.'.join(table)}]"), 0) if table else 0
    lines: dict[str, int] = {}
    line = text.count("\n", 0, at) + 1
    for found in _KEY.finditer(text, at):
        line += text.count("\n", at, found.start("key"))
        at = found.start("key")
        lines.setdefault(found["key"], line)
    return lines


def in_project(value: object, by: str) -> object:
    """A path in the file begins where the file lies."""
    if not isinstance(value, str):
        return value
    try:
        if "\0" not in value:
            return near(project_folder() / Path(value).expanduser())
    except RuntimeError:  # `~NAME` of nobody
        pass
    raise InputError(f"{by}: {shown(value)} is no path; write that of a file or folder")
