"""A service on trial: what it says besides is its own affair, and what cannot be read of it is told loudly."""

import json
from collections.abc import Sequence

from tests.cli.conftest import Command
from tests.server import Raw, Server

ALERT = {"commodity_code": "CORN", "condition": "below", "threshold_price": 4.1, "notes": "stop-loss"}
RUN = ("run", "commodity", "--judge", "rules", "--ids", "S01", "--output-dir", "out")


def answered(trialkit: Command, suggestions: Sequence[object]) -> tuple[str, dict[str, object]]:
    """What the console says of a run with a service that always answers so, and the run's metrics."""
    body = {"reasoning": "so it is", "suggestions": suggestions}
    with Server(Raw(body=json.dumps(body).encode(), status=200)) as server:
        done = trialkit(*RUN, "--analyzer-url", f"{server.openai_base}/chat/completions")
    assert done.status == 0, done.err
    metrics: dict[str, object] = json.loads(trialkit("report", "out", "--format", "json").out)["metrics"]
    return " ".join(done.out.split()), metrics


def test_fields_of_its_own_are_ignored(trialkit: Command) -> None:
    said, metrics = answered(trialkit, [ALERT | {"id": 7, "confidence": 0.9}])
    assert "1/1 = 100.0%" in said
    assert "alformed" not in said.lower()
    assert metrics["malformed_suggestions"] == 0


def test_where_most_cannot_be_read_it_is_told_loudly(trialkit: Command) -> None:
    said, metrics = answered(trialkit, [{**ALERT, "threshold_price": "4.10"}] * 10)
    assert "MALFORMED: 10 of 10 suggestions could not be read and count as not made. The first:" in said
    assert '"threshold_price" must be a number' in said
    assert metrics["malformed_suggestions"] == 10


def test_one_among_good_ones_is_counted(trialkit: Command) -> None:
    said, metrics = answered(trialkit, [ALERT, ALERT, 7])
    assert "MALFORMED" not in said
    assert "malformed 1" in said
    assert metrics["malformed_suggestions"] == 1
