"""--tools-as text: a server that knows no tools runs the commodity suite, its judge's forced tool included."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command
from tests.server import Action, Protocol, Raw, Say, Server

_ALERT = {"commodity_code": "CORN", "condition": "below", "threshold_price": 4.1, "notes": "Protects."}


def toolless(body: dict[str, Any], _protocol: Protocol) -> Action:
    """Refuses tools, and plays the analyst who writes calls as text."""
    if "tools" in body or "tool_choice" in body:
        return Raw(body=b'{"error": {"message": "tools are not enabled here"}}', status=400)
    call = {"name": "create_alert", "arguments": _ALERT}
    return Say(text=f"A fall would hurt.\n```json\n{json.dumps(call)}\n```")


def test_a_run_without_tools(trialkit: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k" * 20)
    asked = ("run", "commodity", "--model", "openai/m", "--judge", "rules", "--ids", "S01", "--output-dir", "out")
    with Server(toolless) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.openai_base)
        assert trialkit(*asked, "--name", "native").status != 0
        done = trialkit(*asked, "--tools-as", "text", "--name", "text")
        assert done.status == 0, done.err
        assert "create_alert" in server.requests[-1].body["messages"][0]["content"]
    (run,) = Path("out").glob("*text*.trial")
    assert trialkit("replay", str(run)).status == 0
    shown = trialkit("show", str(run), "S01").out
    assert "create_alert" in shown
    assert "A fall would hurt." in shown
    assert "```" not in shown


def test_any_other_way_is_refused(trialkit: Command) -> None:
    refused = trialkit("run", "commodity", "--model", "baseline", "--tools-as", "xml")
    assert (refused.status, "'xml' is not" in refused.err) == (2, True)
