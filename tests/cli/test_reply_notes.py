"""A report tells what is particular to the replies of a run."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.e2e.waiting import by_rules
from tests.server import Say, Server, in_turn

CALL = '```json\n{"name": "create_alert", "arguments": {"commodity_code": "CORN"}}\n```'


def test_what_was_cut_off_and_what_was_written_as_text(trialkit: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    with Server(in_turn(Say(text=CALL), Say(text="No", stop="length"))) as server:
        done = trialkit("run", "commodity", *by_rules(server), "--ids", "S01,S02", "--max-concurrency", "1")
    assert done.status == 0, done.err
    said = " ".join(done.out.split())
    assert "1 reply holds a tool call as text (analyzer); the server's tool parser or chat template may be at" in said
    assert "1 (replies of the analyzer that reached the longest that it may write; --max-tokens allows more)" in said
    (run,) = Path("eval_results").glob("*.trial")
    analyzer = json.loads(trialkit("report", run, "--format", "json").out)["metrics"]["roles"]["analyzer"]
    assert (analyzer["cut_off"]["value"], analyzer["calls_as_text"]["value"], analyzer["told_costs"]["value"]) == (
        1,
        1,
        0,
    )
