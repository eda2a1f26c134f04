"""trialkit as a user runs it, but in this process: a folder, arguments, what is printed, an exit status."""

import os
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import click
import pytest

from tests.e2e.program import Result
from trialkit.cli import _status


class Here:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, *arguments: str) -> Result:
        out, err = StringIO(), StringIO()
        with chdir(self.folder), redirect_stdout(out), redirect_stderr(err):
            try:
                status = _status(arguments) or 0
            except click.exceptions.Exit as end:
                status = end.exit_code
        assert "Traceback" not in err.getvalue(), err.getvalue()
        return Result(status, out.getvalue(), err.getvalue())

    def write(self, **files: str) -> None:
        """`tickets_csv="…"` is the file tickets.csv."""
        for name, text in files.items():
            stem, _, ending = name.rpartition("_")
            (self.folder / f"{stem}.{ending}").write_text(text, encoding="utf-8")

    def last_run(self) -> str:
        return str(max((self.folder / "eval_results").glob("*.trial")))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Here:
    monkeypatch.setenv("TRIALKIT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "120")
    for name in [name for name in os.environ if name.endswith(("_API_KEY", "_BASE_URL"))]:
        monkeypatch.delenv(name)
    return Here(tmp_path)
