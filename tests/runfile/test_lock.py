"""Who may write a run, and what kills leave beside it."""

import os
import subprocess
import sys
import time
from errno import EROFS
from pathlib import Path

import pytest

from tests.runfile.writing import planned
from trialkit.errors import InputError, TrialkitError
from trialkit.runfile import RunFile, clear_leftovers, find_leftovers, is_going_on, refuse_going_on, run_lock

_HOLD = """
import sys
from pathlib import Path
from trialkit.runfile import run_lock
with run_lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""
_DAY_S = 24 * 3600


def holding(path: Path, **env: str) -> "subprocess.Popen[bytes]":
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(path)],
        env=os.environ | env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    return process


def make_old(*files: Path) -> None:
    for file in files:
        os.utime(file, (time.time() - _DAY_S, time.time() - _DAY_S))


def test_the_lock_lies_where_the_file_lies(tmp_path: Path) -> None:
    """Whoever has another cache folder, home or temporary folder is locked out too, and is told by whom."""
    path = planned(tmp_path / "x.trial")
    with holding(path, TRIALKIT_CACHE_DIR=str(tmp_path / "other"), TMPDIR=str(tmp_path)) as process:
        assert is_going_on(path)
        holder = rf"\(process {process.pid} on \S+, since 20..-..-.. .*UTC\)"
        with pytest.raises(InputError, match=f"another process {holder}"):
            refuse_going_on(path)
        link = tmp_path / "link.trial"
        link.symlink_to(path)
        with pytest.raises(InputError, match=f"{process.pid}"), run_lock(link):
            pass
        process.communicate(b"")
    refuse_going_on(path)
    link.unlink()
    assert list(tmp_path.iterdir()) == [path]


def test_a_lock_that_a_kill_left_holds_nobody_up(tmp_path: Path) -> None:
    path = planned(tmp_path / "x.trial")
    with holding(path) as process:
        process.kill()
        process.communicate()
    (left,) = tmp_path.glob(".*")
    assert not is_going_on(path)
    with run_lock(path):
        pass
    assert not left.exists()


def test_whoever_waits_for_a_lock_that_is_removed_takes_the_new_one(tmp_path: Path) -> None:
    """Else two would hold a lock each: one on the file that is there, one on the file that was."""
    path, count = tmp_path / "x.trial", tmp_path / "count"
    count.write_text("0")
    turns = """
import sys
from pathlib import Path
from trialkit.errors import InputError
from trialkit.runfile import run_lock
path, count = Path(sys.argv[1]), Path(sys.argv[2])
done = 0
while done < 200:
    try:
        with run_lock(path):
            seen = int(count.read_text())
            count.write_text(str(seen + 1))
            done += 1
    except InputError:
        pass
"""
    taken = [subprocess.Popen([sys.executable, "-c", turns, str(path), str(count)]) for _ in range(3)]
    assert [one.wait(60) for one in taken] == [0, 0, 0]
    assert count.read_text() == "600"


def test_where_no_lock_can_be_the_message_says_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, nowhere = tmp_path / "x.trial", tmp_path / "no" / "x.trial"
    with pytest.raises(TrialkitError, match=r"locked by .*no/\.x\.trial\.lock: No such"), run_lock(nowhere):
        pass

    def read_only(*_: object) -> int:
        raise OSError(EROFS, "Read-only file system")

    monkeypatch.setattr(os, "open", read_only)
    with pytest.raises(TrialkitError, match="Read-only file system; copy the run"), run_lock(path):
        pass
    assert not is_going_on(path)


def test_what_kills_left_is_cleared_and_nothing_else(tmp_path: Path) -> None:
    whole, begun = planned(tmp_path / "whole.trial"), tmp_path / "begun.trial"
    killed, held = tmp_path / "killed.trial", tmp_path / "held.trial"
    for empty in (begun, killed, held):
        empty.touch()
    drafts = [tmp_path / f"killed.trial.new{part}" for part in ("", "-wal", "-shm", "-journal")]
    mine = tmp_path / "mine.trial.new"
    for file in (*drafts, mine):
        file.write_text("x")
    stale = tmp_path / ".whole.trial.lock"
    export, new = tmp_path / "whole.csv.partial", tmp_path / "new.csv.partial"
    for file in (stale, export, new):
        file.touch()
    with holding(held) as process:
        make_old(whole, killed, held, stale, mine, export, *drafts, tmp_path / ".held.trial.lock")
        assert set(find_leftovers(tmp_path)) == {killed, stale, export, *drafts}
        assert set(clear_leftovers(tmp_path)) == {killed, stale, export, *drafts}
        assert find_leftovers(tmp_path) == []
        assert {file.name for file in tmp_path.iterdir()} == {
            "whole.trial", "begun.trial", "held.trial", ".held.trial.lock", "mine.trial.new", "new.csv.partial"
        }  # fmt: skip
        process.communicate(b"")
    with RunFile(whole) as run:
        assert run.cases()
