"""The conversational suite among the examples: without tau, through the command line, offline."""

import json
import os
import tomllib
from pathlib import Path

import pytest

from tests.e2e.program import Program
from trialkit.runfile import RunFile

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "conversation"


@pytest.fixture
def trialkit(tmp_path: Path) -> Program:
    """With the example installed."""
    info = tmp_path / "router_suite-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: router-suite\nVersion: 1\n")
    points = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]["entry-points"]["trialkit.suites"]
    (info / "entry_points.txt").write_text(f"[trialkit.suites]\nrouter = {points['router']}\n")
    program = Program(tmp_path)
    program.env["PYTHONPATH"] = f"{tmp_path}{os.pathsep}{EXAMPLE}"
    return program


def run(trialkit: Program, script: Path) -> list[dict[str, object]]:
    done = trialkit("run", "router", "--model", f"scripted:{script}", "--user-model", f"scripted:{script}")
    assert done.status == 0, done.text
    with RunFile(trialkit.last_run()) as opened:
        return [dict(row.output or {}) | {"outcome": row.outcome} for row in opened.trials()]


def test_both_parties_call_their_tools_and_the_final_state_decides(trialkit: Program) -> None:
    outputs = run(trialkit, EXAMPLE / "script.json")
    assert [one["outcome"] for one in outputs] == ["pass", "pass"]
    actions = outputs[0]["actions"]
    assert isinstance(actions, list)
    calls = [(action["name"], action.get("by", "agent")) for action in actions if action["name"] != "respond"]
    assert calls == [
        ("look", "user"),
        ("line_status", "agent"),
        ("plug_in", "user"),
        ("reset_line", "agent"),
        ("look", "user"),
    ]
    assert outputs[0]["state"] == {"plugged": True, "line": True}
    assert trialkit("replay", str(trialkit.last_run())).status == 0


def hasty(trialkit: Program) -> Path:
    """Here the agent resets a line to a router that nobody plugged in."""
    replies = json.loads((EXAMPLE / "script.json").read_text())["replies"]
    first = [
        {"when": "not green", "tool_calls": [{"name": "reset_line"}]},
        {"when": "try again", "text": "Yes! ###STOP###"},
    ]
    script = trialkit.folder / "script.json"
    script.write_text(json.dumps({"replies": [*first, *replies]}))
    return script


def test_who_says_that_it_works_does_not_decide(trialkit: Program) -> None:
    assert [one["outcome"] for one in run(trialkit, hasty(trialkit))] == ["fail", "pass"]


def test_another_agent_can_go_on_from_a_step(trialkit: Program) -> None:
    run(trialkit, hasty(trialkit))
    arms = ("--trial", "unplugged/1", "--at", "4", "--trials", "2", "--model", f"scripted:{EXAMPLE / 'script.json'}")
    done = trialkit("branch", str(trialkit.last_run()), *arms)
    assert done.status == 0, done.text
    assert "what was changed moves it by +100" in " ".join(done.out.split())
    assert trialkit("replay", str(trialkit.last_run())).status == 0


def test_it_is_short() -> None:
    assert len((EXAMPLE / "router_suite.py").read_text().splitlines()) < 100
