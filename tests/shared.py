"""Where the benchmark's data lies, for tests that need it: it is never part of the project."""

import os
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parents[1]


def shared_path(*parts: str) -> Path:
    """A file or folder of the shared data. Without it the test is skipped; in CI that is a failure."""
    folder = Path(os.environ.get("TRIALKIT_SHARED") or _ROOT.parent / "shared")
    if not folder.is_dir():
        reason = f"needs the benchmark's data: no folder {folder} (set TRIALKIT_SHARED to where it lies)"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return folder.joinpath(*parts)
