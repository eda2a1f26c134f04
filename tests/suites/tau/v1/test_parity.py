"""Every recorded line of the reference, to the byte."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.shared import shared_path
from tests.suites.tau.domains import NAMES, shared_domain
from trialkit.suites.tau import Action

#: Python's own words about a bad call or value: they differ between versions of Python, so any error is equal to them.
_PYTHONS_WORDS = re.compile(
    r"Error: (.*\.invoke\(\) .*|.*\(<string>, line \d\)|'[^']*'|unhashable type: .*|.* object (is not|has no) .*)",
    re.DOTALL,
)


def lines(name: str) -> Iterator[dict[str, Any]]:
    with shared_path("parity", name).open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def as_text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


@pytest.mark.parametrize("name", NAMES)
def test_call_sequences_match_the_recordings(name: str) -> None:
    domain = shared_domain(name)
    for line in lines(f"{name}-calls.jsonl"):
        session = domain.open()
        for call in line["calls"]:
            recorded, observation = call["observation"], session.call(call["name"], call["kwargs"])
            if not (observation.startswith("Error:") and _PYTHONS_WORDS.fullmatch(recorded)):
                assert observation == recorded, (line["id"], call["name"], call["kwargs"])
        assert as_text(session.changed()) == as_text(line["changed"]), line["id"]


@pytest.mark.parametrize("name", NAMES)
def test_episodes_earn_the_recorded_reward(name: str) -> None:
    domain = shared_domain(name)
    for line in lines(f"{name}-episodes.jsonl"):
        assert line["done"], "every recorded episode ended"
        score = domain.score(domain.tasks(line["split"])[line["task"]], line["actions"])
        assert score.reward == line["reward"], (line["id"], line["how"], score.why)
        assert (score.reward == 1.0) == (score.why.rows == () and score.why.missing_outputs == ())


@pytest.mark.parametrize(
    ("name", "split", "count"),
    [("retail", "test", 115), ("retail", "train", 500), ("retail", "dev", 20), ("airline", "test", 50)],
)
def test_the_ground_truth_earns_the_full_reward(name: str, split: str, count: int) -> None:
    domain = shared_domain(name)
    tasks = domain.tasks(split)
    assert len(tasks) == count
    for task in tasks:
        said = Action(name="respond", kwargs={"content": ", ".join(task.outputs)})
        assert domain.score(task, [*task.actions, said]).reward == 1.0, task.id
