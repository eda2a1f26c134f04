"""An executor whose trials run in another process, over pipes with JSON: what any executor elsewhere has to do.

The worker is told suite, settings, prompts and the models' keys once, and then job after job. It asks for each call;
the other end answers when the call is committed, or says that the run is stopping.
"""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from itertools import count
from typing import Any

from tests.engine.wire import from_data, to_data
from trialkit.engine.calls import Call, CallReply, Calls, Send, StoppedError
from trialkit.engine.executor import LocalExecutor
from trialkit.engine.job import Job
from trialkit.engine.setup import Setup
from trialkit.errors import ModelError
from trialkit.models import Reply, Request, Sent
from trialkit.runfile import Event, Prompt, TrialRecord
from trialkit.suites import get_suite


class Line:
    """Numbered questions and their answers, both ways."""

    def __init__(self, reader: asyncio.StreamReader, write: Any) -> None:
        self._reader = reader
        self._write = write
        self._numbers = count()
        self._waiting: dict[int, asyncio.Future[Any]] = {}

    def tell(self, **message: Any) -> None:
        self._write(json.dumps(message).encode() + b"\n")

    async def ask(self, **message: Any) -> Any:
        number = next(self._numbers)
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        self.tell(number=number, **message)
        said = await answer
        if said["kind"] == "stopped":
            raise StoppedError
        if said["kind"] == "fault":
            raise ModelError(said["error_kind"], said["error"])
        return said["value"]

    async def questions(self) -> AsyncIterator[Mapping[str, Any]]:
        while line := await self._reader.readline():
            message = json.loads(line)
            if "answers" in message:
                self._waiting.pop(message["answers"]).set_result(message)
            else:
                yield message

    async def answer(self, question: Mapping[str, Any], work: Awaitable[Any]) -> None:
        number = question["number"]
        try:
            self.tell(answers=number, kind="value", value=await work)
        except StoppedError:
            self.tell(answers=number, kind="stopped")
        except ModelError as error:
            self.tell(answers=number, kind="fault", error_kind=error.kind, error=str(error))


class PipedExecutor:
    """The end that has the budget, the connections and the run file."""

    def __init__(self, setup: Setup, calls: Calls, roles: Sequence[str] = ("model",)) -> None:
        self._setup = setup
        self._calls = calls
        self._roles = roles
        self._begun: asyncio.Task[Line] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self, job: Job) -> TrialRecord:
        if self._begun is None:
            self._begun = asyncio.create_task(self._begin())
        line = await asyncio.shield(self._begun)
        return from_data(TrialRecord, await line.ask(job=to_data(job)))

    async def aclose(self) -> None:
        if self._begun is not None:
            self._process.terminate()
            await self._process.wait()
            await asyncio.gather(*self._tasks)

    async def _begin(self) -> Line:
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.engine.piped", stdin=pipe, stdout=pipe, env={**os.environ, **_import_paths()}
        )
        assert self._process.stdin
        assert self._process.stdout
        line = Line(self._process.stdout, self._process.stdin.write)
        line.tell(
            suite=self._setup.suite.name,
            settings=self._setup.settings.to_data(),
            prompts=[to_data(prompt) for prompt in self._setup.prompts.values()],
            models={role: self._calls.model_key(role) for role in self._roles},
        )
        self._spawn(self._serve(line))
        return line

    async def _serve(self, line: Line) -> None:
        async for question in line.questions():
            if "events" in question:
                self._calls.events(question["trial_id"], [Event(**event) for event in question["events"]])
            else:
                self._spawn(line.answer(question, self._answer(line, question)))

    async def _answer(self, line: Line, question: Mapping[str, Any]) -> Any:
        call = from_data(Call, question["call"])
        if "request" in question:
            reply, fresh, seconds = await self._calls.ask(call, from_data(Request, question["request"]))
        else:

            async def send() -> Sent:
                return from_data(Sent, await line.ask(send=question["exchange"]))

            reply, fresh, seconds = await self._calls.exchange(call, send)
        return {"reply": to_data(reply), "fresh": fresh, "seconds": seconds}

    def _spawn(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class RemoteCalls:
    """The worker's end."""

    def __init__(self, line: Line, models: Mapping[str, str]) -> None:
        self._line = line
        self._models = models
        self.sends: dict[int, Send] = {}

    def model_key(self, role: str) -> str:
        return self._models[role]

    async def ask(self, call: Call, request: Request) -> CallReply:
        return self._read(await self._line.ask(call=to_data(call), request=to_data(request)))

    async def exchange(self, call: Call, send: Send) -> CallReply:
        key = len(self.sends)
        self.sends[key] = send
        return self._read(await self._line.ask(call=to_data(call), exchange=key))

    def events(self, trial_id: int, events: Sequence[Event]) -> None:
        self._line.tell(trial_id=trial_id, events=[to_data(event) for event in events])

    def _read(self, said: Mapping[str, Any]) -> CallReply:
        return CallReply(from_data(Reply, said["reply"]), said["fresh"], said["seconds"])


async def work() -> None:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    line = Line(reader, lambda data: os.write(1, data))
    told = json.loads(await reader.readline())
    suite = get_suite(told["suite"])
    setup = Setup.of(
        suite, suite.settings.model_validate(told["settings"]), [Prompt(**prompt) for prompt in told["prompts"]]
    )
    calls = RemoteCalls(line, told["models"])
    executor = LocalExecutor(setup, calls)

    async def run(job: Job) -> Any:
        return to_data(await executor.run(job))

    async def send(number: int) -> Any:
        return to_data(await calls.sends[number]())

    tasks = []
    async for question in line.questions():
        answer = send(question["send"]) if "send" in question else run(from_data(Job, question["job"]))
        tasks.append(asyncio.create_task(line.answer(question, answer)))


def _import_paths() -> dict[str, str]:
    return {"PYTHONPATH": os.pathsep.join(sys.path)}


if __name__ == "__main__":
    asyncio.run(work())
