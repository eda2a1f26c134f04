"""A run of 2,000 cases against a local server that takes 200 ms to answer, at concurrency 100.

Prints the run's wall time against the ideal (only waiting), and its CPU time per 1,000 cases without start-up, beside a
bare aiohttp loop that sends the same number of requests in the same process conditions.

    uv run python -m benchmarks.engine [--cases 2000] [--latency 0.2] [--concurrency 100]
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--concurrency", type=int, default=100)
    options = parser.parse_args()
    root = Path(__file__).resolve().parents[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.server", "--latency", str(options.latency)], cwd=root, stdout=subprocess.PIPE
    )
    try:
        assert server.stdout is not None  # noqa: S101 - for the type checker
        url = server.stdout.readline().decode().strip()
        with tempfile.TemporaryDirectory() as name:
            report(url, Path(name), options.cases, options.latency, options.concurrency)
    finally:
        server.terminate()
        server.wait()


def report(url: str, folder: Path, cases: int, latency: float, concurrency: int) -> None:
    def run(count: int, *more: str) -> Measured:
        write_golden(folder / "golden.csv", count)
        command = [sys.executable, "-m", "trialkit", "run", "commodity", "--csv", "golden.csv", "--judge", "rules"]
        command += ["--model", "openai/bench", "--api-base", f"{url}/v1", "--max-concurrency", str(concurrency)]
        return measure([*command, *more], folder)

    ideal = cases * latency / concurrency
    start_up = min(run(1).cpu_s for _ in range(3))
    full = run(cases)
    with RunFile(max((folder / "eval_results").glob("*.trial"))) as run_file:
        session_s = run_file.info().wall_s
    bare_command = [sys.executable, "-c", _BARE, url]
    bare_start = measure([*bare_command, "1", "1"], folder)
    bare = measure([*bare_command, str(cases), str(concurrency)], folder)
    per_thousand = (full.cpu_s - start_up) / cases * 1000
    bare_per_thousand = (bare.cpu_s - bare_start.cpu_s) / cases * 1000
    print(f"{cases} cases, {latency:g} s latency, concurrency {concurrency}; ideal waiting {ideal:.2f} s")
    print(f"wall time            {session_s:.2f} s = {session_s / ideal:.2f} x ideal, start-up and report aside")
    print(f"  whole program      {full.wall_s:.2f} s = {full.wall_s / ideal:.2f} x ideal")
    print(f"CPU per 1,000 cases  {per_thousand:.2f} s, start-up aside")
    print(f"  bare aiohttp       {bare_per_thousand:.2f} s: trialkit is {per_thousand / bare_per_thousand:.1f} x that")
    print(f"start-up             {start_up:.2f} s of CPU")


if __name__ == "__main__":
    main()
