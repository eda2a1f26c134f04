from pathlib import Path

import pytest

from tests.shared import shared_path
from trialkit.suites.tau.data.tau2_later import fetch_later


@pytest.fixture(scope="session")
def later(tau2_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """tau2 1.0.1: its tasks, laid over the wheel's files as `data fetch` does it."""
    cache = tmp_path_factory.mktemp("later")
    (cache / "data").mkdir()
    (cache / "data" / tau2_home.name).symlink_to(tau2_home)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("TRIALKIT_CACHE_DIR", str(cache))
        return fetch_later(lambda _: None, str(shared_path("tau2-1.0.1")))
