"""Long texts of a run are kept once and compressed; whoever reads the run sees nothing of it."""

import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.runfile.writing import call, ended, planned
from trialkit.errors import InputError
from trialkit.models import Reply
from trialkit.runfile import Event, RunFile, RunWriter

LONG = 'a "quoted" line\n\\ and {"$text":"x"}; ' * 10_000


async def run_of(path: Path) -> tuple[dict[str, object], tuple[Event, ...]]:
    output: dict[str, object] = {"text": LONG, "again": [LONG], LONG: 1, "short": "x", "mark": {"$text": "0" * 64}}
    events = (Event(kind="message", data={"text": LONG}),)
    writer = RunWriter(planned(path))
    await writer.start()
    writer.begin(1)
    await writer.call(call(1, Reply(text=LONG)))
    writer.events(1, [*events, Event(kind="reply", data={"request_key": "r", "nth": 0})])
    record = ended()
    await writer.trial(1, type(record)(output=output, verdicts=(), started=record.started, elapsed_s=1), 1.0)
    await writer.finish("done", "", 1.0)
    return output, events


async def test_a_long_text_is_kept_once_and_read_everywhere(tmp_path: Path) -> None:
    path = tmp_path / "x.trial"
    output, events = await run_of(path)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*), sum(length(zlib)) < 10000 FROM texts").fetchone() == (1, 1)
        assert path.stat().st_size < 2 * len(LONG)  # the name of a field stays where it is
    with RunFile(path) as run:
        (told, reply) = run.transcript(1)
        assert (told, reply.data["text"], run.events("message")) == (events[0], LONG, [told])
        assert run.calls()[0].reply == Reply(text=LONG)
        assert run.trial(1).output == run.trials()[0].output == next(run.stream()).output == output


@pytest.mark.parametrize(
    ("blob", "why"),
    [
        (lambda: b"no zlib", "Error -3"),
        (lambda: zlib.compress(b"x" * 100_000)[:-9], "cut short"),
        (lambda: zlib.compress(bytes(2**28 + 1), level=1), "longer"),
    ],
    ids=["damaged", "cut", "bomb"],
)
async def test_a_long_text_that_is_damaged_is_told(tmp_path: Path, blob: Callable[[], bytes], why: str) -> None:
    path = tmp_path / "x.trial"
    await run_of(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE texts SET zlib = ?", (blob(),))
    with RunFile(path) as run, pytest.raises(InputError, match=f"damaged: a long text.*{why}"):
        run.trials()
