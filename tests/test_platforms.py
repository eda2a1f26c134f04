"""What a system lacks, trialkit does without, or says so."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def test_without_what_windows_lacks_trialkit_is_loaded_and_runs(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.on_windows", str(tmp_path)],
        cwd=ROOT,
        env=os.environ | {"TRIALKIT_CACHE_DIR": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "10/10 = 100.0%" in done.stdout
    assert "on Windows trialkit starts no agent's program" in done.stderr
    assert "FastWorkflow needs Linux or macOS" in done.stderr
    assert [*tmp_path.glob("*.trial")] != []
    assert [*tmp_path.glob(".*.lock")] == []  # it was given back
