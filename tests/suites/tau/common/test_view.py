"""The view against what it stands for: a deep copy of the tables."""

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialkit.suites.tau.common.database import View, copied, same

KEYS = st.sampled_from(["a", "b", "c", "new", "newer"])
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3))
ROWS = st.dictionaries(KEYS, VALUES, max_size=3)
TABLE_NAMES = st.sampled_from(["one", "two"])
TABLES = st.fixed_dictionaries({name: st.dictionaries(KEYS, ROWS, max_size=3) for name in ("one", "two")})
STEPS = st.lists(
    st.tuples(st.just("put"), TABLE_NAMES, KEYS, ROWS) | st.tuples(st.just("edit"), TABLE_NAMES, KEYS, VALUES),
    max_size=8,
)


def written(value: Any) -> str:
    """What the reference would hash: text in which the order of keys does not matter."""
    if isinstance(value, dict):
        return f"{{{','.join(f'{key!r}:{written(value[key])}' for key in sorted(value))}}}"
    return f"[{','.join(map(written, value))}]" if isinstance(value, list) else repr(value)


@given(tables=TABLES, steps=STEPS)
def test_a_view_behaves_as_a_deep_copy_and_leaves_the_base_alone(
    tables: dict[str, dict[str, dict[str, Any]]], steps: list[tuple[str, str, str, Any]]
) -> None:
    pristine, model, view = copy.deepcopy(tables), copy.deepcopy(tables), View(tables)
    for kind, table, key, value in steps:
        assert view.has(table, key) == (key in model[table])
        if kind == "put":
            view.put(table, key, value)
            model[table][key] = copy.deepcopy(value)
        elif key in model[table]:
            view.edit(table, key)["a"] = value
            model[table][key]["a"] = copy.deepcopy(value)
            assert written(view.row(table, key)) == written(model[table][key])
        else:
            with pytest.raises(KeyError):
                view.edit(table, key)
    assert written(tables) == written(pristine)
    for table, rows in model.items():
        assert list(view.rows(table)) == list(view.rows(table))
        assert [key for key, _ in view.rows(table)] == list(rows)
        assert written(dict(view.rows(table))) == written(rows)
    expected = {
        table: {key for key, row in rows.items() if written(row) != written(pristine[table].get(key))}
        for table, rows in model.items()
    }
    assert {table: set(rows) for table, rows in view.changed().items()} == {
        t: keys for t, keys in expected.items() if keys
    }


@given(one=VALUES, other=VALUES)
def test_same_means_written_the_same(one: Any, other: Any) -> None:
    assert same(one, one)
    assert same(one, other) == (written(one) == written(other))


@pytest.mark.parametrize(
    ("one", "other"), [(1, 1.0), (1, True), (0.0, -0.0), ([1], [1, 1]), ({"a": 1}, {"a": 1, "b": 1})]
)
def test_what_is_equal_in_python_may_be_written_differently(one: Any, other: Any) -> None:
    assert not same(one, other)


def test_the_order_of_keys_matters_only_if_asked_for() -> None:
    one, other = {"a": [{"b": 1, "c": 2}]}, {"a": [{"c": 2, "b": 1}]}
    assert same(one, other)
    assert not same(one, other, ordered=True)


def test_what_changed_is_a_copy() -> None:
    view = View({"t": {"k": {"list": [1]}}})
    view.edit("t", "k")["list"].append(2)
    view.changed()["t"]["k"]["list"].append(3)
    assert view.row("t", "k") == {"list": [1, 2]}


def test_a_row_of_an_unknown_table_cannot_be_put() -> None:
    with pytest.raises(KeyError):
        View({}).put("t", "k", {})


def test_nesting_that_would_exhaust_the_stack_is_refused() -> None:
    value: list[Any] = []
    for _ in range(5000):
        value = [value]
    with pytest.raises(RecursionError, match="nested too deeply"):
        copied(value)
