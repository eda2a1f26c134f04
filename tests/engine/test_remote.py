"""Trials in another process: what an executor elsewhere is told is enough, and everything goes over the seam."""

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.engine.piped import PipedExecutor
from tests.engine.remote_suite import RemoteSettings, RemoteSuite
from tests.engine.tiny import Model, Screen, replies
from tests.engine.wire import from_data, to_data
from trialkit.engine import Finished, resume, start
from trialkit.errors import ModelError
from trialkit.models import Message, Reply, Request, ToolCall
from trialkit.runfile import RecordedTrial, RunFile, TrialRecord
from trialkit.suites import Role, found
from trialkit.vocabulary import Finding, Usage, Verdict


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    info = tmp_path / "site" / "remote_suite-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: remote-suite\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[trialkit.suites]\nremote = tests.engine.remote_suite:SUITE\n")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    found.installed_suite.cache_clear()


def run(folder: Path, model: Model, **settings: Any) -> Finished:
    """Only this end has the model; the worker's suite says nothing of how to reach it."""
    roles = {"model": Role(open=model.connection)}
    suite = type("Ours", (RemoteSuite,), {"roles": lambda *_: roles})()
    values = {"output_dir": folder / "runs", "use_cache": False, "max_concurrency": 2, "seed": 3, **settings}
    return asyncio.run(start(suite, RemoteSettings.model_validate(values), Screen, PipedExecutor))


def trials(finished: Finished) -> list[RecordedTrial]:
    with RunFile(finished.path) as file:
        return file.trials()


def output(trial: RecordedTrial) -> Mapping[str, Any]:
    assert trial.output is not None, trial.error
    return trial.output


def test_trials_run_in_another_process_and_each_call_is_committed_before_they_go_on(tmp_path: Path) -> None:
    model = replies("yes")
    finished = run(tmp_path, model, cases=3)
    assert not finished.reason
    ended = trials(finished)
    assert [one.outcome for one in ended] == ["pass"] * 3
    (pid,) = {output(one)["pid"] for one in ended}
    assert pid != os.getpid()
    assert {output(one)["said"] for one in ended} == {f"from {pid}"}  # an exchange is sent from where the trial runs
    assert [output(one)["committed"] for one in ended] == [[1, 2]] * 3
    assert len(model.asked) == 6
    assert len({request.seed for request in model.asked}) == 3
    with RunFile(finished.path) as file:
        assert len(file.calls()) == 9
        kinds = [event.kind for event in file.transcript(ended[0].id)]
    assert kinds == ["asking", "reply", "asking", "reply", "reply"]


def test_a_fault_of_a_model_comes_back_as_one(tmp_path: Path) -> None:
    (trial,) = trials(run(tmp_path, replies(ModelError("context_overflow", "too long")), cases=1))
    assert (trial.error_kind, trial.error, trial.outcome) == ("context_overflow", "too long", "error")


def test_the_budget_is_kept_across_processes_and_the_run_goes_on_from_its_recorded_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = replies("yes")
    finished = run(tmp_path, first, cases=3, max_concurrency=1, max_cost=3.5)
    assert finished.over_budget
    assert [one.outcome for one in trials(finished)] == ["pass", None, None]
    again = replies("yes")
    roles = {"model": Role(open=again.connection)}
    monkeypatch.setattr(RemoteSuite, "roles", lambda *_: roles)
    done = asyncio.run(resume(finished.path, {"max_cost": 9.0}, Screen, PipedExecutor, errors_too=False))
    assert not done.reason
    assert [one.outcome for one in trials(done)] == ["pass"] * 3
    assert len(first.asked) + len(again.asked) == 6


def test_what_goes_over_the_seam_is_plain_data() -> None:
    request = Request(
        messages=(
            Message(role="assistant", tool_calls=(ToolCall(id="1", name="a", arguments="{}"),), state={"x": {"y": 1}}),
        ),
        temperature=0.5,
    )
    assert from_data(Request, to_data(request)) == request
    reply = Reply(
        text="t", usage=Usage(input_tokens=1, output_tokens=2), tool_calls=(ToolCall(id="1", name="a", arguments=""),)
    )
    assert from_data(Reply, to_data(reply)) == reply
    verdict = Verdict(outcome="scored", score=0.5, critique="", findings=(Finding(check="c", met=None, evidence=""),))
    record = TrialRecord(output={"a": [1]}, verdicts=(verdict,), started="now", elapsed_s=1.0)
    assert from_data(TrialRecord, to_data(record)) == record
