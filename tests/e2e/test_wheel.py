"""What is published: a wheel that runs by itself, with all that it reads, and a source archive that is small."""

import re
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.e2e.program import Program

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "trialkit"
MOST_BYTES = 1_500_000


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with both archives, made of packages that making this environment has brought along."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(["uv", "build", "--quiet", "--offline", "--out-dir", folder, ROOT], check=True)
    return folder


def test_the_archives_hold_what_is_read_and_little_else(built: Path) -> None:
    (wheel,), (archive,) = built.glob("*.whl"), built.glob("*.tar.gz")
    assert max(wheel.stat().st_size, archive.stat().st_size) < MOST_BYTES
    files = {path for path in SOURCE.rglob("*") if path.is_file() and path.suffix != ".pyc"}
    wanted = {path.relative_to(SOURCE.parent).as_posix() for path in files}
    assert wanted <= set(zipfile.ZipFile(wheel).namelist())
    with tarfile.open(archive) as held:
        tops = {name.split("/")[1] for name in held.getnames()}
    assert not tops & {"tests", "benchmarks", "docs", "uv.lock"}


def test_the_page_of_the_package_leads_somewhere(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as held:
        (name,) = (name for name in held.namelist() if name.endswith("/METADATA"))
        told = held.read(name).decode()
    links = re.findall(r"\]\(([^)]+)\)", told)
    assert len(links) > 20
    assert [link for link in links if not link.startswith("https://")] == []
    for part in (
        "Author: ",
        "Project-URL: Source, https://",
        "Programming Language :: Python :: 3.11",
        "Typing :: Typed",
    ):
        assert part in told


def test_a_fresh_environment_runs_the_wheel(built: Path, trialkit: Program) -> None:
    """With what the wheel declares to need and nothing else."""
    home = built / "venv"
    (wheel,) = built.glob("*.whl")
    python = home / "bin" / "python"
    sync = [
        "uv",
        "sync",
        "--quiet",
        "--offline",
        "--locked",
        "--no-dev",
        "--no-install-project",
        "--project",
        str(ROOT),
    ]
    subprocess.run(sync, env=trialkit.env | {"UV_PROJECT_ENVIRONMENT": str(home)}, check=True)
    install = ["uv", "pip", "install", "--quiet", "--offline", "--no-deps", "--python", str(python), str(wheel)]
    subprocess.run(install, check=True)
    program = str(home / "bin" / "trialkit")
    for words, shown in (
        (["run", "commodity", "--model", "baseline"], "10/10 = 100.0%"),
        (["init", "mine", "--from", "classify"], "trialkit run"),
    ):
        done = subprocess.run(
            [program, *words], cwd=trialkit.folder, env=trialkit.env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert shown in done.stdout
