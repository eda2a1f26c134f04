"""`trialkit models`, and who is told that a model ends."""

import json

from tests.cli.conftest import Command
from trialkit.models import find_models

SNAPSHOT = "openai/gpt-4o-2024-08-06"
ENDED = "openai/computer-use-preview-2025-03-11"


def test_the_command_and_the_warnings(trialkit: Command) -> None:
    shown = trialkit("models", SNAPSHOT)
    assert (shown.status, "2027-01-14" in shown.out, "tools vision" in shown.out) == (0, True, True)
    data = json.loads(trialkit("models", SNAPSHOT, "--format", "json").out)
    assert data["models"][0]["usd_per_token_in_a_batch"] == {"input": 1.25e-06, "output": 5e-06}
    assert data["listed_on"] in shown.out
    unknown = trialkit("models", "nothing-like-it")
    assert (unknown.status, unknown.out) == (2, "")
    (ended,) = find_models(ENDED)
    assert ended.facts.ends
    for command in ("plan", "check"):
        warned = trialkit(command, "commodity", "--model", ENDED, "--judge-model", SNAPSHOT, "--judge", "rules")
        assert "has ended on" in warned.err
