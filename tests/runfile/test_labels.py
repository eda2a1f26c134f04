"""Labels by several people at once, also while the run goes on."""

import os
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from tests.runfile.test_kept_files import written
from tests.runfile.writing import planned
from trialkit.runfile import Label, RunFile, RunWriter, run_lock, write_labels

_RUN = """
import asyncio, sys
from pathlib import Path
from trialkit.models import Reply
from trialkit.runfile import CallRecord, Event, RunWriter, TrialRecord, run_lock
path = Path(sys.argv[1])

def call(key):
    return CallRecord(trial_id=1, phase="attempt", role="r", model="m", request_key=key, nth=0, source="live",
                      reply=Reply(text="x"), error_kind=None, error=None, attempts=1, latency_s=0.1)

async def session(number):
    writer = RunWriter(path)
    await writer.start()
    writer.begin(1)
    for place in range(20):
        writer.events(1, [Event(kind="message", data={"place": place})])
        await writer.call(call(f"{number} {place}"))
    await writer.trial(1, TrialRecord(output={}, verdicts=(), started="", elapsed_s=1.0), 1.0)
    await writer.finish("stopped", "", 1.0)

for number in range(15):
    with run_lock(path):
        asyncio.run(session(number))
"""
_ANNOTATE = """
import sys
from pathlib import Path
from trialkit.runfile import Label, write_labels
for place in range(150):
    label = Label(annotator=f"{sys.argv[2]} {place // 10}", outcome="pass", critique=str(place))
    write_labels(Path(sys.argv[1]), [(place % 10 + 1, label)], {place % 10 + 1: "random"})
"""
_WATCH = """
import sys
from pathlib import Path
from trialkit.runfile import RunFile
seen = 0
for _ in range(150):
    with RunFile(Path(sys.argv[1])) as run, run.moment():
        run.results(since=seen), run.counts(), run.transcript(1)
        seen = run.change()
"""


def test_two_annotators_and_a_run_in_progress_lose_nothing(tmp_path: Path) -> None:
    """The run begins and ends again and again meanwhile: it takes its journal up and folds it back each time."""
    path = planned(tmp_path / "x.trial", trials=10)
    programs = [(_RUN,), (_ANNOTATE, "ann"), (_ANNOTATE, "bob"), (_WATCH,)]
    processes = [
        subprocess.Popen([sys.executable, "-c", program, str(path), *more], env=os.environ, stderr=subprocess.PIPE)
        for program, *more in programs
    ]
    faults = [process.communicate(timeout=100)[1].decode() for process in processes]
    assert faults == [""] * 4
    with RunFile(path) as run:
        assert len(run.calls()) == 15 * 20
        assert len(run.transcript(1)) == 20
        labels = [(label.annotator, trial.number) for trial in run.trials() for label in trial.labels]
        assert sorted(labels) == sorted(
            (f"{who} {place // 10}", place % 10 + 1) for who in ("ann", "bob") for place in range(150)
        )
        assert sum(len(trial.remarks) for trial in run.trials()) == 300
    assert [file.name for file in tmp_path.iterdir()] == ["x.trial"]


async def test_a_run_begins_though_somebody_writes_a_label_just_now(tmp_path: Path) -> None:
    path = planned(tmp_path / "x.trial")
    writing = threading.Event()

    def annotate() -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("BEGIN IMMEDIATE")
            db.execute("INSERT INTO labels VALUES (1, 'a', 0, 'pass', NULL, '', '')")
            writing.set()
            time.sleep(0.5)
            db.execute("COMMIT")

    with ThreadPoolExecutor() as pool:
        annotated = pool.submit(annotate)
        writing.wait()
        writer = RunWriter(path)
        await writer.start()
        await writer.finish("done", "", 1.0)
        annotated.result()
    with RunFile(path) as run:
        assert run.trial(1).labels


def test_a_label_needs_no_end_of_the_run(tmp_path: Path) -> None:
    path = planned(tmp_path / "x.trial")
    label = Label(annotator="a", outcome="pass", critique="")
    with run_lock(path):
        write_labels(path, [(1, label)], {})
    with RunFile(path) as run:
        assert run.trial(1).labels == (label,)


def test_a_file_of_an_older_version_is_left_to_the_run_that_writes_it(tmp_path: Path) -> None:
    """Whoever writes it knows nothing of columns that are new."""
    path = written("v2", tmp_path)
    before = path.read_bytes()
    with run_lock(path):
        done = subprocess.run(
            [sys.executable, "-c", _ANNOTATE, str(path), "ann"], env=os.environ, check=False, capture_output=True
        )
    assert b"going on in another process" in done.stderr
    assert path.read_bytes() == before


def test_a_trial_that_was_drawn_at_random_stays_so_whatever_it_is_picked_for_besides(tmp_path: Path) -> None:
    path = planned(tmp_path / "x.trial")
    for how in ("disagree", "failed", "hunted", "random", "passed"):
        write_labels(path, [(1, Label(annotator="a", outcome="pass", critique=""))], {1: how})
        with RunFile(path) as run, closing(sqlite3.connect(path)) as db:
            drawn = run.results()[0].drawn
            assert drawn == {"hunted": "failed", "passed": "random"}.get(how, how)
            assert db.execute("SELECT drawn FROM labels_by_trial").fetchall() == [(drawn,)]
