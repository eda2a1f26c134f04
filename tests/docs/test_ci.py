"""The steps of the workflow in docs/ci.md are run as GitHub runs them."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import yaml

from tests.docs.test_docs import ROOT, shims
from tests.e2e.court import Court
from tests.e2e.program import Program
from tests.server import Server

BLOCK = re.compile(r"^```yaml\n(.*?)^```", re.MULTILINE | re.DOTALL)
INSTALL = "uv tool install trialkit"


def steps() -> list[dict[str, Any]]:
    workflow, addition = BLOCK.findall((ROOT / "docs" / "ci.md").read_text(encoding="utf-8"))
    of_job = yaml.safe_load(workflow)["jobs"]["evaluate"]["steps"]
    return [step for step in [*of_job, *yaml.safe_load(addition)] if step.get("run", INSTALL) != INSTALL]


def test_the_workflow_reports_compares_and_fails_where_it_should(tmp_path: Path) -> None:
    folder, summary, court = tmp_path / "here", tmp_path / "summary.md", Court()
    folder.mkdir()
    path = f"{shims(tmp_path / 'bin')}{os.pathsep}{os.environ['PATH']}"
    with Server(court) as server:
        given = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "k", "GITHUB_STEP_SUMMARY": str(summary)}
        env = {**Program(folder).env, **given, "PATH": path}

        def run(step: dict[str, Any]) -> int:
            command = ["bash", "-e", "-c", step["run"]]
            return subprocess.run(command, cwd=folder, env=env, capture_output=True, check=False).returncode

        evaluate, report, compare = steps()
        assert [run(evaluate), run(report)] == [0, 0]
        shutil.move(folder / "eval_results", folder / "main")
        shutil.rmtree(folder / "cache")
        court.met = False
        assert [run(evaluate), run(compare)] == [1, 1]
    assert {"junit.xml", "report.html"} <= {file.name for file in folder.iterdir()}
    told = summary.read_text(encoding="utf-8")
    assert told.startswith("## commodity: ")
    assert "commodity: A against B" in told
    assert "worse" in told
