from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.court import Court
from tests.e2e.program import Program
from tests.server import Server


@pytest.fixture
def trialkit(tmp_path: Path) -> Program:
    return Program(tmp_path)


@pytest.fixture
def court() -> Court:
    return Court()


@pytest.fixture
def server(court: Court) -> Iterator[Server]:
    with Server(court) as server:
        yield server
