"""The forty tickets of benchmarks/first-hour, as far as trialkit goes; the other tools are not installed here."""

import runpy
import shutil
import threading
from pathlib import Path

import pytest

from tests.cli.conftest import Command

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks" / "first-hour"


def test_forty_tickets_in_ten_lines(trialkit: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = runpy.run_path(str(FOLDER / "server.py"))
    server = module["serve"]()
    monkeypatch.setitem(server.RequestHandlerClass.do_POST.__globals__, "LATENCY_S", 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    suite = shutil.copy(FOLDER / "trialkit" / "tickets.yaml", tmp_path)
    (tmp_path / "tickets.csv").write_bytes(runpy.run_path(str(FOLDER / "tickets.py"))["as_excel_writes_it"]())
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    done = trialkit("run", "tickets.yaml", "--trials", "1")
    server.shutdown()
    server.server_close()
    assert done.status == 0, done.err
    written = Path(suite).read_text()
    assert len(written.splitlines()) <= 10
    assert "trials: 3" in written
    assert "tickets.csv:2: not UTF-8; read as Windows-1252" in done.err
    assert "36/40 = 90.0% [77.0%, 97.2%]" in done.out
    assert "87.5% [73.8%, 95.8%]" in done.out  # of the rubric
