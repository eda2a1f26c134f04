"""Tries to break trialkit for so many minutes, and prints what was tried and what broke.

The parts are those of tests/attack, which CI runs for seconds each. docs/reliability.md has the figures of a long run.
"""

import argparse
import random
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.attack import damage, faults, kills, suites, test_agents
from tests.attack.address import HTTP_KINDS, HostileAddress
from tests.attack.agents import KINDS
from tests.attack.children import load_all
from tests.attack.hostile import hostile
from tests.attack.readers import READERS

_SHOWN, _KINDS = 20, 20


class Tally:
    def __init__(self) -> None:
        self.tries: Counter[str] = Counter()
        self.broken: list[str] = []


def read_hostile_texts(tally: Tally, seed: int, _folder: Path) -> None:
    draw = random.Random(seed)  # noqa: S311
    for name, reader in READERS.items():
        text = hostile(draw, name)
        began = time.process_time()
        try:
            tally.tries["read"] += reader(text)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a finding
            tally.broken.append(f"{name}, seed {seed}: {type(error).__name__}: {error}"[:300])
        if time.process_time() - began > 1:
            tally.broken.append(f"{name}, seed {seed}: {time.process_time() - began:.1f} s of CPU")
        tally.tries["hostile texts"] += 1


def kill_chains(tally: Tally, seed: int, folder: Path) -> None:
    with kills.served() as url:
        (folder / "calm").mkdir(parents=True, exist_ok=True)
        expected = kills.calm(folder / "calm", url)
        for number in range(5):
            chain = kills.chain(folder / f"chain{seed}-{number}", url, 100 * seed + number, expected)
            tally.tries["chains"] += 1
            tally.tries["kills"] += chain.kills
            tally.tries["replies lost by kills"] += chain.lost
            tally.broken += chain.faults


def damage_run_files(tally: Tally, seed: int, folder: Path) -> None:
    whole = folder / f"whole-{seed % 2}"
    if not whole.exists():
        whole.mkdir(parents=True)
        damage.whole_run(whole, of_file=bool(seed % 2))
    (path,) = (whole / "eval_results").glob("*.trial")
    tally.tries["damaged run files"] += 1
    tally.tries["commands on them"] += 3
    tally.broken += damage.damaged(folder / f"{seed}", path, seed, 3)


def serve_faults(tally: Tally, seed: int, folder: Path) -> None:
    tally.tries["server fault scripts"] += 1
    tally.broken += faults.faulty(folder / f"{seed}", faults.SCRIPTS[seed % len(faults.SCRIPTS)])


def hostile_agents(tally: Tally, seed: int, folder: Path) -> None:
    """A few kinds at a time, over stdio and over HTTP."""
    program = test_agents.with_suite(folder / f"{seed}")
    start = seed * _KINDS % len(KINDS)
    try:
        kinds = KINDS[start : start + _KINDS]
        test_agents.stood(program, test_agents.OVER_STDIO, kinds)
        tally.tries["agents over stdio"] += len(kinds)
        if kinds := HTTP_KINDS[start : start + _KINDS]:
            with HostileAddress() as address:
                test_agents.stood(program, address.url, kinds)
            tally.tries["agents over HTTP"] += len(kinds)
    except (AssertionError, subprocess.SubprocessError) as error:
        (place,) = traceback.extract_tb(error.__traceback__, -1)
        tally.broken.append(f"{kinds[0]} to {kinds[-1]}: {place.line}: {error}"[:1000])


def malformed_suites(tally: Tally, seed: int, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    suites.suite_folder(folder)
    drawn = range(100 * seed, 100 * (seed + 1))
    tally.tries["malformed suites"] += len(drawn)
    tally.broken += filter(None, (suites.attacked(folder, one) for one in drawn))


PARTS: Mapping[str, Callable[[Tally, int, Path], None]] = {
    "texts": read_hostile_texts,
    "kills": kill_chains,
    "damage": damage_run_files,
    "faults": serve_faults,
    "agents": hostile_agents,
    "suites": malformed_suites,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--part", action="append", choices=PARTS, help="only this; may be given several times")
    parser.add_argument("--seed", type=int, default=0, help="where drawing begins")
    options = parser.parse_args()
    load_all()
    parts = options.part or list(PARTS)
    tally = Tally()
    with TemporaryDirectory(prefix="trialkit-attack-") as folder:
        for part in parts:
            end = time.monotonic() + options.minutes * 60 / len(parts)
            seed = options.seed
            while time.monotonic() < end:
                PARTS[part](tally, seed, Path(folder) / part)
                seed += 1
    for name, count in tally.tries.items():
        print(f"{name:24} {count:>9,}")
    print(f"{'broken':24} {len(tally.broken):>9,}")
    for said in tally.broken[:_SHOWN]:
        print(f"- {said}")
    return int(bool(tally.broken))


sys.exit(main())
