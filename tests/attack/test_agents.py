"""Hostile agents over stdio: each conversation comes to a verdict or an error, and nothing of the agents is left."""

import os
import shlex
import sys
import uuid
from pathlib import Path

import pytest

from tests.attack.agents import KINDS, QUICK
from tests.e2e.program import Program
from trialkit.runfile import RunFile

ROOT = Path(__file__).resolve().parents[2]
AGENT = ROOT / "tests" / "attack" / "agents.py"
LONGEST_S = 10


@pytest.fixture
def trialkit(tmp_path: Path) -> Program:
    info = tmp_path / "site" / "hostile_suite-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: hostile-suite\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[trialkit.suites]\nhostile = tests.attack.hostile_suite:SUITE\n")
    program = Program(tmp_path)
    program.env["PYTHONPATH"] = os.pathsep.join([str(tmp_path / "site"), str(ROOT)])
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


def test_hostile_agents(trialkit: Program) -> None:
    mark = uuid.uuid4().hex
    agent = "stdio:" + shlex.join([sys.executable, str(AGENT)])
    kinds = [word for kind in QUICK for word in ("--kinds", kind)]
    options = ["--agent-env", f"MARK={mark}", "--agent-timeout", "2", "--max-concurrency", "8"]
    done = trialkit("run", "hostile", "--agent", agent, *options, *kinds)
    assert done.status == 3, done.text
    assert left_of(mark) == []
    with RunFile(trialkit.last_run()) as run:
        rows = {row.case_id: row for row in run.trials()}
    assert len(KINDS) > 100
    assert rows.keys() == set(QUICK)
    assert {row.outcome for row in rows.values()} == {"pass", "error"}
    assert all(row.error for row in rows.values() if row.outcome == "error")
    assert {kind: row.elapsed_s for kind, row in rows.items() if (row.elapsed_s or 0) > LONGEST_S} == {}
    assert trialkit("replay", str(trialkit.last_run())).status == 0
