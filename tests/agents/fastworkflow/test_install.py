"""`trialkit agents install fastworkflow`, with a program in the place of uv; the other tests here use the real one."""

import os
import signal
from pathlib import Path

import pytest

from tests.e2e.program import Program
from tests.e2e.waiting import wait_for

#: Makes a folder that looks like an environment; installs nothing, and waits for whoever holds the gate.
UV = """#!/bin/sh
echo "$1 $2" >> "$OUT/asked"
if [ "$1" = venv ]; then
    mkdir -p "$5/bin"; printf '#!/bin/sh\\necho "[]"\\n' > "$5/bin/python"; chmod +x "$5/bin/python"; exit 0
fi
if [ -p "$OUT/gate" ]; then touch "$OUT/waiting"; read -r _ < "$OUT/gate"; fi
exit "$STATUS"
"""
INSTALL = ("agents", "install", "fastworkflow", "--slim")
FOLDER = "fastworkflow-2.30.1-slim"


@pytest.fixture
def trialkit(tmp_path: Path) -> Program:
    program = Program(tmp_path)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "uv").write_text(UV)
    (tmp_path / "bin" / "uv").chmod(0o755)
    program.env |= {"OUT": str(tmp_path), "STATUS": "0", "PATH": f"{tmp_path / 'bin'}{os.pathsep}{program.env['PATH']}"}
    return program


def made(tmp_path: Path) -> list[str]:
    return sorted(path.name for path in (tmp_path / "cache" / "agents").iterdir() if path.is_dir())


def test_twice_is_once(trialkit: Program, tmp_path: Path) -> None:
    assert trialkit(*INSTALL).status == 0
    assert made(tmp_path) == [FOLDER]
    asked = (tmp_path / "asked").read_text()
    again = trialkit(*INSTALL)
    assert (again.status, (tmp_path / "asked").read_text()) == (0, asked)
    assert "is installed already" in again.out


def test_one_whose_python_has_gone_is_made_anew(trialkit: Program, tmp_path: Path) -> None:
    trialkit(*INSTALL)
    python = tmp_path / "cache" / "agents" / FOLDER / "bin" / "python"
    python.unlink()
    assert trialkit(*INSTALL).status == 0
    assert python.exists()


def test_what_fails_leaves_nothing(trialkit: Program, tmp_path: Path) -> None:
    trialkit.env["STATUS"] = "1"
    done = trialkit(*INSTALL)
    assert (done.status, made(tmp_path)) == (2, [])
    assert "nothing was installed" in done.out
    assert "`uv pip install` failed with status 1; it says why above" in done.err


def test_after_a_kill_the_next_one_waits_for_the_uv_that_goes_on(trialkit: Program, tmp_path: Path) -> None:
    """Two of them in one folder would make a mess of it."""
    os.mkfifo(tmp_path / "gate")
    with trialkit.start(*INSTALL) as first:
        wait_for((tmp_path / "waiting").exists)
        first.send_signal(signal.SIGKILL)
    before = (tmp_path / "asked").read_text()
    with trialkit.start(*INSTALL) as second:
        assert second.stdout is not None
        assert "another installation of it is under way" in second.stdout.readline()
        assert (tmp_path / "asked").read_text() == before
        gate = (tmp_path / "gate").open("w")
        (tmp_path / "gate").unlink()
        with gate:
            gate.write("go on\n")
        assert second.wait(60) == 0
    assert made(tmp_path) == [FOLDER]


@pytest.mark.parametrize("version", ["", "latest", "../../elsewhere", "2.30.1 ; x", "==2.30.1"])
def test_what_is_no_version_is_refused(trialkit: Program, tmp_path: Path, version: str) -> None:
    done = trialkit(*INSTALL, "--version", version)
    assert done.status == 2
    assert "not a version of FastWorkflow; write it like 2.30.1" in done.err
    assert not (tmp_path / "cache").exists()


def test_without_uv(trialkit: Program) -> None:
    trialkit.env["PATH"] = "/nowhere"
    done = trialkit(*INSTALL)
    assert done.status == 2
    assert "uv is not on the PATH" in done.err


def test_a_cache_that_cannot_be_written(trialkit: Program, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    done = trialkit(*INSTALL)
    assert done.status == 2
    assert "cannot be written (Not a directory); TRIALKIT_CACHE_DIR names another folder" in done.err
