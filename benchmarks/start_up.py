"""How much CPU short commands take, as a multiple of an empty Python program; all in turn, the least of many rounds.

uv run python -m benchmarks.start_up [--rounds 10]
"""

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.engine import measure

_COMMANDS = ("--help", "report latest", "show latest", "runs", "run commodity --model baseline")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=10)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        programs = {"python -c pass": [sys.executable, "-c", "pass"]}
        programs |= {f"trialkit {one}": [sys.executable, "-m", "trialkit", *one.split()] for one in _COMMANDS}
        measure([sys.executable, "-m", "trialkit", *_COMMANDS[-1].split()], folder)  # `latest`, and bytecode
        taken = {what: list[float]() for what in programs}
        for _ in range(rounds):
            for what, command in programs.items():
                taken[what].append(measure(command, folder).cpu_s)
    empty = min(taken["python -c pass"])
    for what, found in taken.items():
        print(f"{what:<40} {1000 * min(found):4.0f} ms = {min(found) / empty:4.1f} x")


if __name__ == "__main__":
    main()
