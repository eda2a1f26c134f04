"""What it costs a run that 20 pages of the viewer follow it: the run's own CPU time with and without, in turns.

    uv run python -m benchmarks.following [--cases 2000] [--latency 0.2] [--concurrency 100] [--pages 20] [--rounds 5]

The pages follow as browsers do, by server-sent events: all the run itself, half of them a trial of it as well.
"""

import argparse
import http.client
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median
from urllib.parse import urlencode

from .engine import Measured, measure, write_golden


class Viewer:
    """`trialkit view` of a folder, and pages that follow whatever run comes next."""

    def __init__(self, folder: Path, pages: int) -> None:
        self._folder, self._pages = folder, pages
        folder.mkdir(exist_ok=True)
        self._known = set(folder.glob("*.trial"))
        command = [sys.executable, "-m", "trialkit", "view", str(folder), "--no-open", "--port", "0"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None  # noqa: S101 - for the type checker
        found = re.search(r"127\.0\.0\.1:(\d+)", self._process.stdout.readline())
        self._port = int(found[1]) if found else 0
        self.bytes = 0
        self._threads = [threading.Thread(target=self._follow, args=(page,)) for page in range(pages)]
        for thread in self._threads:
            thread.start()

    def _follow(self, page: int) -> None:
        while not (new := [path for path in set(self._folder.glob("*.trial")) - self._known if path.stat().st_size]):
            time.sleep(0.05)
        asked = {"run": new[0].name} | ({"case": f"B{page:05}", "trial": "1"} if page % 2 else {})
        line = http.client.HTTPConnection("127.0.0.1", self._port)
        line.request("GET", f"/live?{urlencode(asked)}")
        answer = line.getresponse()
        while (said := answer.readline()) and b'"state": "done"' not in said:
            self.bytes += len(said)
        line.close()

    def close(self) -> float:
        """Its CPU time."""
        for thread in self._threads:
            thread.join()
        self._process.terminate()
        _, status, usage = os.wait4(self._process.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        return usage.ru_utime + usage.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--concurrency", type=int, default=100)
    parser.add_argument("--pages", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    root = Path(__file__).resolve().parents[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.server", "--latency", str(options.latency)], cwd=root, stdout=subprocess.PIPE
    )
    try:
        assert server.stdout is not None  # noqa: S101 - for the type checker
        url = server.stdout.readline().decode().strip()
        with tempfile.TemporaryDirectory() as name:
            report(url, Path(name), options)
    finally:
        server.terminate()
        server.wait()


def report(url: str, folder: Path, options: argparse.Namespace) -> None:
    write_golden(folder / "golden.csv", options.cases)
    command = [sys.executable, "-m", "trialkit", "run", "commodity", "--csv", "golden.csv", "--judge", "rules"]
    command += ["--model", "openai/bench", "--api-base", f"{url}/v1", "--max-concurrency", str(options.concurrency)]

    def turn() -> tuple[Measured, Measured, float]:
        alone = measure(command, folder)
        viewer = Viewer(folder / "eval_results", options.pages)
        return alone, measure(command, folder), viewer.close()

    turn()  # as on any machine after the first run
    alone, followed, viewers = zip(*(turn() for _ in range(options.rounds)), strict=True)
    cpu = [after.cpu_s / before.cpu_s - 1 for before, after in zip(alone, followed, strict=True)]
    least = min(one.cpu_s for one in followed) / min(one.cpu_s for one in alone) - 1
    wall = [after.wall_s / before.wall_s - 1 for before, after in zip(alone, followed, strict=True)]
    print(f"{options.cases} cases, {options.latency:g} s latency, concurrency {options.concurrency}")
    print(f"{options.pages} pages, {options.rounds} rounds")
    print(f"the run's CPU time   {median(cpu):+.1%}, the least of both {least:+.1%}")
    print(f"the run's wall time  {median(wall):+.1%}")
    print(f"the viewer           {median(viewers):.2f} s of CPU, of {median(one.wall_s for one in followed):.1f} s")


if __name__ == "__main__":
    main()
