"""Packages that only some tests need, and that not every checkout has."""

import os
from importlib.util import find_spec

import pytest


def needs(package: str, how: str) -> None:
    """Without it the test is skipped, as `how` to have it says; in CI that is a failure."""
    if not _is_there(package):
        reason = f"needs {package}: {how}"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)


def _is_there(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # not even what it would be a part of
        return False
