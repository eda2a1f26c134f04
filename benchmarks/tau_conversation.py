"""tau-bench's 115 retail test tasks as conversations with a server that takes 200 ms to answer, at concurrency 50.

The server plays both models: the agent's plays the ground truth and says what is required, the user's asks and stops.
The run's wall time is held against the ideal: the same calls in the same order by as many workers that only wait.

    uv run python -m benchmarks.tau_conversation --data-dir DIR    (or TAU_BENCH_HOME)
"""

import argparse
import asyncio
import heapq
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.server import Action, Call, Protocol, Say
from tests.server.server import Handlers

from benchmarks.engine import measure
from trialkit.runfile import RunFile
from trialkit.suites.tau import Domain, Task, load_domain

_STOP = "###STOP###"
_ROOT = Path(__file__).resolve().parents[1]


class Players:
    """Both models; they tell where they are from the request alone."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self._tasks = tasks

    def __call__(self, body: dict[str, Any], _protocol: Protocol) -> Action:
        messages = body["messages"]
        said: int = sum(message["role"] == "assistant" for message in messages)
        if body["model"] == "user":
            number = next(n for n, task in enumerate(self._tasks) if task.instruction in messages[0]["content"])
            return Say(text=f"Task {number}: please help me." if said == 0 else _STOP)
        found = re.match(r"Task (\d+):", messages[1]["content"])
        task = self._tasks[int(found[1])] if found else self._tasks[0]
        if said < len(task.actions):
            action = task.actions[said]
            return Say(text=None, calls=(Call(name=action["name"], arguments=action["kwargs"]),))
        return Say(text=" ".join(["Done.", *task.outputs]))


def model_calls(domain: Domain, task: Task) -> int:
    """The user's first line, the actions, and unless one of them ends it, the reply and the user's last line."""
    ends = any(action["name"] in domain.ending_tools for action in task.actions)
    return 1 + len(task.actions) + (0 if ends else 2)


def ideal_s(durations: Sequence[float], workers: int) -> float:
    """Until the last of the conversations is over, if each worker takes the next one as soon as it is free."""
    free = [0.0] * workers
    for duration in durations:
        heapq.heappush(free, heapq.heappop(free) + duration)
    return max(free)


def tasks_of(data_dir: Path | None) -> tuple[Domain, Sequence[Task]]:
    domain = load_domain("tau-bench/retail", data_dir)
    return domain, domain.tasks("test")


def serve(options: argparse.Namespace) -> None:
    # Run by this program itself, so that the server's work is not on the measured program's processor time.
    from aiohttp import web  # noqa: PLC0415 - only the server needs it
    from tests.server.server import start  # noqa: PLC0415 - likewise

    async def run() -> None:
        players = Players(tasks_of(options.data_dir)[1])
        handlers = Handlers(players, latency=options.latency, keep=False)
        runner = web.AppRunner(handlers.app(), access_log=None)
        print(await start(runner), flush=True)
        await asyncio.Event().wait()

    asyncio.run(run())


def report(url: str, options: argparse.Namespace) -> None:
    domain, tasks = tasks_of(options.data_dir)
    command = [sys.executable, "-m", "trialkit", "run", "tau-bench/retail", "--max-concurrency"]
    command += [str(options.concurrency), "--model", "openai/agent", "--user-model", "openai/user"]
    command += ["--api-base", f"{url}/v1", "--output-dir", "results"]
    command += ["--data-dir", str(options.data_dir)] if options.data_dir else []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        measure([*command, "--task-ids", "0", "--no-cache"], folder)  # bytecode is written once
        full = measure([*command, "--no-cache"], folder)
        path = max((folder / "results").glob("*.trial"))
        with RunFile(path) as run:
            passed = sum(trial.outcome == "pass" for trial in run.trials())
            calls, running = len(run.calls()), run.info().wall_s
    if passed != len(tasks) or calls != sum(model_calls(domain, task) for task in tasks):
        sys.exit(f"{passed} of {len(tasks)} passed with {calls} calls: the figures mean nothing")
    ideal = ideal_s([model_calls(domain, task) * options.latency for task in tasks], options.concurrency)
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
    parser.add_argument("--data-dir", type=lambda path: Path(path).resolve())
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--concurrency", type=int, default=50)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options)
        return
    command = [sys.executable, "-m", "benchmarks.tau_conversation", "--serve", "--latency", str(options.latency)]
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
