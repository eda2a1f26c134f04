"""Run files that a disk, a program or a person damaged: each command says so, or reads what there is."""

import random
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from tests.attack.children import run
from tests.attack.hostile import in_json

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
    ("show", "RUN"),
    ("show", "RUN", "whole.trial"),
    ("compare", "RUN", "whole.trial", "whole.trial"),
    ("report", "RUN", "--format", "html", "-o", "page.html"),
    ("report", "RUN", "--format", "junit"),
    ("report", "RUN", "--format", "parquet", "-o", "trials.parquet"),
)
#: A suite in a file: what it is made of stands in the run file, which is read for every report.
SUITE = """
cases: [{id: 1, text: a, team: x}, {id: 2, text: b, team: y}, {id: 3, text: c, team: x}]
prompt: "Sort {{ text }}"
judges: {team: {label: "{{ team }}", classes: [x, y]}, size: {number: 1, within: 2}, polite: {contains: [a]}}
baseline: answers.py:answer
settings: {trials: 2}
"""


def whole_run(folder: Path, *, of_file: bool) -> Path:
    """The run that is damaged: of a suite of ours, or of one in a file."""
    (folder / "suite.yaml").write_text(SUITE)
    (folder / "answers.py").write_text("def answer(case):\n    return f'1 {case}'[:9] + 'x'\n")
    done = run(folder, "run", "suite.yaml" if of_file else "commodity", "--model", "baseline", "--trials", "2")
    if done.status:
        raise AssertionError(done.text)
    return next((folder / "eval_results").glob("*.trial"))


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


def _json(draw: random.Random, path: Path) -> None:
    """A value inside of what stands in a cell as JSON; half of them in what says most."""
    with closing(sqlite3.connect(path)) as db, db:
        cells = [
            (table, column, text)
            for table in ("run", "cases", "events", "calls", "trials", "verdicts")
            for column in [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
            for (text,) in db.execute(f"SELECT {column} FROM {table}")
            if isinstance(text, str) and text[:1] in {"{", "["}
        ]
        of_run = [cell for cell in cells if cell[0] == "run"]
        table, column, text = draw.choice(of_run if draw.random() < 0.5 else cells)
        with suppress(sqlite3.Error, UnicodeEncodeError):
            db.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", (in_json(draw, text), text))


WAYS: Sequence[Callable[[random.Random, Path], None]] = (
    _bytes,
    _page,
    _cut,
    _cells,
    _cells,
    _cells,
    _json,
    _json,
    _json,
    _schema,
)


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
