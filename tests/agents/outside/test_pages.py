"""The commands on the pages about agents, run as they are written."""

import asyncio
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.agents.fastworkflow.conftest import environment  # noqa: F401 - a fixture
from tests.agents.fastworkflow.script import Script, execute
from tests.e2e.program import Program, loaded
from tests.server import Action, Call, Protocol, Say, Server
from tests.shared import shared_path
from trialkit.agents.fastworkflow import Venv

ROOT = Path(__file__).resolve().parents[3]
BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
UV = '#!/bin/sh\n[ "$1" = run ] || exec {uv} "$@"\nshift; exec "$@"\n'


class Model:
    """Plays the ground truth: by tool calls where it is given tools, else in FastWorkflow's own way."""

    def __init__(self, tasks: list[dict[str, Any]]) -> None:
        self._plans = {task["instruction"]: task["actions"] for task in tasks}
        plans = {said: [execute(one["name"], one["kwargs"]) for one in plan] for said, plan in self._plans.items()}
        self._script = Script(plans)

    def __call__(self, body: dict[str, Any], protocol: Protocol) -> Action:
        if not body.get("tools"):
            return self._script(body, protocol)
        said = [message["content"] for message in body["messages"] if message["role"] == "user"]
        done = sum(message["role"] == "tool" for message in body["messages"])
        plan = self._plans.get(said[0], [{"name": "get_order", "kwargs": {"order_id": "A1"}}])
        if done < len(plan):
            return Say(text=None, calls=(Call(name=plan[done]["name"], arguments=plan[done]["kwargs"]),))
        return Say(text="That is done.")


@pytest.fixture
def server() -> Iterator[Server]:
    tasks = json.loads(shared_path("tau-bench", "retail", "tasks_test.json").read_text())
    with Server(Model(tasks)) as server:
        yield server


@pytest.mark.parametrize("page", ["agents", "fastworkflow"])
def test_the_commands_of_a_page(page: str, tmp_path: Path, server: Server, environment: Venv) -> None:  # noqa: F811 - the fixture
    program = Program(tmp_path)
    program.folder.joinpath("examples").symlink_to(ROOT / "examples")
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "agents").symlink_to(environment.folder.parent)
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    for name, text in {
        "uv": UV.format(uv=shutil.which("uv")),
        "trialkit": f'#!/bin/sh\nexec {shlex.join(loaded())} "$@"\n',
        "python": f'#!/bin/sh\nexec {sys.executable} "$@"\n',
    }.items():
        (bin_folder / name).write_text(text)
        (bin_folder / name).chmod(0o755)
    script = "\n".join(BLOCK.findall((ROOT / "docs" / f"{page}.md").read_text()))
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script.replace("http://localhost:8000/v1", server.openai_base)],
        cwd=tmp_path,
        env={
            **program.env,
            "TAU_BENCH_HOME": str(shared_path("tau-bench")),
            "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
        },
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr
    runs = script.count("trialkit run")
    assert len(program.run_files()) == runs
    assert len(re.findall(r"pass rate +\d/\d = 100.0%", done.stdout)) == runs


def test_the_class_on_the_page_is_an_agent() -> None:
    """As far as it can be seen without installing a package: it runs, and says something."""
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs" / "agents.md").read_text(), re.MULTILINE | re.DOTALL)
    (code,) = (block for block in blocks if "KIND =" in block)
    names: dict[str, Any] = {}
    exec(compile(code, "docs/agents.md", "exec"), names)  # noqa: S102 - our own page

    async def talk() -> str:
        agent = await names["KIND"].open(None)
        return str((await agent.hear("hello")).text)

    assert asyncio.run(talk()) == "You say: hello"
