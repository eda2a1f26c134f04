from pathlib import Path

import pytest

from tests.suites.tau.domains import TASKS, write_plain
from tests.suites.tau.inout.files import TASK
from tests.suites.tau.v2.tiny import Tiny


@pytest.fixture(autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Locks of run files go into a folder of the test's own."""
    monkeypatch.setenv("TRIALKIT_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """tau-bench's content for the tiny shop; task 0 is what our files have."""
    return write_plain(tmp_path / "content", tasks_test=[TASK, TASKS[1]])


@pytest.fixture
def mugs(tmp_path: Path) -> Path:
    """tau2's content for the tiny shop."""
    return Tiny(tmp_path / "content2").write()
