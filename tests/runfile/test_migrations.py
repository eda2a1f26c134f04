"""A new column is a migration and a field: `files/column.diff`, which docs/contributing.md shows, is all it takes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.runfile.test_kept_files import written
from tests.runfile.writing import planned
from trialkit.errors import InputError
from trialkit.runfile import Label, RunFile, write_labels
from trialkit.runfile.schema import MIGRATIONS

ROOT = Path(__file__).resolve().parents[2]
DIFF = Path(__file__).parent / "files" / "column.diff"
_USE = """
import sys
from pathlib import Path
from trialkit.errors import InputError
from trialkit.runfile import Label, RunFile, write_labels
path = Path(sys.argv[1])
with RunFile(path) as run:
    print([label.seconds for trial in run.trials() for label in trial.labels], file=sys.stderr)
write_labels(path, [(1, Label(annotator="new", outcome="pass", critique="", seconds=2.5))], {})
with RunFile(path) as run:
    print([label.seconds for label in run.trial(1).labels])
    print([label.seconds for trial in run.results() for label in trial.labels if label.annotator == "new"])
"""


@pytest.fixture
def changed(tmp_path: Path) -> dict[str, str]:
    """An environment with the source as the diff makes it."""
    source = tmp_path / "changed" / "src"
    shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run(["git", "apply", str(DIFF)], cwd=source.parent, check=True)
    return {**os.environ, "PYTHONPATH": str(source)}


@pytest.mark.parametrize("name", ["now", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9"])
def test_a_column_is_one_migration_and_one_field(name: str, tmp_path: Path, changed: dict[str, str]) -> None:
    path = planned(tmp_path / "now.trial") if name == "now" else written(name, tmp_path)
    if name == "now":
        write_labels(path, [(1, Label(annotator="ann", outcome="pass", critique=""))], {})
    done = subprocess.run(
        [sys.executable, "-c", _USE, str(path)], env=changed, capture_output=True, text=True, check=False
    )
    assert done.stdout == "[None, 2.5]\n[2.5]\n", done.stderr
    report = [sys.executable, "-m", "trialkit", "report", str(path)]
    if name != "now":
        assert subprocess.run(report, env=changed, capture_output=True, check=False).returncode == 0


def test_a_file_of_a_newer_version_is_refused(tmp_path: Path, changed: dict[str, str]) -> None:
    path = planned(tmp_path / "x.trial")
    subprocess.run([sys.executable, "-c", _USE, str(path)], env=changed, capture_output=True, check=True)
    with pytest.raises(InputError, match=f"this one knows {len(MIGRATIONS)}"):
        RunFile(path)
