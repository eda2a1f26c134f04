"""The rows of a database, in the form that the source's own models give them; they are read, never run."""

from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, TypeAdapter

from trialkit.errors import InputError
from trialkit.suites.tau.common.database import Row
from trialkit.text.checked import checked

from .annotations import Annotations
from .source import value_of


class Rows:
    def __init__(self, data_model: Path) -> None:
        self._annotations = Annotations([data_model], discriminating=True)
        database = self._annotations.subclass_of("DB", data_model)
        #: Table → the model of its rows.
        self._tables: dict[str, type[BaseModel]] = {
            name: get_args(field.annotation)[1] for name, field in database.model_fields.items()
        }

    def row(self, table: str, raw: object) -> Row:
        """One row in the database's form; ValidationError if it does not fit."""
        return self._tables[table].model_validate(raw).model_dump()

    def part(self, model: str, raw: object) -> Row:
        """A part of a row, as the model of that name has it; ValidationError if it does not fit."""
        part: Row = self._annotations.named(model).model_validate(raw).model_dump()
        return part

    def read(self, file: Path) -> dict[str, dict[str, Row]]:
        """Every table of `db.json` or `db.toml`. Numbers become what the reference holds: a price of 5 is 5.0."""
        raw = value_of(file)
        if not isinstance(raw, dict) or raw.keys() != self._tables.keys():
            found = ", ".join(raw) if isinstance(raw, dict) else type(raw).__name__
            raise InputError(
                f"{file}: expected the tables {', '.join(self._tables)}, found {found}; is this another domain?"
            )
        return {table: _table(self._tables[table], raw[table], file, table) for table in self._tables}


def _table(model: type[BaseModel], raw: object, file: Path, name: str) -> dict[str, Row]:
    kind: TypeAdapter[dict[str, Any]] = TypeAdapter(dict[str, model])  # type: ignore[valid-type]  # made at run time
    rows: dict[str, Row] = kind.dump_python(checked(kind, raw, file, name))
    return rows
