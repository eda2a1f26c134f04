"""Suites in a file to begin with, for `trialkit init`: a folder of files in `starters` each, and a line here."""

from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable

from trialkit.suites.extras import Starter
from trialkit.text.json import pretty

from .schema import SCHEMA_FILE, schema_of_suites

#: Name → the command that runs it, offline and without a key.
STARTERS: Mapping[str, str] = {
    "classify": "trialkit run tickets.yaml --model baseline",
    "extract": "trialkit run invoices.yaml --model baseline",
    "answer": "trialkit run questions.yaml --model baseline",
    "tools": "trialkit run orders.yaml --model scripted:script.json",
    "conversation": "trialkit run repairs.yaml --agent oracle",
}


def file_starter(name: str) -> Starter:
    """With the schema beside the suite, by which an editor completes and checks it."""
    found = dict(sorted(_texts(files(__package__) / "starters" / name)))
    marked = {file: f"{editor_line()}\n{text}" if file.endswith(".yaml") else text for file, text in found.items()}
    return Starter(files={**marked, SCHEMA_FILE: pretty(schema_of_suites())}, command=STARTERS[name])


def editor_line() -> str:
    """What editors with a YAML language server look for."""
    return f"# yaml-language-server: $schema={SCHEMA_FILE}"


def _texts(folder: Traversable) -> Iterator[tuple[str, str]]:
    for file in folder.iterdir():
        if file.is_file() and not file.name.endswith(".pyc"):
            yield file.name, file.read_bytes().decode()
