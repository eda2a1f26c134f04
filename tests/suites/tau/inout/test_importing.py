"""What an imported run file holds, and what scoring it again adds."""

from pathlib import Path
from typing import Any

import pytest

from tests.suites.tau.domains import load
from tests.suites.tau.inout.files import (
    DROP,
    GOOD,
    TASK,
    TAU2_GOOD,
    answer,
    crash,
    entry,
    says,
    simulation,
    tau2_results,
    user,
    write,
)
from tests.suites.tau.inout.runs import import_file, rescore, trials, verdicts_of
from tests.suites.tau.v2 import tiny
from trialkit.analysis.summary import summarize
from trialkit.errors import InputError
from trialkit.runfile import RunFile
from trialkit.suites import get_suite
from trialkit.suites.tau.importing import Rescorer, read_file

STEP_LIMIT = entry(user("Hi"), says("Hm?"), user("What?"), reward=0.0, info={"reward_info": None}, trial=1)
LAZY = (user("Hello, cancel it."), says("You get 30.3 back."), user("###STOP###"))


def done(shop: Path) -> tuple[dict[str, Any], ...]:
    """A conversation in which the environment says what ours says."""
    said = load("retail", shop).open().call(*DROP)
    return (*GOOD[:2], answer(said), *GOOD[3:])


def test_recorded_rewards_are_the_verdicts(tmp_path: Path) -> None:
    path = import_file(write(tmp_path, [entry(*GOOD), STEP_LIMIT, crash(trial=2)]))
    passed, cut, crashed = trials(path)
    assert [row.outcome for row in (passed, cut, crashed)] == ["pass", "fail", "error"]
    assert passed.decided is not None
    assert (passed.decided.judge, passed.decided.score) == ("recorded", 1.0)
    assert passed.decided.details["success_turn"] == 1
    assert passed.decided.details["costs_usd"] == {"user": 0.25}
    assert cut.decided is not None
    assert (cut.decided.score, cut.decided.details["end"]) == (0.0, "max_steps")
    assert crashed.error == "it broke"
    with RunFile(path) as run:
        means = summarize(run).means
    assert [(mean.measure.name, mean.figure.value) for mean in means] == [("pass", 0.5), ("reward", 0.5)]
    with RunFile(path) as run:
        assert run.info().state == "done"
        assert [event.kind for event in run.transcript(crashed.id)] == ["crash"]
        (case,) = run.cases()
        assert case.data["actions"] == TASK["actions"]
        summary = summarize(run)
    counts = summary.counts
    assert (counts.passed, counts.failed, counts.errors, summary.cost.value) == (1, 1, 1, None)  # not our spending


def test_an_imported_task_is_the_same_as_ours(tmp_path: Path, shop: Path, mugs: Path) -> None:
    """So that a run of ours can be held against it; of a task that the file does not tell nothing is known."""
    tau2 = write(tmp_path, tau2_results(simulation(*TAU2_GOOD)), "tau2.json")
    for path, suite, content in ((write(tmp_path, [entry(*GOOD)]), "retail", shop), (tau2, "tau2/retail", mugs)):
        found = get_suite(suite if "/" in suite else f"tau-bench/{suite}")
        own = found.content(found.settings.model_validate({"agent": "oracle", "data_dir": content})).cases[0]
        with RunFile(import_file(path)) as run:
            (case,) = run.cases()
        assert case.identity == found.identity(own)
    with RunFile(import_file(write(tmp_path, [crash()]), "tau-bench/retail")) as run:
        assert run.cases()[0].identity == ""


def test_a_task_that_the_file_does_not_tell_is_unknown_and_not_empty(tmp_path: Path) -> None:
    path = import_file(write(tmp_path, [crash()]), "tau-bench/retail")
    with RunFile(path) as run:
        (case,) = run.cases()
    assert (case.title, case.data["actions"], case.data["instruction"]) == ("task 0", None, None)


