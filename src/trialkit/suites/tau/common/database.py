"""A trial's own view of a database that all trials share: only what it writes is copied."""

from collections.abc import Iterator, Mapping
from typing import Any

Row = dict[str, Any]
#: table → key → row, as read from the source; loaded once per process and never mutated.
Tables = Mapping[str, Mapping[str, Row]]
#: table → key → row, of those that are not as they were.
Changes = dict[str, dict[str, Row]]

#: Far above any row's nesting and far below what exhausts the call stack.
_MAX_LEVELS = 200


def copied(value: Any, levels: int = _MAX_LEVELS) -> Any:
    """A deep copy of a JSON value; several times faster than copy.deepcopy, which has to remember shared parts."""
    if not isinstance(value, dict | list):
        return value
    if levels <= 0:
        raise RecursionError("the value is nested too deeply")
    if isinstance(value, dict):
        return {key: copied(part, levels - 1) for key, part in value.items()}
    return [copied(part, levels - 1) for part in value]


def same(one: Any, other: Any, *, ordered: bool = False) -> bool:
    """Whether two JSON values are written the same: 1, 1.0 and true are three values. `ordered`: keys in order too."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        if one.keys() != other.keys() or (ordered and list(one) != list(other)):
            return False
        return all(same(part, other[key], ordered=ordered) for key, part in one.items())
    if isinstance(one, list):
        if len(one) != len(other):
            return False
        return all(same(part, other[number], ordered=ordered) for number, part in enumerate(one))
    # By text, as the reference hashes it: NaN is itself and -0.0 is not 0.0.
    return repr(one) == repr(other) if isinstance(one, float) else bool(one == other)


class View:
    """One trial's view of the tables. Opening it costs no more than an empty dict."""

    __slots__ = ("_base", "_written")

    def __init__(self, tables: Tables) -> None:
        self._base = tables
        self._written: dict[str, dict[str, Row]] = {}

    def has(self, table: str, key: str) -> bool:
        return key in self._base[table] or key in self._written.get(table, ())

    def row(self, table: str, key: str) -> Row:
        """For reading; callers must not mutate it. KeyError if there is none."""
        written = self._written.get(table)
        if written is not None and key in written:
            return written[key]
        return self._base[table][key]

    def edit(self, table: str, key: str) -> Row:
        """For writing: this view's own copy, made at the first call. KeyError if there is none."""
        written = self._written.setdefault(table, {})
        if key not in written:
            written[key] = copied(self._base[table][key])
        return written[key]

    def put(self, table: str, key: str, row: Row) -> None:
        """A new row, or one in place of the old."""
        if table not in self._base:
            raise KeyError(table)
        self._written.setdefault(table, {})[key] = row

    def rows(self, table: str) -> Iterator[tuple[str, Row]]:
        """Every row, for reading: the base's in its order, then the new ones in theirs."""
        base, written = self._base[table], self._written.get(table, {})
        for key, row in base.items():
            yield key, written.get(key, row)
        for key, row in written.items():
            if key not in base:
                yield key, row

    def changed(self, *, ordered: bool = False) -> Changes:
        """Every row that is new or not the same as in the base, as copies; one written back as it was is left out."""
        found: Changes = {}
        for table, written in self._written.items():
            base = self._base[table]
            rows = {
                key: copied(row)
                for key, row in written.items()
                if key not in base or not same(row, base[key], ordered=ordered)
            }
            if rows:
                found[table] = rows
        return found
