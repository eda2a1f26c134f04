from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialkit.errors import InputError
from trialkit.text.csvfile import read_table, write_rows

DANGEROUS = tuple("=+-@\t\r\n＝＋－＠")  # noqa: RUF001 - the full-width signs are meant
CELLS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    st.text(st.sampled_from("'=+-@\t\r\n＝,\" a")),  # noqa: RUF001 - as above
)


def _read(text: str) -> list[tuple[str, ...]]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_bytes(text.encode())
        table = read_table(path)
    assert table.broken is None
    return [table.columns, *(row.cells for row in table.rows)]


NAMES = CELLS.map(lambda cell: f"{cell}x")
TABLES = (
    st.integers(1, 4)
    .flatmap(lambda width: st.tuples(st.tuples(*[NAMES] * width), st.lists(st.tuples(*[CELLS] * width), max_size=5)))
    .map(lambda table: [table[0], *table[1]])
)


@given(TABLES)
def test_any_table_is_read_back_as_it_was_written(table: list[tuple[str, ...]]) -> None:
    assert _read(write_rows(table[0], table[1:])) == table


@given(CELLS)
def test_no_written_cell_starts_a_formula(cell: str) -> None:
    written = write_rows(["Column"], [[cell]])
    data = written.removeprefix("Column\r\n").removeprefix('"')
    assert not data.removesuffix("\r\n").startswith(DANGEROUS)


def test_a_formula_of_another_program_is_read_as_it_stands() -> None:
    assert _read("a,b\n=1+1,'=1+1\n") == [("a", "b"), ("=1+1", "=1+1")]


def test_empty_cells_right_of_the_table_are_dropped() -> None:
    assert _read("a,b,, \n1,2,,\n3,,,\n4,5\n6,7,,8\n") == [
        ("a", "b"),
        ("1", "2"),
        ("3", ""),
        ("4", "5"),
        ("6", "7", "", "8"),
    ]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Scenario ID;Trial\nS01;1\n", "semicolons"),
        ('\ufeff"Trial";"Scenario ID"\r\n1;"a;b"\r\n', "semicolons"),
        ("Trial\tScenario ID\tx, y\n", "tabs"),
    ],
)
def test_another_delimiter_is_named(tmp_path: Path, text: str, name: str) -> None:
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8", newline="")
    with pytest.raises(InputError) as error:
        read_table(path)
    assert str(error.value).startswith(f"{path}:1: the cells are separated by {name}, not by commas; save it")


def test_rows_know_the_line_they_start_on(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(b'\xef\xbb\xbfa,b\r\n"one\r\ntwo",x\r\n\r\nlast,y\r\n')
    table = read_table(path)
    assert table.columns == ("a", "b")
    assert [(row.line, row.cells[0]) for row in table.rows] == [(2, "one\r\ntwo"), (5, "last")]


def test_cells_beyond_the_limit_of_the_csv_module_are_read() -> None:
    assert _read(write_rows(["a"], [["x" * 300_000]]))[1] == ("x" * 300_000,)


def test_a_quote_that_is_not_closed_names_the_line_where_it_opened(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text('a,b\n1,2\n3,"open\n5,6\n')
    table = read_table(path)
    assert [row.cells for row in table.rows] == [("1", "2")]
    assert table.broken is not None
    assert table.broken.startswith(f"{path}:3: ")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file is empty"),
        (b"\n\n", "the file is empty"),
        (b"a,b\n1,\xff\n", ":2: byte 7 (0xff) is not UTF-8"),
        (b"\xef\xbb\xbfa\n\xff", ":2: byte 6 (0xff) is not UTF-8"),
        ("a,b".encode("utf-16"), ":1: byte 1 (0xff) is not UTF-8"),
    ],
)
def test_a_file_without_a_table_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        read_table(path)
    assert said in str(error.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.csv: cannot be read: No such .*; give the path of a CSV file$"):
        read_table(tmp_path / "none.csv")
