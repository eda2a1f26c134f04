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
        #: Name → what the database has under it: rows by their keys, rows in a list, or one row by itself.
        self._kinds: dict[str, Any] = {
            name: field.annotation
            for name, field in self._annotations.subclass_of("DB", data_model).model_fields.items()
        }

    def row(self, name: str, raw: object) -> Row:
        """One row in the database's form; ValidationError if it does not fit."""
        return self._model(name).model_validate(raw).model_dump()

    def part(self, model: str, raw: object) -> Row:
        """A part of a row, as the model of that name has it; ValidationError if it does not fit."""
        part: Row = self._annotations.named(model).model_validate(raw).model_dump()
        return part

    def read(self, file: Path) -> dict[str, dict[str, Row]]:
        """Every table of `db.json` or `db.toml`. Numbers become what the reference holds: a price of 5 is 5.0."""
        raw = value_of(file)
        if not isinstance(raw, dict) or raw.keys() != self._kinds.keys():
            found = ", ".join(raw) if isinstance(raw, dict) else type(raw).__name__
            raise InputError(
                f"{file}: expected the tables {', '.join(self._kinds)}, found {found}; is this another domain?"
            )
        return {table: self._table(table, raw[table], file) for table in self._kinds}

    def read_single(self, file: Path) -> dict[str, Row]:
        """The rows that stand by themselves, by their names; what the file leaves out is as the models have it."""
        raw = checked(TypeAdapter(dict[str, object]), value_of(file), file)
        if strange := sorted(raw.keys() - self._kinds.keys()):
            raise InputError(f"{file}: expected {', '.join(self._kinds)}, found {strange[0]}; is this another domain?")
        return {
            name: checked(TypeAdapter(self._model(name)), raw.get(name, {}), file, name).model_dump()
            for name in self._kinds
        }

    def _table(self, name: str, raw: object, file: Path) -> dict[str, Row]:
        kind: TypeAdapter[Any] = TypeAdapter(self._kinds[name])
        rows = kind.dump_python(checked(kind, raw, file, name))
        if isinstance(rows, dict):
            return rows
        key = next(iter(self._model(name).model_fields))  # each model of tau2's begins with what it is known by
        return {row[key]: row for row in rows}

    def _model(self, name: str) -> type[BaseModel]:
        kind = self._kinds[name]
        model: type[BaseModel] = get_args(kind)[-1] if get_args(kind) else kind
        return model
