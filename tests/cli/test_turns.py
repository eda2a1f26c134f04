"""What reports call "calls" are those of models, where an agent tells them; else its turns are counted."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Command

SUITE = """\
cases: [{id: one, text: a}, {id: two, text: b}]
prompt: "{{ text }}"
tools: tools.py
judges: {said: {contains: done}}
"""
TOOLS = '''
def look(what: str) -> str:
    """Looks it up."""
    return what
'''
AGENTS = """
def silent(trial):
    def reply(text):
        trial.tools[0](what=text)
        return "done"
    return reply

def telling(trial):
    def reply(text):
        trial.spent(5, 6, model="gpt-5-mini", calls=3)
        return "done"
    return reply
"""


@pytest.fixture
def agents(tmp_path: Path, trialkit: Command) -> Command:
    for name, text in {"suite.yaml": SUITE, "tools.py": TOOLS, "agents.py": AGENTS}.items():
        (tmp_path / name).write_text(text)
    return trialkit


@pytest.mark.parametrize(
    ("name", "shown", "calls", "turns", "of_trial"),
    [("silent", "4 turns · ", None, 4, ""), ("telling", "6 calls · ", 6, 2, "3")],
)
def test_calls_are_those_of_models(
    agents: Command, name: str, shown: str, calls: int | None, turns: int, of_trial: str
) -> None:
    done = agents("run", "suite.yaml", "--agent", f"python:agents.py:{name}")
    assert done.status == 0, done.text
    assert re.search(rf"^  agent +{shown}", done.out, re.MULTILINE)
    role = json.loads(agents("report", "latest", "--format", "json").out)["metrics"]["roles"]["agent"]
    assert (role["calls"]["value"], role["turns"]["value"]) == (calls, turns)
    rows = csv.DictReader(io.StringIO(agents("report", "latest", "--format", "csv").out))
    assert [row["calls"] for row in rows] == [of_trial] * 2
