"""The project around the working directory, and the variables in its `.env`."""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from trialkit.errors import InputError
from trialkit.text.files import as_text, read_file

_MARKS = ("trialkit.toml", "pyproject.toml", ".git")
_MOST_BYTES = 1_000_000
#: A variable with its value as it is written, up to its end: a quoted one may have several lines.
_LINE = re.compile(
    r"""[ \t]*(?:export[ \t]+)?(?P<name>[A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*
    (?: '(?P<raw>[^']*)' | "(?P<quoted>(?:[^"\\]|\\.)*)" | (?P<plain>[^\n'"#][^\n]*)? )[ \t]*(?:\#[^\n]*)?$""",
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
_COMMENT = re.compile(r"\s\#.*")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Variables:
    """What `.env` files gave."""

    origins: Mapping[str, str] = field(default_factory=dict)  # variable → file and line, of those that were taken
    faults: tuple[str, ...] = ()


def project_folder() -> Path:
    """The nearest folder upwards with a mark of a project; where there is none, the working directory."""
    here = Path.cwd()
    return next((folder for folder in (here, *here.parents) if any((folder / mark).exists() for mark in _MARKS)), here)


def near(path: Path) -> Path:
    """As it is told from the working directory."""
    return Path(os.path.relpath(path))


def read_environment() -> Variables:
    """Takes the variables of `.env`, here and in the project's folder, into the process; never over one that is set."""
    origins: dict[str, str] = {}
    faults: list[str] = []
    for folder in dict.fromkeys((Path.cwd(), project_folder())):
        file = folder / ".env"
        if not file.exists() or file.is_dir():  # a virtual environment may be called so, too
            continue
        try:
            text = as_text(read_file(near(file), most=_MOST_BYTES), near(file))
        except InputError as error:
            faults.append(f"passed over: {error}")
            continue
        for line, name, value in variables(text):
            if name is None:
                faults.append(f"{near(file)}:{line}: passed over, since it is not NAME=VALUE")
            elif name not in os.environ and "\0" not in value:
                os.environ[name] = value
                origins[name] = f"{near(file)}:{line}"
    return Variables(origins=origins, faults=tuple(faults))


def variables(text: str) -> Iterator[tuple[int, str | None, str]]:
    """Line, name and value; without a name: what stands there is no variable. Nothing in a value is filled in."""
    text = text.replace("\r\n", "\n")
    at, line = 0, 1
    while at < len(text):
        found = _LINE.match(text, at)
        end = found.end() if found else text.find("\n", at)
        end = len(text) if end < 0 else end
        written = text[at:end].strip()
        if found:
            yield line, found["name"], _value(found)
        elif written and not written.startswith("#"):
            yield line, None, ""
        line += text.count("\n", at, end) + 1
        at = end + 1


def _value(found: re.Match[str]) -> str:
    if found["raw"] is not None:
        return found["raw"]
    if found["quoted"] is not None:
        return re.sub(r"\\(.)", lambda one: _ESCAPES.get(one[1], one[1]), found["quoted"], flags=re.DOTALL)
    return _COMMENT.sub("", found["plain"] or "").strip()
