"""What a command loads: not more than it needs, by name, for that is what it takes long to begin."""

import os
import subprocess
import sys

import pytest

from tests.e2e.program import Program

#: Each takes longer to load than `python -c pass` takes in all, most of them several times as long.
HEAVY = ("aiohttp", "asyncio", "jinja2", "jsonschema", "numpy", "pydantic", "rich", "sqlite3", "starlette", "yaml")
#: Of a command, what it may load of those.
BUDGETS = {
    "--help": (),
    "--version": (),
    "run commodity --model baseline": ("asyncio", "pydantic", "rich", "sqlite3"),
    "resume latest": ("asyncio", "pydantic", "rich", "sqlite3"),
    "report latest": ("rich", "sqlite3"),
    "report latest --format json": ("sqlite3",),
    "report latest --format csv": ("sqlite3",),
    "show latest": ("rich", "sqlite3"),
    "runs": ("rich", "sqlite3"),
    "trend": ("rich", "sqlite3"),
}
#: What only a terminal needs, in which lines move.
MOVING = ("rich.live", "rich.progress_bar")
_TOLD = """
import atexit, runpy, sys
from pathlib import Path
atexit.register(lambda: Path("loaded").write_text("\\n".join(sys.modules)))
runpy.run_module("trialkit", run_name="__main__", alter_sys=True)
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    program = Program(tmp_path_factory.mktemp("loading"))
    assert program("run", "commodity", "--model", "baseline").status == 0
    return program


@pytest.mark.parametrize("command", BUDGETS)
def test_a_command_loads_no_more_than_it_may(program: Program, command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _TOLD, *command.split()],
        cwd=program.folder,
        env={**os.environ, **program.env},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    loaded = set((program.folder / "loaded").read_text().split("\n"))
    assert "trialkit.cli" in loaded
    assert loaded & {*HEAVY, *MOVING} <= {*BUDGETS[command]}
