from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.program import Program
from tests.server import Server
from tests.suites.tau.faults.reviewer import Reviewer
from tests.suites.tau.inout.files import GOOD, crash, entry, write


@pytest.fixture
def trialkit(tmp_path: Path) -> Program:
    return Program(tmp_path)


@pytest.fixture
def reviewer() -> Reviewer:
    return Reviewer()


@pytest.fixture
def server(reviewer: Reviewer) -> Iterator[Server]:
    with Server(reviewer) as server:
        yield server


@pytest.fixture
def run(trialkit: Program) -> Path:
    """Four trials that failed, one that passed, one that crashed."""
    failed = [entry(*GOOD, reward=0.0, trial=number) for number in range(4)]
    file = write(trialkit.folder, [*failed, entry(*GOOD, trial=4), crash(trial=5)])
    assert trialkit("import", str(file)).status == 3
    return trialkit.last_run()
