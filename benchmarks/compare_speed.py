"""How long `compare` and `align` take on runs of 10,000 cases with 8 trials each, and how much memory.

uv run python -m benchmarks.compare_speed [--cases 10000] [--trials 8]
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from trialkit.runfile import Header, Label, PlannedTrial, TrialRecord, create_run
from trialkit.vocabulary import Case, Verdict

_GROUPS = ("strict", "range", "offsetting", "breakeven")
_CRITIQUE = (
    "The stop-loss lies below the entry price as it must, but the reasoning does not mention the position's size."
)


def write_run(path: Path, cases: int, trials: int, seed: int) -> None:
    """Two judges on every trial, a label on one trial in fifty."""
    random = Random(seed)
    header = Header(suite="commodity", subject=f"subject {seed}", settings={}, versions={}, prompts=(), models=())
    planned = []
    for number in range(cases):
        chance = Random(number).betavariate(1.2, 0.8)
        planned += [_trial(random, f"C{number:05}", trial, chance) for trial in range(1, trials + 1)]
    every = [
        Case(id=f"C{n:05}", title="A long position", group=_GROUPS[n % len(_GROUPS)], data={"number": n})
        for n in range(cases)
    ]
    create_run(path, header, every, planned)


def _trial(random: Random, case_id: str, number: int, chance: float) -> PlannedTrial:
    passed = random.random() < chance
    verdicts = tuple(
        Verdict(judge=judge, outcome="pass" if passed == (random.random() < right) else "fail", critique=_CRITIQUE)
        for judge, right in (("llm:judge@v1", 0.92), ("rules", 0.85))
    )
    output = {"reasoning": _CRITIQUE, "suggestions": []}
    record = TrialRecord(output=output, verdicts=verdicts, started="2026-01-01T00:00:00.000+00:00", elapsed_s=1.5)
    label = (
        Label(annotator="human", outcome="pass" if passed else "fail", critique="") if random.random() < 0.02 else None
    )
    return PlannedTrial(case_id=case_id, number=number, output=output, label=label, ended=record)


def measure(folder: Path, name: str, *arguments: str) -> None:
    """Bytecode is kept, as on any machine after the first use."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "bytecode"), "PYTHONDONTWRITEBYTECODE": ""}
    subprocess.run(
        [sys.executable, "-m", "trialkit", arguments[0], "--help"], env=environment, check=True, capture_output=True
    )
    started = time.perf_counter()
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123 - not a path of ours
        process = subprocess.Popen([sys.executable, "-m", "trialkit", *arguments], stdout=nowhere, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    took, cpu = time.perf_counter() - started, usage.ru_utime + usage.ru_stime
    print(
        f"{name:<28}{took:5.2f} s  CPU {cpu:5.2f} s  {usage.ru_maxrss / 1024:5.0f} MB  status {process.returncode}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--trials", type=int, default=8)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        a, b = (Path(folder) / name for name in ("a.trial", "b.trial"))
        for seed, path in enumerate((a, b), start=1):
            write_run(path, options.cases, options.trials, seed)
        print(f"{options.cases:,} cases x {options.trials} trials, two judges each")
        measure(Path(folder), "compare", "compare", str(a), str(b))
        measure(Path(folder), "compare --format json", "compare", str(a), str(b), "--format", "json")
        measure(Path(folder), "align", "align", str(a))
        measure(Path(folder), "align --format json", "align", str(a), "--format", "json")


if __name__ == "__main__":
    main()
