"""A new column is a migration and a field: `files/column.diff`, which docs/contributing.md shows, is all it takes."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.runfile.test_kept_files import written
from tests.runfile.writing import planned
from trialkit.errors import InputError
from trialkit.runfile import Label, RunFile, write_labels
from trialkit.runfile.schema import MIGRATIONS

ROOT = Path(__file__).resolve().parents[2]
DIFF = Path(__file__).parent / "files" / "column.diff"
_USE = """
import json
import sys
from contextlib import redirect_stdout
from pathlib import Path
from trialkit.cli import _status
from trialkit.errors import InputError
from trialkit.runfile import Label, RunFile, write_labels
for path in map(Path, sys.argv[1:]):
    with RunFile(path) as run:
        told = [[label.seconds for trial in run.trials() for label in trial.labels]]
    write_labels(path, [(1, Label(annotator="new", outcome="pass", critique="", seconds=2.5))], {})
    with RunFile(path) as run:
        told.append([label.seconds for label in run.trial(1).labels])
        told.append([label.seconds for trial in run.results() for label in trial.labels if label.annotator == "new"])
    with redirect_stdout(sys.stderr):
        told.append(_status(["report", str(path)]) or 0)
    print(json.dumps(told))
"""
NAMES = ["now", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10"]


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Any]]:
    """By the source as the diff makes it: each file, and what it was found to hold before and after."""
    folder = tmp_path_factory.mktemp("changed")
    source = folder / "src"
    shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run(["git", "apply", str(DIFF)], cwd=folder, check=True)
    paths = [planned(folder / "now.trial"), *(written(name, folder) for name in NAMES[1:])]
    write_labels(paths[0], [(1, Label(annotator="ann", outcome="pass", critique=""))], {})
    done = subprocess.run(
        [sys.executable, "-c", _USE, *map(str, paths)],
        env={**os.environ, "PYTHONPATH": str(source)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return dict(zip(NAMES, zip(paths, map(json.loads, done.stdout.splitlines()), strict=True), strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_a_column_is_one_migration_and_one_field(name: str, used: dict[str, tuple[Path, Any]]) -> None:
    before, first, new, status = used[name][1]
    assert set(before) == {None}
    assert (first, new, status) == ([None, 2.5], [2.5], 0)


def test_a_file_of_a_newer_version_is_refused(used: dict[str, tuple[Path, Any]]) -> None:
    with pytest.raises(InputError, match=f"this one knows {len(MIGRATIONS)}"):
        RunFile(used["now"][0])
