"""Runs under way, followed by pages: server-sent events.

However many pages follow a run, one watcher looks at its file, and reads it only when it has changed. Reading takes no
lock that the run waits for; what takes long to read is read more rarely, so that it is a small part of one processor.
"""

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import monotonic, thread_time

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import QueryParams
from starlette.types import Receive, Scope, Send

from trialkit.errors import TrialkitError
from trialkit.runfile import is_going_on

from .news import FollowedTrial, RunNews, read_run, read_trials
from .shelf import Shelf, file_stamp, wanted_trial

#: How often a file is looked at; and of its time a watcher takes at most this part to read the run's figures.
_LOOK_S = 0.5
_PART = 0.05
#: A page that takes nothing for so many events has gone, or asks again when it wakes up.
_MOST_WAITING = 50
_HEADERS = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store")]


@dataclass(eq=False, slots=True)
class _Follower:
    trial: int | None  # whose steps it shows, too
    waiting: asyncio.Queue[bytes | None] = field(default_factory=asyncio.Queue)
    run: RunNews | None = None  # what it has been told of the run …
    steps: FollowedTrial | None = None  # … and of the trial

    def tell(self, event: str, **data: object) -> None:
        self.waiting.put_nowait(f"event: {event}\ndata: {json.dumps(data)}\n\n".encode())

    def end(self) -> None:
        self.waiting.put_nowait(None)

    def tell_run(self, news: RunNews, followers: int) -> None:
        if news != self.run:
            self.run = news
            self.tell("run", **asdict(news), followers=followers)

    def tell_steps(self, now: FollowedTrial) -> None:
        """From the first that is not as it was."""
        had = () if self.steps is None else self.steps.steps
        if now != self.steps:
            self.steps, same = now, 0
            while same < min(len(had), len(now.steps)) and had[same] == now.steps[same]:
                same += 1
            self.tell("steps", first=same, steps=now.steps[same:], ended=now.ended)


class Following:
    """All that is followed. It lives in one event loop."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._watchers: dict[str, _Watcher] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        query = QueryParams(scope["query_string"])
        name = query.get("run", "")
        follower = _Follower(await run_in_threadpool(self._trial, name, query))
        watcher = self._watchers.get(name)
        if watcher is None:
            watcher = self._watchers[name] = _Watcher(name, self._shelf.path(name), self._forget)
        watcher.add(follower)
        gone = asyncio.create_task(_gone(receive))
        gone.add_done_callback(lambda _: follower.end())
        try:
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            while (event := await follower.waiting.get()) is not None:
                await send({"type": "http.response.body", "body": event, "more_body": True})
            await send({"type": "http.response.body"})
        finally:
            gone.cancel()
            watcher.remove(follower)

    def close(self) -> None:
        """The viewer ends: a browser would follow for ever."""
        for watcher in list(self._watchers.values()):
            watcher.end()

    def _trial(self, name: str, query: Mapping[str, str]) -> int | None:
        with self._shelf.open(name) as run:
            return wanted_trial(run, query["case"], query.get("trial", "1")).id if "case" in query else None

    def _forget(self, name: str) -> None:
        self._watchers.pop(name, None)


class _Watcher:
    """Of one run file, as long as somebody follows it."""

    def __init__(self, name: str, path: Path, ended: Callable[[str], None]) -> None:
        self._name = name
        self._path = path
        self._ended = ended
        self._followers: set[_Follower] = set()
        self._trials: Mapping[int, FollowedTrial] = {}
        self._change = 0  # the last that is in them
        self._run: RunNews | None = None
        self._woken = asyncio.Event()
        self._task = asyncio.create_task(self._watch())

    def add(self, follower: _Follower) -> None:
        self._followers.add(follower)
        self._woken.set()

    def remove(self, follower: _Follower) -> None:
        self._followers.discard(follower)
        self._woken.set()

    def end(self) -> None:
        self._task.cancel()
        self._leave()

    def _leave(self) -> None:
        self._ended(self._name)
        for follower in self._followers:
            follower.end()

    async def _watch(self) -> None:
        seen, stale, due = None, True, 0.0
        try:
            while self._followers:
                self._woken.clear()
                found = await run_in_threadpool(_look, self._path)
                stale |= found != seen
                if found != seen or self._unread():
                    await run_in_threadpool(self._read_trials)
                if stale and monotonic() >= due:
                    due = monotonic() + await run_in_threadpool(self._read_run) / _PART
                    stale = False
                seen = found
                self._tell()
                await self._sleep()
        except TrialkitError as error:
            for follower in self._followers:
                follower.tell("gone", told=str(error))
        finally:
            self._leave()

    async def _sleep(self) -> None:
        """Somebody who comes or goes is not kept waiting."""
        try:
            await asyncio.wait_for(self._woken.wait(), _LOOK_S)
        except TimeoutError:
            """Nobody did."""

    def _followed(self) -> set[int]:
        return {follower.trial for follower in list(self._followers) if follower.trial is not None}

    def _unread(self) -> set[int]:
        return self._followed() - self._trials.keys()

    def _read_trials(self) -> None:
        followed, known = self._followed(), self._trials
        if followed:
            unread = followed - known.keys()
            self._change, found = read_trials(self._name, self._path, self._change, followed, unread)
            known = {**known, **found}
        self._trials = {trial: known[trial] for trial in followed & known.keys()}

    def _read_run(self) -> float:
        """The processor time that it took."""
        begun = thread_time()
        self._run = read_run(self._name, self._path)
        return thread_time() - begun

    def _tell(self) -> None:
        for follower in self._followers:
            if follower.waiting.qsize() > _MOST_WAITING:
                follower.end()
                continue
            if self._run is not None:
                follower.tell_run(self._run, len(self._followers))
            if follower.trial is not None and follower.trial in self._trials:
                follower.tell_steps(self._trials[follower.trial])


def _look(path: Path) -> object:
    """Changes when the file does, and when the process that writes it is there no more."""
    return file_stamp(path), is_going_on(path)


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        """What is sent to us here is of no interest."""
