"""The agents of docs/agents.md that are built with frameworks solve real tasks, and tell what they took."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.agents.real.parcels import Parcels
from tests.agents.real.retail import Retail

ROOT = Path(__file__).resolve().parents[3]
AGENTS = ROOT / "examples" / "agents"
SHOWN = ("langgraph_agent", "openai_agents_agent", "pydantic_ai_agent", "mcp_agent")
PACKAGES = {"langgraph_agent": "langchain", "openai_agents_agent": "agents", "pydantic_ai_agent": "pydantic_ai"}


@pytest.mark.parametrize("name", PACKAGES)
def test_a_framework_solves_two_tasks(name: str, retail: Retail, needs: Callable[[str], None]) -> None:
    needs(PACKAGES[name])
    trials = retail.tried(f"python:{AGENTS / name}.py:agent")
    assert [(trial.error, trial.decided and trial.decided.score) for trial in trials] == [(None, 1.0)] * 2
    asked = len(retail.server.requests)
    assert asked == sum(len(task.actions) + 1 for task in retail.tasks)
    assert sum(trial.cost or 0 for trial in trials) == pytest.approx(asked * (12 * 0.25 + 7 * 2) / 1e6)


@pytest.mark.parametrize("name", PACKAGES)
def test_a_framework_answers_the_cases_of_a_file(name: str, parcels: Parcels, needs: Callable[[str], None]) -> None:
    needs(PACKAGES[name])
    trials = parcels.tried(f"python:{AGENTS / name}.py:agent")
    assert [(trial.error, trial.outcome) for trial in trials] == [(None, "pass")] * 2


@pytest.mark.parametrize("name", SHOWN)
def test_the_page_shows_them_in_at_most_15_lines(name: str) -> None:
    code = (AGENTS / f"{name}.py").read_text()
    assert len(list(filter(str.strip, code.splitlines()))) <= 15
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs" / "agents.md").read_text(), re.MULTILINE | re.DOTALL)
    assert code in blocks
