"""Hostile agents over stdio and HTTP: each conversation has a verdict or an error, and nothing of them is left."""

import os
import shlex
import sys
import uuid
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.attack.address import FAULTS, HTTP_KINDS, HostileAddress
from tests.attack.agents import KINDS, QUICK, WITHOUT_KEY
from tests.attack.hostile_suite import MEMORY_FILE
from tests.e2e.program import Program
from trialkit.runfile import RunFile

ROOT = Path(__file__).resolve().parents[2]
AGENT = ROOT / "tests" / "attack" / "agents.py"
LONGEST_S = 10  # by the clock, in which all of them share the machine
MOST_MB = 1024  # of each command
OVER_STDIO = "stdio:" + shlex.join([sys.executable, str(AGENT)])
#: A conversation is six messages at the most: in this time each may keep us waiting.
PATIENCE = ("--agent-timeout", "1.5", "--max-concurrency", "8")


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
    program.env["PYTHONPATH"] = os.pathsep.join([str(folder / "site"), str(ROOT), str(ROOT / "src")])
    program.env[MEMORY_FILE] = str(folder / "memory")
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


def chosen(kinds: Sequence[str]) -> list[str]:
    return [word for kind in kinds for word in ("--kinds", kind)]


def stood(trialkit: Program, agent: str, kinds: Sequence[str]) -> None:
    """A run of these kinds: each has a verdict or an error, in time and in bounded memory, and the same in a replay."""
    mark = uuid.uuid4().hex
    flags = ["--agent-env", f"MARK={mark}"] if agent == OVER_STDIO else []
    done = trialkit("run", "hostile", "--agent", agent, *PATIENCE, *flags, *chosen(kinds))
    with RunFile(trialkit.last_run()) as run:
        rows = {row.case_id: row for row in run.trials()}
    errors = {kind for kind, row in rows.items() if row.outcome == "error"}
    assert done.status == (3 if errors else 0), done.text
    assert rows.keys() == set(kinds)
    assert all(row.outcome == "pass" or row.error for row in rows.values())
    assert {kind: row.elapsed_s for kind, row in rows.items() if (row.elapsed_s or 0) > LONGEST_S} == {}
    assert trialkit("replay", str(trialkit.last_run())).status == 0
    assert trialkit("report", str(trialkit.last_run()), "--format", "json", "-o", "report.json").status == 0
    memory = Path(trialkit.env[MEMORY_FILE])
    used = [int(told) for told in memory.read_text().split()]
    memory.unlink()  # the next run in this folder begins anew
    assert (len(used), max(used) < MOST_MB) == (3, True), used
    assert left_of(mark) == []


def test_hostile_programs(trialkit: Program) -> None:
    stood(trialkit, OVER_STDIO, QUICK)


def test_hostile_addresses(trialkit: Program) -> None:
    with HostileAddress() as address:
        stood(trialkit, address.url, [kind for kind in QUICK if kind in HTTP_KINDS] + list(FAULTS))


def test_an_agent_without_its_key_ends_the_run_at_once(trialkit: Program) -> None:
    done = trialkit("run", "hostile", "--agent", OVER_STDIO, *PATIENCE, *chosen([WITHOUT_KEY, "hangs at the start"]))
    assert (done.status, "stopped: the agent says: OPENAI_API_KEY is not set" in done.err) == (2, True), done.text
    assert f"trialkit resume {trialkit.last_run().relative_to(trialkit.folder)}" in done.err


def test_there_are_kinds_for_a_long_attack() -> None:
    assert len(KINDS) == len(set(KINDS)) >= 100
    assert len(HTTP_KINDS) == len(set(HTTP_KINDS)) >= 100
