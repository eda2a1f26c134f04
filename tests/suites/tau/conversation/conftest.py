from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server import Server
from tests.suites.tau.conversation.stage import Stage


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with Server() as server:
        yield Stage(tmp_path, server)
