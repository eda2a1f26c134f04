"""Rows of cells."""

from dataclasses import dataclass

from .cells import Cell, Prose, as_cell


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell | str, ...], ...]
    note: str = ""
    below: str = ""  # the column that has a line of its own under each row in a terminal: it would fit nowhere else

    def column(self, place: int) -> list[Cell]:
        return [as_cell(row[place]) for row in self.rows]

    def is_prose(self, place: int) -> bool:
        return any(isinstance(cell, Prose) for cell in self.column(place))
