"""Every command in the README and the docs is run, as written, in a folder of its own."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.court import Court
from tests.e2e.program import Program, loaded
from tests.server import Server
from tests.shared import shared_path

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
BLOCK = re.compile(r"^```bash\n(.*?)^```", re.MULTILINE | re.DOTALL)
#: What stands for the installed program: `uv run X` is X of this environment; the tests do not start themselves.
UV = f"""#!/bin/sh
case "$1" in
  run) shift; [ "$1" = pytest ] && exit 0; exec "$@" ;;
  sync) exit 0 ;;
  pip) exec {shutil.which("uv")} "$@" ;;
esac
echo "the docs use uv $1, which this test does not know" >&2; exit 1
"""
SERVICE = {"reasoning": "risk", "suggestions": []}


def shims(folder: Path) -> Path:
    folder.mkdir()
    for name, text in {
        "uv": UV,
        "trialkit": f'#!/bin/sh\nexec {shlex.join(loaded())} "$@"\n',
        "python": f'#!/bin/sh\nexec {sys.executable} "$@"\n',
    }.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    return folder


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_commands_of_a_page_work(page: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    blocks = BLOCK.findall(page.read_text())
    if not blocks:
        return
    folder = tmp_path / "here"
    folder.mkdir()
    for name in ("examples", "scripts"):
        (folder / name).symlink_to(ROOT / name)
    program = Program(folder)
    with Server(Court()) as server:
        server.service = SERVICE
        script = "\n".join(blocks)
        data = {}
        if "tau" in script:
            shutil.copytree(request.getfixturevalue("tau2_home"), folder / "cache" / "data" / "tau2-26.3")
            data = {"TAU_BENCH_HOME": str(shared_path("tau-bench"))}
        script = script.replace("http://localhost:8080/analyze-positions", f"{server.url}/analyze")
        script = script.replace("http://localhost:8000/v1", server.openai_base)
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            cwd=folder,
            env={
                **program.env,
                **data,
                "ANTHROPIC_BASE_URL": server.url,
                "OPENAI_BASE_URL": server.openai_base,
                "PATH": f"{shims(tmp_path / 'bin')}{os.pathsep}{os.environ['PATH']}",
            },
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_pictures_in_the_readme_are_what_the_command_prints(tmp_path: Path) -> None:
    pictures = re.findall(r"^```text\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert len(pictures) == 2
    program = Program(tmp_path)
    program.env["COLUMNS"] = "98"
    printed = program("run", "commodity", "--model", "baseline").out
    assert all(picture.strip() in printed for picture in pictures)
