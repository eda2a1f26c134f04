"""Run files that a disk, a program or a person damaged: each command says so, or reads what there is."""

import random
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from tests.attack.children import run

_ODD: Sequence[Any] = (
    None,
    "",
    "x",
    "{}",
    "[]",
    "null",
    "[1]",
    '{"a": 1}',
    -1,
    0,
    2**62,
    1.5,
    1e308,
    b"\x00\xff",
    "\ud83c",
    "9" * 400,
)
COMMANDS: Sequence[Sequence[str]] = (
    ("report", "RUN", "--format", "json"),
    ("report", "RUN"),
    ("report", "RUN", "--format", "csv"),
    ("compare", "RUN", "whole.trial"),
    ("align", "RUN"),
    ("label", "RUN", "-o", "drawn.csv"),
    ("replay", "RUN"),
    ("resume", "RUN"),
    ("rejudge", "RUN", "--judge", "rules"),
    ("runs", "."),
    ("trend", "."),
)


def _bytes(draw: random.Random, path: Path) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(draw.choice((1, 10, 200))):
        data[draw.randrange(len(data))] = draw.randrange(256)
    path.write_bytes(data)


def _page(draw: random.Random, path: Path) -> None:
    data = bytearray(path.read_bytes())
    start = draw.randrange(len(data) // 4096) * 4096
    data[start : start + 4096] = draw.choice((bytes(4096), draw.randbytes(4096), data[:4096]))
    path.write_bytes(data)


def _cut(draw: random.Random, path: Path) -> None:
    path.write_bytes(path.read_bytes()[: draw.randrange(path.stat().st_size)])


def _cells(draw: random.Random, path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for _ in range(draw.choice((1, 1, 3, 10))):
            table = draw.choice(tables)
            columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
            with suppress(sqlite3.Error, UnicodeEncodeError):  # some the file itself refuses
                where = draw.choice(("1", "rowid = (SELECT max(rowid) FROM {t})", "rowid % 2")).format(t=table)
                if draw.random() < 0.2:
                    db.execute(f"DELETE FROM {table} WHERE {where}")
                else:
                    db.execute(f"UPDATE {table} SET {draw.choice(columns)} = ? WHERE {where}", [draw.choice(_ODD)])


def _schema(draw: random.Random, path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        table = draw.choice(tables)
        with suppress(sqlite3.Error):
            db.execute(
                draw.choice(
                    (
                        f"DROP TABLE {table}",
                        f"ALTER TABLE {table} RENAME TO other",
                        f"PRAGMA user_version = {draw.choice((0, 1, 2, 99))}",
                    )
                )
            )


WAYS: Sequence[Callable[[random.Random, Path], None]] = (_bytes, _page, _cut, _cells, _cells, _cells, _schema)


def damaged(folder: Path, whole: Path, seed: int, commands: int) -> list[str]:
    """What must not happen and did, with a file that was damaged in a way drawn with this seed."""
    draw = random.Random(seed)
    folder.mkdir(parents=True)
    shutil.copy(whole, folder / "whole.trial")
    way = draw.choice(WAYS)
    shutil.copy(whole, folder / "hurt.trial")
    way(draw, folder / "hurt.trial")
    hurt = (folder / "hurt.trial").read_bytes()
    faults = []
    for command in draw.sample(COMMANDS, commands):
        (folder / "hurt.trial").write_bytes(hurt)
        done = run(folder, *("hurt.trial" if part == "RUN" else part for part in command))
        if done.fault:
            faults.append(f"{way.__name__} {seed}, {' '.join(command)}: {done.fault}")
    shutil.rmtree(folder)
    return faults
