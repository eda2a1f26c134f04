"""What a suite's file names that lies elsewhere, or is somebody's code: tried before anything is paid."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from jsonschema import SchemaError
from jsonschema.validators import validator_for

from trialkit.code import load_object
from trialkit.errors import InputError
from trialkit.text.json import JsonObject, read_json
from trialkit.text.short import shortened
from trialkit.text.template import pieces

from .asking import Asking, file_column
from .cases import CaseRow
from .document import KeyFault
from .tools import open_tools, read_tools

#: So many pictures that cannot be had are told of one by one.
_MOST_TOLD = 20


def tools_in(listed: str | Sequence[str | JsonObject], folder: Path) -> tuple[list[str | JsonObject], list[KeyFault]]:
    """As the run file keeps them, each looked at by itself."""
    found, problems = list[str | JsonObject](), list[KeyFault]()
    for number, one in enumerate([listed] if isinstance(listed, str) else listed):
        try:
            read = read_tools([one], folder)
            open_tools(read, folder)
            found += read
        except InputError as error:
            problems.append((("tools",) if isinstance(listed, str) else ("tools", number), str(error)))
    if not problems:
        try:
            open_tools(found, folder)
        except InputError as error:
            problems.append((("tools",), str(error)))
    return found, problems


def schema_in(output: str | JsonObject, folder: Path) -> tuple[JsonObject | None, list[KeyFault]]:
    """The JSON schema of the answer."""
    try:
        schema = read_json(folder / output, "name a file with a JSON schema") if isinstance(output, str) else output
        if not isinstance(schema, dict):
            return None, [(("output",), f"{output}: holds no JSON schema; write {{type: object, properties: …}}")]
        validator_for(schema).check_schema(schema)
    except InputError as error:
        return None, [(("output",), str(error))]
    except SchemaError as error:
        place = "".join(f"{step}: " for step in error.absolute_path)
        return None, [(("output", *error.absolute_path), f"no JSON schema: {place}{shortened(error.message, 200)}")]
    return schema, []


def baseline_faults(named: str | None, folder: Path) -> Iterator[KeyFault]:
    try:
        if named is not None and not callable(load_object(named, "baseline", folder)):
            yield ("baseline",), f"{named} is no function; name one that takes a case and gives an answer"
    except InputError as error:
        yield ("baseline",), str(error)


def picture_faults(templates: Sequence[str], folder: Path, rows: Sequence[CaseRow]) -> list[str]:
    """Of each picture or PDF that cannot be had, the case and why."""
    columns = {file_column(part.text) for one in templates for part in pieces(one) if part.is_column} - {""}
    told = list[str]()
    for row in rows:
        for column in sorted(columns & row.cells.keys()):
            try:
                Asking(templates=(), folder=folder).file(column, row.cells[column])
            except InputError as error:
                told.append(f"{row.at(column)}: {error}")
    more = len(told) - _MOST_TOLD
    return told if more <= 0 else [*told[:_MOST_TOLD], f"{more} more pictures or PDFs cannot be had"]
