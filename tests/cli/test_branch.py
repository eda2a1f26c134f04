"""A trial goes on from one of its steps, and the step that decided it is found."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.cli.doors import WRONG, Opener, customer, write_suite
from trialkit import ScriptedModel
from trialkit.errors import ModelError
from trialkit.models import Reply, Request
from trialkit.runfile import RunFile

#: The greeting and what the user wants come first: then door N is opened in step N + 2.
_BEFORE = 2


def newest(folder: Path) -> Path:
    return max((folder / "eval_results").glob("*.trial"))


@pytest.fixture
def opener() -> Opener:
    return Opener(many=6, planted=4)


@pytest.fixture
def run(trialkit: Command, tmp_path: Path, opener: Opener) -> Iterator[Path]:
    """One that failed by its planted mistake; the model makes none any more."""
    write_suite(tmp_path, {"a": 6})
    with ScriptedModel(opener, "opener"), ScriptedModel(customer, "customer"), ScriptedModel(_wrong, "wrong"):
        models = ("--model", "scripted:opener", "--user-model", "scripted:customer")
        assert trialkit("run", "doors.yaml", *models, "--seed", 5, "--no-cache").status == 0
        opener.planted = None
        yield newest(tmp_path)


def _wrong(request: Request) -> Reply:
    return Opener(many=6, errs=1.0)(request)


def outcomes(path: Path) -> list[str | None]:
    with RunFile(path) as run:
        return [trial.outcome for trial in run.trials()]


def numbers(path: Path, trial: int = 1) -> list[int]:
    """Of the doors that were opened."""
    with RunFile(path) as run:
        calls = (run.trial(trial).output or {})["calls"]
    return [call["arguments"]["number"] for call in calls]


def test_what_came_before_is_rebuilt_and_what_comes_after_is_asked_anew(
    trialkit: Command, tmp_path: Path, run: Path
) -> None:
    done = trialkit("branch", run, "--trial", "a/1", "--at", _BEFORE + 4, "--trials", 3)
    assert done.status == 0, done.err
    assert "Before step 6 the chance to pass is 100.0% [43.9%, 100.0%] as it was." in done.out
    path = newest(tmp_path)
    assert outcomes(path) == ["pass"] * 3
    assert numbers(path) == [1, 2, 3, 4, 5, 6]
    with RunFile(run) as before, RunFile(path) as after:
        origin = after.trial(2).origin
        assert origin is not None
        assert (origin.run, origin.number, origin.step) == (run.name, 1, 6)
        was, now = before.calls(1), after.calls(2)
        assert [call.source for call in now] == ["cache"] * 4 + ["live"] * 5
        assert [call.reply for call in now[:4]] == [call.reply for call in was[:4]]
        seeds = {call.request_key for call in now[4:]} & {call.request_key for call in after.calls(1)[4:]}
        assert seeds == set()  # each asks with a seed of its own


def test_after_the_mistake_nothing_helps(trialkit: Command, tmp_path: Path, run: Path) -> None:
    assert trialkit("branch", run, "--trial", "a", "--at", _BEFORE + 5, "--trials", 2).status == 0
    assert outcomes(newest(tmp_path)) == ["fail"] * 2
    assert numbers(newest(tmp_path)) == [1, 2, 3, WRONG, 5, 6]


def test_the_run_is_one_like_any_other(trialkit: Command, tmp_path: Path, run: Path) -> None:
    assert trialkit("branch", run, "--trial", "a/1", "--at", 6, "--trials", 2).status == 0
    path = newest(tmp_path)
    replayed = trialkit("replay", path)
    assert replayed.status == 0, replayed.err
    assert "identical: 2 trials" in replayed.out
    assert f"step 6 of trial a/1 in {run.name}" in trialkit("show", path, "a/2").out
    assert "NO WHOLE TRIALS" in trialkit("report", path).out
    data = json.loads(trialkit("report", path, "--format", "json").out)
    assert data["cases"][0]["trials"][0]["origin"]["step"] == 6
    assert trialkit("compare", run, path).status == 0
    again = trialkit("branch", path, "--trial", "a/2", "--at", 8, "--trials", 1)  # a branch can be branched from
    assert again.status == 0, again.err
    assert numbers(newest(tmp_path)) == [1, 2, 3, 4, 5, 6]


def test_another_model_stands_beside_a_control(trialkit: Command, tmp_path: Path, run: Path) -> None:
    done = trialkit("branch", run, "--trial", "a/1", "--at", 6, "--model", "scripted:wrong", "--trials", 4)
    assert done.status == 0, done.err
    told = " ".join(done.out.split())
    assert "what was changed moves it by -100 [-100, -31] points" in told, told
    assert "control scripted:opener 4 4" in told
    assert "branch scripted:wrong 0 4" in told
    with RunFile(newest(tmp_path)) as made:
        assert made.info().settings["user_model"] == "scripted:customer"


def test_another_prompt_may_be_told(trialkit: Command, tmp_path: Path) -> None:
    (tmp_path / "order.md").write_text("Open the doors in order.")
    (tmp_path / "v2.md").write_text("Open no door twice.")
    write_suite(tmp_path, {"a": 2}, system="order.md")
    told: list[str] = []

    def agent(request: Request) -> Reply:
        told.append(request.messages[0].text)
        return Opener(many=2)(request)

    with ScriptedModel(agent, "agent"), ScriptedModel(customer, "customer"):
        models = ("--model", "scripted:agent", "--user-model", "scripted:customer")
        assert trialkit("run", "doors.yaml", *models, "--no-cache").status == 0
        told.clear()
        done = trialkit("branch", newest(tmp_path), "--trial", "a/1", "--at", 4, "--prompt", "v2.md", "--trials", 1)
    assert done.status == 0, done.err
    assert set(told) == {"Open the doors in order.", "Open no door twice."}


def test_a_trial_that_broke_off_is_tried_again_from_the_same_step(
    trialkit: Command, tmp_path: Path, run: Path, opener: Opener
) -> None:
    def broken(_request: Request) -> Reply:
        raise ModelError("content_filter", "no")

    with ScriptedModel(broken, "broken"):
        done = trialkit("branch", run, "--trial", "a/1", "--at", 6, "--model", "scripted:broken", "--trials", 1)
    assert done.status in {2, 3}, done.err
    path = newest(tmp_path)
    with ScriptedModel(opener, "broken"):
        resumed = trialkit("resume", "--errors", path)
    assert resumed.status == 0, resumed.err
    assert numbers(path) == [1, 2, 3, 4, 5, 6]


def test_the_decisive_step_is_found_and_what_was_tried_is_not_tried_again(
    trialkit: Command, tmp_path: Path, run: Path
) -> None:
    done = trialkit("branch", run, "--trial", "a/1", "--find-decisive", "--trials", 4)
    assert done.status == 0, done.err
    assert "Step 6 decided: by it the chance to pass moves by -100 [-100," in " ".join(done.out.split())
    assert f'open_door {{"number": {WRONG}}}' in done.out
    assert "7 steps to look at: about 24 trials" in done.err
    made = len(list((tmp_path / "eval_results").glob("*.trial")))
    again = trialkit("branch", run, "--trial", "a/1", "--find-decisive", "--trials", 4)
    assert again.out == done.out
    assert len(list((tmp_path / "eval_results").glob("*.trial"))) == made
    other = trialkit("branch", run, "--trial", "a/1", "--at", 3, "--temperature", 1, "--trials", 4)
    assert other.status == 0, other.err
    counted = trialkit("branch", run, "--trial", "a/1", "--find-decisive", "--trials", 4).out
    assert " 3       8   8  " in counted  # the control's, and none of the other arm's


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--trial", "b/1", "--at", "3"), "--trial b/1: no such trial; there are a/1"),
        (("--trial", "a/1", "--at", "40"), "--at 40: the trial has steps 1 to 10"),
        (("--trial", "a/1", "--at", "0"), "--at 0: the trial has steps 1 to 10"),
        (("--trial", "a/1"), "branch takes --at K, or --find-decisive"),
        (("--trial", "a/1", "--find-decisive", "--model", "openai/x"), "--find-decisive goes on as it was"),
        (("--trial", "a/1", "--at", "4", "--prompt", "v2"), "has no prompt with versions"),
    ],
)
def test_bad_input_is_told_in_a_sentence(trialkit: Command, run: Path, arguments: tuple[str, ...], said: str) -> None:
    done = trialkit("branch", run, *arguments)
    assert done.status == 2
    assert said in done.err
    assert done.err.count("\n") == 1


def test_a_state_that_comes_out_another_is_refused(trialkit: Command, run: Path) -> None:
    """The environment is not as it was then."""
    with closing(sqlite3.connect(run)) as db, db:
        db.execute("UPDATE events SET data = replace(data, 'door 1', 'gate 1') WHERE kind = 'observation'")
    done = trialkit("branch", run, "--trial", "a/1", "--at", 6, "--trials", 1)
    assert done.status == 2
    assert "step 6: the state there cannot be rebuilt" in done.err
    assert "door 1" in done.err
    assert "gate 1" in done.err


def test_a_run_without_recorded_replies_has_nothing_to_go_on_from(trialkit: Command) -> None:
    assert trialkit("run", "commodity", "--model", "baseline", "--trials", 1).status == 0
    done = trialkit("branch", "latest", "--trial", "S01/1", "--at", 1)
    assert done.status == 2
    assert "no model's replies are recorded of it" in done.err
