"""A run of 10,000 trials by the rules: what its end takes, and what `resume` takes where there is nothing left to do.

uv run python -m benchmarks.resume [--cases 10000]
"""

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.engine import measure, write_golden


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=10_000)
    cases = parser.parse_args().cases
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_golden(folder / "golden.csv", cases)
        run = [sys.executable, "-m", "trialkit", "run", "commodity", "--model", "baseline", "--csv", "golden.csv"]
        whole = measure(run, folder).cpu_s
        resumed = min(measure([sys.executable, "-m", "trialkit", "resume", "latest"], folder).cpu_s for _ in range(3))
        report = [sys.executable, "-m", "trialkit", "report", "latest", "--format"]
        read = {form: min(measure([*report, form], folder).cpu_s for _ in range(3)) for form in ("console", "csv")}
    print(f"{cases:,} trials by the rules    {whole:.2f} s of CPU, {1000 * whole / cases:.2f} ms each, all in")
    print(f"reading all for the report  {read['console']:.2f} s; for the CSV {read['csv']:.2f} s")
    print(f"resume, nothing left to do  {resumed:.2f} s")


if __name__ == "__main__":
    main()