def test_rescoring_agrees_where_the_record_is_right(tmp_path: Path, shop: Path) -> None:
    file = write(tmp_path, [entry(*done(shop)), STEP_LIMIT, crash(trial=2)])
    rescorer, rescored = rescore(file, shop)
    assert [one.agrees for one in rescored] == [True, True, None]
    assert [one.why_not for one in rescored] == [None, None, "crashed when recorded"]
    assert [(one.observations, one.differing) for one in rescored] == [(1, 0), (0, 0), (0, 0)]
    assert rescorer.changed_tasks() == []
    passed, cut, crashed = trials(import_file(file, scored=verdicts_of(rescored)))
    assert [verdict.judge for verdict in passed.verdicts] == ["recorded", "environment"]
    assert cut.verdicts[1].details["breakdown"]["class"] == "max_steps"
    assert [verdict.judge for verdict in crashed.verdicts] == ["recorded"]


def test_rescoring_tells_what_differs_and_why(tmp_path: Path, shop: Path) -> None:
    file = write(tmp_path, [entry(*LAZY), entry(*GOOD, reward=0.0, trial=1)])
    _, (lazy, wronged) = rescore(file, shop)
    assert (lazy.agrees, wronged.agrees) == (False, False)
    assert lazy.verdict is not None
    assert lazy.verdict.score == 0.0
    assert lazy.verdict.details["breakdown"]["class"] == "missing_write"
    assert "orders #W1" in lazy.verdict.critique
    assert wronged.verdict is not None
    assert wronged.verdict.score == 1.0
    assert wronged.differing == 1  # "done" is not what the tool says
    row = trials(import_file(file, scored=verdicts_of([lazy])))[0]
    assert row.outcome == "pass"  # what was recorded stays


def test_a_task_is_scored_as_the_file_has_it(tmp_path: Path, shop: Path) -> None:
    other = TASK | {"outputs": ["something else"]}
    rescorer, (found,) = rescore(write(tmp_path, [entry(*GOOD, info={"task": other})]), shop)
    assert rescorer.changed_tasks() == ["0"]
    assert found.verdict is not None
    assert found.verdict.score == 0.0


def test_rescoring_needs_the_content(tmp_path: Path) -> None:
    results = read_file(write(tmp_path, [entry(*GOOD)]))
    with pytest.raises(InputError, match="name the right folder"):
        Rescorer(results, "test", tmp_path)


def test_tau2_is_rescored(tmp_path: Path, mugs: Path) -> None:
    good, lazy = simulation(*TAU2_GOOD), simulation(*TAU2_GOOD[:2], *TAU2_GOOD[4:], trial=1)
    _, (right, wrong) = rescore(write(tmp_path, tau2_results(good, lazy)), mugs)
    assert (right.agrees, wrong.agrees) == (True, False)


def test_tau2_assertions_are_taken_from_the_record(tmp_path: Path, mugs: Path) -> None:
    criteria = {"actions": [], "nl_assertions": ["It is kind."], "reward_basis": ["NL_ASSERTION"]}
    check = {"nl_assertion": "It is kind.", "met": True, "justification": "so kind"}
    judged = simulation(*TAU2_GOOD, reward_info={"reward": 1.0, "nl_assertions": [check]})
    unjudged = simulation(*TAU2_GOOD, trial=1)
    task = tiny.task(evaluation_criteria=criteria)
    _, (known, unknown) = rescore(write(tmp_path, tau2_results(judged, unjudged, tasks=[task])), mugs)
    assert known.agrees is True
    assert (unknown.agrees, unknown.why_not) == (None, "our environment cannot decide")
    assert unknown.verdict is not None
    assert unknown.verdict.outcome == "error"


def test_without_a_recorded_reward_ours_decides(tmp_path: Path, mugs: Path) -> None:
    file = write(tmp_path, tau2_results(simulation(*TAU2_GOOD, reward=None)))
    (alone,) = trials(import_file(file))
    assert alone.outcome == "error"
    _, rescored = rescore(file, mugs)
    (row,) = trials(import_file(file, scored=verdicts_of(rescored)))
    assert row.decided is not None
    assert (row.decided.judge, row.outcome) == ("environment", "pass")
