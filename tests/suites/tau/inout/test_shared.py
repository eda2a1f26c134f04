"""Results of real models: what the files say, our environment says too, and what goes in comes out again."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.shared import shared_path
from tests.suites.tau.inout.runs import export, import_file, rescore
from trialkit.runfile import RunFile
from trialkit.stats import pass_hat_mean
from trialkit.suites.tau.importing import read_file

FILES = {
    "gpt-4o-airline.json": 200,
    "gpt-4.1-retail.json": 115,
    "grok-4-fast-retail.json": 115,
    "gemini-2.0-flash-retail-with-errors.json": 80,
}


@pytest.mark.parametrize("name", FILES)
def test_every_recorded_reward_is_ours(name: str) -> None:
    rescorer, rescored = rescore(shared_path("trajectories", name), shared_path("tau-bench"))
    assert rescorer.changed_tasks() == []
    assert [one.agrees for one in rescored].count(True) == FILES[name]
    assert [one.agrees for one in rescored].count(False) == 0
    for one in rescored:
        if one.verdict is not None and one.verdict.outcome == "fail":
            assert one.verdict.details["breakdown"]["class"] != "unexplained", one.entry.where


@pytest.mark.parametrize("name", [name for name in FILES if "retail" in name])
def test_every_recorded_observation_is_ours(name: str) -> None:
    """The airline's file is left out: it was recorded with older addresses."""
    _, rescored = rescore(shared_path("trajectories", name), shared_path("tau-bench"))
    assert sum(one.observations for one in rescored) > 500
    assert sum(one.differing for one in rescored) == 0


def test_what_the_customer_called_is_ours_too(tau2_home: Path) -> None:
    """tau2's own form, of a version later than the wheel: 427 of the 608 answers went to the customer."""
    _, rescored = rescore(shared_path("trajectories", "tau2-telecom-workflow-qwen3.5-27b.json"), tau2_home)
    assert [one.agrees for one in rescored] == [True] * 40
    assert sum(one.entry.reward == 1.0 for one in rescored) == 37
    assert (sum(one.observations for one in rescored), sum(one.differing for one in rescored)) == (608, 0)
    outputs = [one.entry.output for one in rescored if one.entry.output is not None]
    by_user = [action for output in outputs for action in output["actions"] if action.get("by") == "user"]
    assert len(by_user) == 427


def test_the_published_figures_come_out() -> None:
    entries = read_file(shared_path("trajectories", "gpt-4o-airline.json")).entries
    by_task: dict[str, list[bool]] = {}
    for entry in entries:
        by_task.setdefault(entry.task_id, []).append(entry.reward == 1.0)
    figures = [pass_hat_mean(list(by_task.values()), (k,)).value for k in (1, 2, 3, 4)]
    assert [f"{figure:.3f}" for figure in figures] == ["0.420", "0.273", "0.220", "0.200"]


def test_a_crash_is_no_fail(tmp_path_factory: pytest.TempPathFactory) -> None:
    entries = read_file(shared_path("trajectories", "gemini-2.0-flash-retail-with-errors.json")).entries
    assert sum(entry.error is not None for entry in entries) == 35
    ended = [entry.reward for entry in entries if entry.error is None]
    assert sum(reward or 0.0 for reward in ended) / len(ended) == 0.4125


@pytest.mark.parametrize("name", FILES)
def test_the_export_is_the_file_again(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    original = shared_path("trajectories", name)
    copy = tmp_path_factory.mktemp("imported") / name
    copy.write_bytes(original.read_bytes())
    run = import_file(copy)
    with RunFile(run) as opened:
        assert opened.info().subject == copy.stem
    assert [_bare(one) for one in json.loads(export(run))] == [_bare(one) for one in json.loads(original.read_text())]


def _bare(entry: dict[str, Any]) -> dict[str, Any]:
    """Without the empty fields that some clients add to messages."""
    for message in entry["traj"]:
        for name in [name for name, value in message.items() if value in (None, [], {}) and name != "content"]:
            del message[name]
        for call in message.get("tool_calls", ()):
            call.pop("index", None)
    return entry
