"""The cases of a suite as spreadsheets and editors of any country leave them, and what is wrong with them."""

import datetime as dt
import json
import os
import sys
from pathlib import Path

import pytest

from tests.packages import needs
from trialkit.errors import InputError
from trialkit.suites.files.cases import Naming, cases_of, inline_rows, read_rows

TABLE = (
    'Nr;Text;Team\r\n1;"Größe, oder; nicht?";Versand\r\n2;"Zeile\r\nzwei";Rechnung\r\n'
    "\r\n;;\r\n3;5 € zurück;Rückgabe\r\n"
)
ROWS = [
    {"Nr": "1", "Text": "Größe, oder; nicht?", "Team": "Versand"},
    {"Nr": "2", "Text": "Zeile\nzwei", "Team": "Rechnung"},
    {"Nr": "3", "Text": "5 € zurück", "Team": "Rückgabe"},
]
TABBED = TABLE.replace(";", "\t").replace("oder\t", "oder;")
JSON_FIX = "write one JSON value, with keys and texts in double quotes"
OBJECTS = json.dumps(ROWS, ensure_ascii=False)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("utf8.csv", TABLE.encode()),
        ("bom.csv", TABLE.encode("utf-8-sig")),
        ("german_excel.csv", TABLE.encode("cp1252")),
        ("sep.csv", f"sep=;\r\n{TABLE}".encode("cp1252")),
        ("utf16.csv", TABLE.encode("utf-16")),
        ("big_endian.csv", b"\xfe\xff" + TABLE.encode("utf-16-be")),
        ("no_mark.csv", TABLE.encode("utf-16-le")),
        ("unicode_text.txt", TABBED.encode("utf-16")),
        ("tabs.tsv", TABBED.encode()),
        ("lf.csv", TABLE.replace("\r\n", "\n").encode()),
        ("cr.csv", TABLE.replace("\r\n", "\r").encode()),
        ("rows.json", OBJECTS.encode("utf-8-sig")),
        ("powershell.json", OBJECTS.encode("utf-16")),
        ("rows.jsonl", "\r\n".join(["\ufeff" + json.dumps(ROWS[0]), *map(json.dumps, ROWS[1:]), ""]).encode()),
    ],
)
def test_the_same_cases_in_every_form(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    found = read_rows(tmp_path / name)
    assert [dict(row.cells) for row in found.rows] == ROWS
    assert list(found.columns) == list(ROWS[0])
    assert bool(found.notices) == (name in {"german_excel.csv", "sep.csv"})


@pytest.mark.parametrize(
    ("cell", "tags"),
    [
        ("long, german", ("long", "german")),
        (" a  b | c ||c,", ("a b", "c")),
        ("", ()),
        (None, ()),
        (["long, too", 2, ""], ("long, too", "2")),
    ],
)
def test_tags_are_separated_by_commas_or_bars_or_are_a_list(cell: object, tags: tuple[str, ...]) -> None:
    rows = inline_rows([{"id": "a", "Tags": cell, "mood": "x"}], [{"": "here"}])
    assert [case.tags for case in cases_of(rows, Naming())] == [tags]
    assert [case.tags for case in cases_of(rows, Naming(tags="mood"))] == [("x",)]


def test_a_folder_of_texts_of_any_encoding(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("Größe\r\nzwei".encode("utf-8-sig"))
    (tmp_path / "b.md").write_bytes("Größe\nzwei".encode("utf-16"))
    (tmp_path / "c.TXT").write_bytes("Größe\r\nzwei".encode("cp1252"))
    (tmp_path / "d.png").write_bytes(b"")
    found = read_rows(tmp_path)
    assert [row.cells["text"] for row in found.rows] == ["Größe\nzwei"] * 3
    assert [case.id for case in cases_of(found, Naming())] == ["a", "b", "c"]
    assert found.notices == [
        f"{tmp_path / 'c.TXT'}:1: not UTF-8; read as Windows-1252. If letters look wrong, save the file as UTF-8"
    ]


def test_a_folder_without_texts(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a folder without \.txt or \.md files; put a text for each case there"):
        read_rows(tmp_path)


def test_parquet(tmp_path: Path) -> None:
    needs("pyarrow", "uv sync --all-extras")
    import pyarrow as pa  # type: ignore[import-not-found,import-untyped,unused-ignore]  # noqa: PLC0415
    from pyarrow import parquet  # type: ignore[import-not-found,import-untyped,unused-ignore]  # noqa: PLC0415

    day = dt.date(2026, 1, 31)
    table = pa.table({"id": [1, 2], "text": ["Größe", None], "day": [day, None], "tags": [["a"], []]})
    parquet.write_table(table, tmp_path / "rows.parquet")
    assert [dict(row.cells) for row in read_rows(tmp_path / "rows.parquet").rows] == [
        {"id": 1, "text": "Größe", "day": "2026-01-31", "tags": ["a"]},
        {"id": 2, "text": None, "day": None, "tags": []},
    ]
    (tmp_path / "torn.parquet").write_bytes((tmp_path / "rows.parquet").read_bytes()[:-9])
    with pytest.raises(InputError, match=r"torn\.parquet: cannot be read as Parquet"):
        read_rows(tmp_path / "torn.parquet")


def test_hostile_parquet(tmp_path: Path) -> None:
    needs("pyarrow", "uv sync --all-extras")
    import pyarrow as pa  # noqa: PLC0415
    from pyarrow import parquet  # noqa: PLC0415

    parquet.write_table(pa.table({"day": pa.array([10**13], pa.timestamp("s"))}), tmp_path / "late.parquet")
    with pytest.raises(InputError, match=r"late\.parquet: cannot be read as Parquet: date value out of range"):
        read_rows(tmp_path / "late.parquet")
    os.mkfifo(tmp_path / "pipe.parquet")
    with pytest.raises(InputError, match=r"pipe\.parquet: a pipe, not a file"):
        read_rows(tmp_path / "pipe.parquet")
    again = pa.DictionaryArray.from_arrays(pa.array([0] * 2_000_000, pa.int32()), pa.array(["x" * 1000]))
    parquet.write_table(pa.table({"text": again}), tmp_path / "bomb.parquet", compression="zstd")
    assert (tmp_path / "bomb.parquet").stat().st_size < 500_000
    with pytest.raises(InputError, match=r"bomb\.parquet: unpacks to more than 500 MB; keep fewer cases in it"):
        read_rows(tmp_path / "bomb.parquet")


def test_parquet_without_its_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "rows.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError, match=r"needs pyarrow: pip install 'trialkit\[parquet\]'; or save it as CSV"):
        read_rows(tmp_path / "rows.parquet")


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.csv", "Text;Team\r\n;\r\n", ["a.csv: there are no cases; write a row for each"]),
        ("a.json", "[]", ["a.json: there are no cases; write a row for each"]),
        ("a.json", '[{"x": 1},\n {"x": y}]', [f"a.json:2:8: is not JSON: Expecting value; {JSON_FIX}"]),
        (
            "a.jsonl",
            '{"x": 1}\n{"x": }\n\n{"x": 1, "x": 2}\n',
            [
                f"a.jsonl:2:7: is not JSON: Expecting value; {JSON_FIX}",
                f'a.jsonl:4: is not JSON: the key "x" stands twice in one object; {JSON_FIX}',
            ],
        ),
    ],
)
def test_all_faults_of_a_file_stand_at_their_places(tmp_path: Path, name: str, text: str, told: list[str]) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError) as caught:
        read_rows(tmp_path / name)
    assert str(caught.value).replace(f"{tmp_path}/", "").splitlines() == told
