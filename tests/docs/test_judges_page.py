"""docs/judges.md: each example is a judge, and says of the answers beside it what the page says."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.judges.kinds.trying import judge_of, verdict
from trialkit.judges.kinds import KINDS, NamedCall, NamedJudge, ToolUse
from trialkit.suites.files.judging import read_judges

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "judges.md").read_text()
ROWS = re.findall(r"^\| `(\w+)` \| `(\{.*\})` \| (.*) \| (.*) \|$", PAGE, re.MULTILINE)
BLOCKS = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
CODE = re.search(r"checks\.py <<'END'\n(.*?)^END", PAGE, re.MULTILINE | re.DOTALL)
CASE = {"team": "billing", "total": "1240", "sku": "AB", "text": "Why?", "truth": "So.", "old_answer": "No."}
REFUND, CLOSE = ToolUse(name="refund", arguments={"order": "AB", "why": "late"}), ToolUse(name="close", arguments={})


async def _reach(calls: Sequence[NamedCall]) -> Any:
    return {"lent": [arguments["book"] for _, arguments in calls]}


#: Of the kinds that look at more than the text: what passes, and what fails.
ATTEMPTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "tool_call": ({"calls": [REFUND]}, {"calls": [REFUND, CLOSE]}),
    "state": (
        {"text": "On Tuesday.", "state": {"lent": ["AB"]}, "reach": _reach},
        {"text": "On Tuesday.", "state": {"lent": []}, "reach": _reach},
    ),
    "python": ({"text": "ok"}, {"text": "long " * 50}),
    "cost": ({"cost": 0.01}, {"cost": 0.011}),
    "latency": ({"seconds": 5}, {"seconds": 5.1}),
}


def judges_of(text: str, folder: Path) -> list[NamedJudge]:
    judges, problems = read_judges(yaml.safe_load(text), None, folder)
    assert problems == []
    return [judge.prepared([CASE]) for judge in judges]


@pytest.mark.parametrize(("kind", "example", "passes", "fails"), ROWS)
def test_an_example_says_what_the_page_says(kind: str, example: str, passes: str, fails: str, tmp_path: Path) -> None:
    assert CODE is not None
    (tmp_path / "checks.py").write_text(CODE[1])
    (judge,) = judges_of(f"it: {example}", tmp_path)
    assert judge.kind.name == kind
    assert judge.explain(CASE)
    if kind == "model":
        return
    told = ATTEMPTS.get(kind, ({"text": passes.strip("`")}, {"text": fails.strip("`")}))
    assert [verdict(judge, case=CASE, **attempt).outcome for attempt in told] == ["pass", "fail"]


def test_every_kind_has_an_example() -> None:
    assert sorted(kind for kind, *_ in ROWS) == sorted(KINDS)


@pytest.mark.parametrize("block", BLOCKS)
def test_a_model_judge_of_the_page_is_one(block: str, tmp_path: Path) -> None:
    (judge,) = judges_of(block, tmp_path)
    assert judge.calls
    assert judge.explain(CASE)


@pytest.mark.parametrize(
    ("text", "found"),
    [("1.5 million", "1.5"), ("1/2", "2"), ("minus 5", "5"), ("(5)", "5"), ("1 234", "234"), ("15%", "15")],
)
def test_what_a_number_judge_does_not_read_is_told_as_it_is(text: str, found: str) -> None:
    assert text in PAGE
    assert verdict(judge_of("number", value=found), text).outcome == "pass"
