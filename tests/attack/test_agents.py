"""Hostile agents over stdio and HTTP: each conversation has a verdict or an error, and nothing of them is left."""

import os
import shlex
import sys
import uuid
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.attack.address import FAULTS, HTTP_KINDS, HostileAddress
from tests.attack.agents import KINDS, QUICK
from tests.e2e.program import Program
from trialkit.runfile import RunFile

ROOT = Path(__file__).resolve().parents[2]
AGENT = ROOT / "tests" / "attack" / "agents.py"
LONGEST_S = 10


@pytest.fixture
def trialkit(tmp_path: Path) -> Program:
    return with_suite(tmp_path)


def with_suite(folder: Path) -> Program:
    """trialkit where the suite is installed whose cases are the kinds."""
    info = folder / "site" / "hostile_suite-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: hostile-suite\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[trialkit.suites]\nhostile = tests.attack.hostile_suite:SUITE\n")
    program = Program(folder)
    program.env["PYTHONPATH"] = os.pathsep.join([str(folder / "site"), str(ROOT)])
    return program


def left_of(mark: str) -> list[str]:
    """Processes that carry a mark in their environment, as all that an agent starts do."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (path / "environ").read_bytes() and path.name != str(os.getpid()):
                found.append((path / "cmdline").read_text().replace("\0", " "))
        except OSError:
            continue
    return found


def stood(trialkit: Program, agent: str, kinds: Sequence[str], *options: str) -> None:
    """A run of these kinds, after which each has a verdict or an error, in time, and the same ones in a replay."""
    chosen = [word for kind in kinds for word in ("--kinds", kind)]
    patience = ["--agent-timeout", "2", "--max-concurrency", "8"]
    done = trialkit("run", "hostile", "--agent", agent, *patience, *options, *chosen)
    assert done.status in {0, 3}, done.text
    with RunFile(trialkit.last_run()) as run:
        rows = {row.case_id: row for row in run.trials()}
    assert rows.keys() == set(kinds)
    assert {row.outcome for row in rows.values()} <= {"pass", "error"}
    assert all(row.error for row in rows.values() if row.outcome == "error")
    assert {kind: row.elapsed_s for kind, row in rows.items() if (row.elapsed_s or 0) > LONGEST_S} == {}
    assert trialkit("replay", str(trialkit.last_run())).status == 0


def test_hostile_programs(trialkit: Program) -> None:
    mark = uuid.uuid4().hex
    agent = "stdio:" + shlex.join([sys.executable, str(AGENT)])
    stood(trialkit, agent, QUICK, "--agent-env", f"MARK={mark}")
    assert left_of(mark) == []


def test_hostile_addresses(trialkit: Program) -> None:
    with HostileAddress() as address:
        stood(trialkit, address.url, [kind for kind in QUICK if kind in HTTP_KINDS] + list(FAULTS))


def test_there_are_kinds_for_a_long_attack() -> None:
    assert len(KINDS) == len(set(KINDS)) >= 100
    assert len(HTTP_KINDS) == len(set(HTTP_KINDS)) >= 100
