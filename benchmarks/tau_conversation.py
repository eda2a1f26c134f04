"""Conversations with a server that takes 200 ms to answer, at concurrency 50: tau-bench's 115 retail test tasks, or
telecom's 114, in which the user calls tools too.

The server plays both models: they play the ground truth, say what is required, and the user's asks and stops.
The run's wall time is held against the ideal: the same calls in the same order by as many workers that only wait.

    uv run python -m benchmarks.tau_conversation --data-dir DIR    (or TAU_BENCH_HOME)
    uv run python -m benchmarks.tau_conversation --suite tau2/telecom    (or with --data-dir or TAU2_DATA_DIR)
"""

import argparse
import asyncio
import heapq
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.server import Action, Call, Protocol, Say
from tests.server.server import Handlers

from benchmarks.engine import measure
from trialkit.dialogue import Move, Rules
from trialkit.runfile import RunFile
from trialkit.suites.tau import Task, tau_suites
from trialkit.suites.tau.truth import play
from trialkit.suites.tau.v2.source import find_files

_STOP = "###STOP###"
_ROOT = Path(__file__).resolve().parents[1]


class Players:
    """Both models; they tell where they are from the request alone."""

    def __init__(self, tasks: Sequence[Task], rules: Rules) -> None:
        self._tasks = tasks
        self._greeted = int(rules.greeting_is_said)
        self._lines = [play(task, rules, [f"Task {number}: please help me."]) for number, task in enumerate(tasks)]

    def __call__(self, body: dict[str, Any], _protocol: Protocol) -> Action:
        messages = body["messages"]
        said: int = sum(message["role"] == "assistant" for message in messages)
        if body["model"] == "user":
            number = next(n for n, task in enumerate(self._tasks) if task.instruction in messages[0]["content"])
            return _say([*self._lines[number][1], _STOP][said])
        heard = next(message for message in messages if message["role"] == "user")
        found = re.match(r"Task (\d+):", heard["content"])
        return _say(self._lines[int(found[1]) if found else 0][0][said - self._greeted])


def _say(line: str | Move) -> Action:
    if isinstance(line, str):
        return Say(text=line)
    return Say(text=None, calls=tuple(Call(name=one.name, arguments=json.loads(one.arguments)) for one in line.calls))


def model_calls(task: Task, rules: Rules) -> int:
    """One for each line and one to stop; a call that ends the conversation spares its last words."""
    agent, user = play(task, rules, [""])
    names = {call.name for line in agent if isinstance(line, Move) for call in line.calls}
    return len(agent) + len(user) + (-1 if names & rules.ending_tools.keys() else 1)


def ideal_s(durations: Sequence[float], workers: int) -> float:
    """Until the last of the conversations is over, if each worker takes the next one as soon as it is free."""
    free = [0.0] * workers
    for duration in durations:
        heapq.heappush(free, heapq.heappop(free) + duration)
    return max(free)


def tasks_of(options: argparse.Namespace) -> tuple[Rules, Sequence[Task]]:
    (suite,) = (one for one in tau_suites() if one.name == options.suite)
    settings: Any = suite.settings.model_validate({})
    domain = suite.load(options.data_dir)
    return suite.rules(settings, domain), domain.tasks(settings.task_split)


def marked(folder: Path, data_dir: Path | None) -> Path:
    """Telecom's content with tasks that can be told apart: several of its customers are told the same."""
    files = find_files("telecom", data_dir)
    for part in (files.code, files.data, files.data.parents[1] / "user_simulator"):
        shutil.copytree(part, folder / part.relative_to(files.code.parents[2]))
    tasks = folder / files.data.relative_to(files.code.parents[2]) / "tasks.json"
    told = json.loads(tasks.read_text(encoding="utf-8"))
    for number, task in enumerate(told):
        task["user_scenario"]["persona"] = f"Customer {number}."
    tasks.write_text(json.dumps(told), encoding="utf-8")
    return folder


def serve(options: argparse.Namespace) -> None:
    # Run by this program itself, so that the server's work is not on the measured program's processor time.
    from aiohttp import web  # noqa: PLC0415 - only the server needs it
    from tests.server.server import start  # noqa: PLC0415 - likewise

    async def run() -> None:
        rules, tasks = tasks_of(options)
        handlers = Handlers(Players(tasks, rules), latency=options.latency, keep=False)
        runner = web.AppRunner(handlers.app(), access_log=None)
        print(await start(runner), flush=True)
        await asyncio.Event().wait()

    asyncio.run(run())


def report(url: str, options: argparse.Namespace) -> None:
    rules, tasks = tasks_of(options)
    counts = [model_calls(task, rules) for task in tasks]
    command = [sys.executable, "-m", "trialkit", "run", options.suite, "--max-concurrency"]
    command += [str(options.concurrency), "--model", "openai/agent", "--user-model", "openai/user"]
    command += ["--api-base", f"{url}/v1", "--output-dir", "results"]
    command += ["--data-dir", str(options.data_dir)] if options.data_dir else []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        measure([*command, "--end-index", "1", "--no-cache"], folder)  # bytecode is written once
        full = measure([*command, "--no-cache"], folder)
        path = max((folder / "results").glob("*.trial"))
        with RunFile(path) as run:
            passed = sum(trial.outcome == "pass" for trial in run.trials())
            calls, running = len(run.calls()), run.info().wall_s
    if passed != len(tasks) or calls != sum(counts):
        sys.exit(f"{passed} of {len(tasks)} passed with {calls} calls of {sum(counts)}: the figures mean nothing")
    ideal = ideal_s([count * options.latency for count in counts], options.concurrency)
    print(
        f"{len(tasks)} conversations, {calls} model calls of {options.latency:g} s, concurrency {options.concurrency}"
    )
    print(f"ideal waiting        {ideal:6.2f} s")
    print(f"conversations        {running:6.2f} s = {running / ideal:.2f} x ideal")
    print(f"the whole program    {full.wall_s:6.2f} s = {full.wall_s / ideal:.2f} x ideal, from start to exit")
    per_call = 1000 * full.cpu_s / calls
    print(f"CPU                  {full.cpu_s:6.2f} s, {per_call:.2f} ms per model call, start-up included")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", choices=("tau-bench/retail", "tau2/telecom"), default="tau-bench/retail")
    parser.add_argument("--data-dir", type=lambda path: Path(path).resolve())
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--concurrency", type=int, default=50)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options)
        return
    with tempfile.TemporaryDirectory() as folder:
        if options.suite == "tau2/telecom":
            options.data_dir = marked(Path(folder), options.data_dir)
        play_both(options)


def play_both(options: argparse.Namespace) -> None:
    command = [sys.executable, "-m", "benchmarks.tau_conversation", "--serve", "--latency", str(options.latency)]
    command += ["--suite", options.suite]
    command += ["--data-dir", str(options.data_dir)] if options.data_dir else []
    server = subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.PIPE, text=True)
    try:
        url = server.stdout.readline().strip() if server.stdout else ""
        report(url, options)
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
