"""A model call: what it took, and what was sent, which a run file has but the hash of."""

import json
import re
from html import unescape
from pathlib import Path

import pytest

import trialkit

from .conftest import Viewer

SUITE = """
cases: [{id: S1, text: "My lamp is <b>dark</b>.", team: repairs}]
prompt: "Which team? {{ text }}"
judges: {team: {label: "{{ team }}", classes: [repairs, sales]}}
"""


@pytest.fixture
def run(tmp_path: Path) -> Path:
    (tmp_path / "teams.yaml").write_text(SUITE)
    with trialkit.ScriptedModel(lambda request: "repairs") as model:
        return trialkit.run(tmp_path / "teams.yaml", model=model.name, output_dir=tmp_path).path


def call_link(viewer: Viewer, run: Path) -> str:
    trial = viewer.ask(f"/trial?run={run.name}&case=S1&trial=1")[1]
    return unescape(re.findall(r'data-loads="(/call[^"]*)"', trial)[0])


def test_a_call_tells_what_it_took_and_what_came_back(viewer: Viewer, run: Path) -> None:
    status, text, _ = viewer.ask(call_link(viewer, run))
    assert status == 200
    assert "&#34;text&#34;: &#34;repairs&#34;" in text
    assert "<b>dark" not in text


def test_what_was_sent_is_heard_by_playing_the_trial_again(viewer: Viewer, run: Path) -> None:
    page = viewer.ask(call_link(viewer, run))[1]
    values = unescape(re.findall(r'data-values="([^"]*)"', page)[0])
    status, text = viewer.write("/request", values)
    assert status == 200
    assert json.loads(text)["messages"] == [{"role": "user", "content": "Which team? My lamp is <b>dark</b>."}]


def test_a_request_that_is_not_in_the_trial_is_refused(viewer: Viewer, run: Path) -> None:
    page = viewer.ask(call_link(viewer, run))[1]
    values = json.loads(unescape(re.findall(r'data-values="([^"]*)"', page)[0]))
    status, text = viewer.write("/request", json.dumps({**values, "key": "0" * 64}))
    assert (status, "there is no call" in text) == (400, True)
