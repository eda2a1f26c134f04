"""A run of 2,000 cases against a local server that takes 200 ms to answer, at concurrency 100.

Prints the run's wall time against the ideal (only waiting), and its CPU time per 1,000 cases without start-up, beside a
bare aiohttp loop that sends the same number of requests; both in turn, the least of several rounds.

    uv run python -m benchmarks.engine [--cases 2000] [--latency 0.2] [--concurrency 100] [--rounds 3]
"""

import argparse
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from trialkit.runfile import RunFile

_BARE = """
import asyncio, sys, aiohttp
url, count, width = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
body = {"model": "m", "messages": [{"role": "user", "content": "x" * 800}], "tools": []}
async def main():
    gate = asyncio.Semaphore(width)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        async def one():
            async with gate, session.post(url + "/v1/chat/completions", json=body) as response:
                await response.json()
        await asyncio.gather(*(one() for _ in range(count)))
asyncio.run(main())
"""


@dataclass(frozen=True, slots=True)
class Measured:
    wall_s: float
    cpu_s: float


def measure(command: list[str], folder: Path) -> Measured:
    """Wall and CPU time of a program and its children."""
    environment = {
        **os.environ,
        "TRIALKIT_CACHE_DIR": str(folder / "cache"),
        "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),  # as on any machine after the first run
        "PYTHONDONTWRITEBYTECODE": "",
    }
    started = time.perf_counter()
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{command} failed:\n{(folder / 'log').read_text()}")
    return Measured(time.perf_counter() - started, usage.ru_utime + usage.ru_stime)


def write_golden(path: Path, cases: int) -> None:
    inputs = ("Scenario ID", "Description", "User Name", "Positions JSON", "Prices JSON", "Eval Type", "Ground Truth")
    rest = ("Model Response", "Model Critique", "Model Outcome", "Human Critique", "Human Outcome")
    truth = {"commodity_code": "CORN", "expected_condition": "below", "price_min": 3.8, "price_max": 4.25}
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(inputs + rest)
        for number in range(cases):
            entry = round(4.3 + number % 50 / 100, 2)
            position = {"commodity_code": "CORN", "direction": "long", "volume": 1000 + number, "entry_price": entry}
            price = {"commodity_code": "CORN", "price": 4.25}
            cells = [f"B{number:05}", "a long position", "Alice", [position], [price], "strict", truth]
            rows.writerow([cell if isinstance(cell, str) else json.dumps(cell) for cell in cells] + [""] * len(rest))


class Bench:
    """A run of trialkit, and a bare loop, each in a process of its own."""

    def __init__(self, url: str, folder: Path, concurrency: int) -> None:
        self._url = url
        self._folder = folder
        self._concurrency = str(concurrency)

    def run(self, cases: int) -> Measured:
        write_golden(self._folder / "golden.csv", cases)
        command = [sys.executable, "-m", "trialkit", "run", "commodity", "--csv", "golden.csv", "--judge", "rules"]
        command += ["--model", "openai/bench", "--api-base", f"{self._url}/v1", "--max-concurrency", self._concurrency]
        shutil.rmtree(self._folder / "cache", ignore_errors=True)
        return measure(command, self._folder)

    def bare(self, requests: int) -> Measured:
        return measure([sys.executable, "-c", _BARE, self._url, str(requests), self._concurrency], self._folder)

    def session_s(self) -> float:
        """Of the last run, without start-up and report."""
        with RunFile(max((self._folder / "eval_results").glob("*.trial"))) as run_file:
            return run_file.info().wall_s


def serving(latency: float) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "tests.server", "--latency", str(latency)]
    return subprocess.Popen(command, cwd=Path(__file__).resolve().parents[1], stdout=subprocess.PIPE)


@contextmanager
def benches(latency: float, concurrency: int) -> Iterator[Bench]:
    server = serving(latency)
    try:
        assert server.stdout is not None  # noqa: S101 - for the type checker
        url = server.stdout.readline().decode().strip()
        with tempfile.TemporaryDirectory() as name:
            yield Bench(url, Path(name), concurrency)
    finally:
        server.terminate()
        server.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--concurrency", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with benches(options.latency, options.concurrency) as bench:
        report(bench, options)


def report(bench: Bench, options: argparse.Namespace) -> None:
    cases, ideal = options.cases, options.cases * options.latency / options.concurrency
    starts, runs, loops, bare_starts = (list[Measured]() for _ in range(4))
    sessions = list[float]()
    for _ in range(options.rounds):  # in turn, so that what else the machine does meets both
        bare_starts.append(bench.bare(1))
        loops.append(bench.bare(cases))
        starts.append(bench.run(1))
        runs.append(bench.run(cases))
        sessions.append(bench.session_s())
    start_up, bare_start = least_cpu(starts), least_cpu(bare_starts)
    each, bare = (least_cpu(runs) - start_up) / cases * 1000, (least_cpu(loops) - bare_start) / cases * 1000
    wall, bare_wall = (min(one.wall_s for one in found) for found in (runs, loops))
    print(f"{cases} cases, {options.latency:g} s latency, concurrency {options.concurrency}; ideal {ideal:.2f} s")
    print(
        f"wall time            {min(sessions):.2f} s = {min(sessions) / ideal:.2f} x ideal, start-up and report aside"
    )
    print(f"  whole program      {wall:.2f} s = {wall / ideal:.2f} x ideal; bare aiohttp {bare_wall / ideal:.2f} x")
    print(f"CPU per 1,000 cases  {each:.2f} s, start-up aside, run file, CSV and report included")
    print(f"  bare aiohttp       {bare:.2f} s: trialkit is {each / bare:.1f} x that")
    print(f"a core is full at    {1000 / each:,.0f} cases a second; with bare aiohttp at {1000 / bare:,.0f} requests")
    print(f"start-up             {start_up:.2f} s of CPU; bare aiohttp {bare_start:.2f} s")


def least_cpu(found: Sequence[Measured]) -> float:
    return min(one.cpu_s for one in found)


if __name__ == "__main__":
    main()
