"""The command line without a process of its own, which takes most of a short command's time."""

import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.e2e.program import Result
from trialkit.cli import _status

Command = Callable[..., Result]


@pytest.fixture
def trialkit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Iterator[Command]:
    """In a folder and with a cache of its own, and no keys."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRIALKIT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "120")

    def called(*arguments: object) -> Result:
        status = _status([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        return Result(status or 0, out, err)

    yield called
    gc.enable()  # a command that reads much does without
