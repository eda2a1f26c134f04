import re
from importlib.resources import files
from pathlib import Path

from tests.suites.commodity.samples import LONG, SHORT, answer, scenario
from trialkit.suites.commodity.rows import read_golden
from trialkit.suites.commodity.rules import judge_by_rules

PACKAGE = files("trialkit.suites.commodity")
PAGE = Path(__file__).resolve().parents[3] / "docs" / "rules.md"


def test_the_prompts_name_their_tools() -> None:
    assert "`create_alert`" in (PACKAGE / "prompts/analyzer_prompts/v1.txt").read_text(encoding="utf-8")
    assert "`record_verdict`" in (PACKAGE / "prompts/judge_prompts/v1.txt").read_text(encoding="utf-8")


def test_the_analyzer_prompt_gives_no_answer_away() -> None:
    text = (PACKAGE / "prompts/analyzer_prompts/v1.txt").read_text(encoding="utf-8")
    assert not re.search(r"\d\.\d", text)
    assert all(row.id not in text for row in read_golden(Path(str(PACKAGE / "golden/scenarios.csv"))))
    assert "CORN" not in text


def test_the_rules_that_the_page_shows_are_decidable() -> None:
    page = PAGE.read_text(encoding="utf-8")
    shown = re.search(r"^    (must .*\|.*)$", page, re.MULTILINE)
    assert shown is not None
    inline = re.findall(r"`(must [a-z][^`A-Z…\[]*)`", page)
    assert len(inline) >= 3
    for rule in [*shown[1].split("|"), *inline]:
        (finding,) = judge_by_rules(scenario(rule, positions=(LONG, SHORT)), answer()).findings
        assert finding.met is False, rule
