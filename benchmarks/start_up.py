"""How long `trialkit --help` takes, as a multiple of an empty Python program; the best of many runs of each.

uv run python -m benchmarks.start_up
"""

import subprocess
import sys
import time


def best(command: list[str], runs: int = 15) -> float:
    times = []
    for _ in range(runs):
        started = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - started)
    return min(times)


def main() -> None:
    empty = best([sys.executable, "-c", "pass"])
    shown = best([sys.executable, "-m", "trialkit", "--help"])
    print(f"python -c pass   {1000 * empty:.0f} ms")
    print(f"trialkit --help  {1000 * shown:.0f} ms = {shown / empty:.1f} x that")


if __name__ == "__main__":
    main()
