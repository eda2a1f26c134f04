"""Reading a database file into rows that look as tau2's own models would print them."""

import functools
from collections.abc import Mapping
from pathlib import Path

from pydantic import TypeAdapter

from trialkit.errors import InputError
from trialkit.suites.tau.common.database import Row
from trialkit.suites.tau.v2.reading import value_of
from trialkit.text.checked import checked


class RowTypes:
    """A domain's database: the type of each table's rows, and which fields are null until a tool writes them."""

    def __init__(self, tables: Mapping[str, type], nulls: Mapping[str, tuple[str, ...]]) -> None:
        self._types = tables
        self._nulls = nulls

    @functools.cached_property
    def _rows(self) -> Mapping[str, TypeAdapter[Row]]:
        """Made when first needed: whoever lists the suites reads no database."""
        return {table: TypeAdapter(row) for table, row in self._types.items()}

    def row(self, table: str, raw: object) -> Row:
        """One row in the database's form; ValidationError if it does not fit."""
        return self._filled(table, self._rows[table].validate_python(raw))

    def read(self, file: Path) -> dict[str, dict[str, Row]]:
        """Every table of `db.json` or `db.toml`. Numbers become what the reference holds: a price of 5 is 5.0."""
        raw = value_of(file)
        if not isinstance(raw, dict) or raw.keys() != self._rows.keys():
            found = ", ".join(raw) if isinstance(raw, dict) else type(raw).__name__
            raise InputError(
                f"{file}: expected the tables {', '.join(self._rows)}, found {found}; is this another domain?"
            )
        return {table: self._table(table, raw[table], file) for table in self._rows}

    def _table(self, table: str, raw: object, file: Path) -> dict[str, Row]:
        kept = checked(TypeAdapter(dict[str, object]), raw, file, table)
        kind = self._rows[table]
        return {key: self._filled(table, checked(kind, row, file, table, key)) for key, row in kept.items()}

    def _filled(self, table: str, row: Row) -> Row:
        for field in self._nulls.get(table, ()):
            row.setdefault(field, None)
        return row
