"""The transcript of a trial under way: written as it happens, for others to read, and kept when the process dies."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import monotonic

from tests.runfile.writing import call, ended, planned
from trialkit.models import Reply
from trialkit.runfile import Event, RunFile, RunWriter


def kinds(path: Path, trial_id: int = 1) -> list[str]:
    with RunFile(path) as run:
        return [event.kind for event in run.transcript(trial_id)]


def happened(*names: str) -> Sequence[Event]:
    return [Event(kind=name, data={}) for name in names]


async def started(path: Path) -> RunWriter:
    writer = RunWriter(path)
    await writer.start()
    return writer


async def test_events_come_with_the_next_call_of_any_trial(tmp_path: Path) -> None:
    path = planned(tmp_path / "x.trial", trials=2)
    writer = await started(path)
    writer.begin(1)
    writer.events(1, happened("one", "two"))
    await writer.call(call(2, Reply()))
    writer.events(1, happened("three"))
    assert kinds(path) == ["one", "two"]
    with RunFile(path) as run:
        assert run.trial(1).started
        assert run.trial(1).ended is None
    await writer.trial(1, ended(), 1.0)
    assert kinds(path) == ["one", "two", "three"]
    await writer.finish("done", "", 1.0)


async def test_events_come_in_half_a_second_where_nothing_else_does(tmp_path: Path) -> None:
    path = planned(tmp_path / "x.trial")
    writer = await started(path)
    for name in ("one", "two"):
        writer.begin(1) if name == "one" else None
        writer.events(1, happened(name))
        until = monotonic() + 5
        begun = monotonic()
        while name not in kinds(path):
            assert monotonic() < until
            await asyncio.sleep(0.01)
        assert monotonic() - begun < 1.0
    await writer.finish("stopped", "", 1.0)


async def test_events_that_still_wait_are_written_at_the_end_of_the_session(tmp_path: Path) -> None:
    path = planned(tmp_path / "x.trial")
    writer = await started(path)
    writer.begin(1)
    writer.events(1, happened("one"))
    await writer.finish("stopped", "interrupted", 1.0)
    assert kinds(path) == ["one"]


async def test_another_attempt_begins_anew(tmp_path: Path) -> None:
    path = planned(tmp_path / "x.trial", trials=2)
    for names in (["first", "more", "most"], ["second"]):
        writer = await started(path)
        writer.begin(1)
        writer.events(1, happened(*names))
        await writer.finish("stopped", "", 1.0)
        assert kinds(path) == names


async def test_a_trial_that_is_only_judged_again_keeps_its_attempt(tmp_path: Path) -> None:
    path = planned(tmp_path / "x.trial")
    for text, names in (("first", ["message", "reply"]), ("second", ["reply"])):
        writer = await started(path)
        writer.begin(1, anew=text == "first")
        await writer.call(call(1, Reply(text=text), "asked"))
        writer.events(1, [Event(kind=name, data={"request_key": "asked", "nth": 0}) for name in names])
        await writer.finish("stopped", "", 1.0)
    assert kinds(path) == ["message", "reply", "reply"]
    with RunFile(path) as run:
        assert [event.data.get("text") for event in run.transcript(1)] == [None, "first", "second"]


async def test_what_was_said_to_an_attempt_that_is_forgotten_stands_in_no_transcript(tmp_path: Path) -> None:
    path = planned(tmp_path / "x.trial")
    for text in ("void", "newest"):
        writer = await started(path)
        writer.begin(1)
        await writer.call(call(1, Reply(text=text), "asked"))
        writer.events(1, [Event(kind="reply", data={"request_key": "asked", "nth": 0})])
        await writer.finish("stopped", "", 1.0)
    with RunFile(path) as run:
        assert [event.data["text"] for event in run.transcript(1)] == ["newest"]


async def test_an_event_is_kept_as_it_was_when_it_happened(tmp_path: Path) -> None:
    path = planned(tmp_path / "x.trial")
    writer = await started(path)
    said = ["hello"]
    writer.begin(1)
    writer.events(1, [Event(kind="message", data={"said": said})])
    said.append("and later")
    await writer.finish("done", "", 1.0)
    with RunFile(path) as run:
        assert run.transcript(1)[0].data == {"said": ["hello"]}


def test_a_kill_keeps_what_happened(tmp_path: Path) -> None:
    path = planned(tmp_path / "x.trial")
    dying = (
        "import asyncio, os, sys\n"
        "from pathlib import Path\n"
        "from trialkit.runfile import Event, RunWriter\n"
        "async def main():\n"
        "    writer = RunWriter(Path(sys.argv[1]))\n"
        "    await writer.start()\n"
        "    writer.begin(1)\n"
        "    writer.events(1, [Event(kind='message', data={'text': 'hello'})])\n"
        "    await asyncio.sleep(1.5)\n"
        "    os.kill(os.getpid(), 9)\n"
        "asyncio.run(main())\n"
    )
    assert subprocess.run([sys.executable, "-c", dying, str(path)], check=False, env=os.environ).returncode == -9
    with RunFile(path) as run:
        assert [event.data for event in run.transcript(1)] == [{"text": "hello"}]
        assert run.info().state == "running"
        assert run.trial(1).ended is None
