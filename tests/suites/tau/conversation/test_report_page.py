"""docs/json-report.md tells of every key that a tau trial leaves."""

import re
from pathlib import Path

from tests.suites.tau.conversation.stage import STOP, Stage
from trialkit.suites.tau.common.breakdown import CLASSES

DOCS = Path(__file__).resolve().parents[4] / "docs"


def told(page: str) -> set[str]:
    return set(re.findall(r"`([a-z_0-9]+)`", (DOCS / page).read_text(encoding="utf-8")))


def test_the_page_tells_of_every_key_of_output_and_details(stage: Stage) -> None:
    played = stage.play(agent=["Sorry, no."], user=["Cancel it.", STOP])
    details = played.verdict.details
    keys = {*played.output, *details, *details["parts"], *details["reward_info"], *details["breakdown"]}
    assert keys - told("json-report.md") == set()


def test_the_page_on_failures_tells_of_every_class() -> None:
    assert set(CLASSES) - told("faults.md") == {"unexplained"}
