"""What is left to do of a run, read from its run file."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.runfile.writing import call, case, ended, header, planned, write
from trialkit.engine.left import left_to_do, reopen_errors
from trialkit.models import Reply
from trialkit.runfile import CallRecord, PlannedTrial, RunFile, TrialRecord, create_run

SAID = Reply(text="said", cost=0.5)
CRASHED = replace(ended("error"), output=None, error="down", error_kind="server")


def had(folder: Path, trials: Sequence[tuple[int, TrialRecord]], *calls: CallRecord) -> Path:
    path = planned(folder / "x.trial", trials=3)
    asyncio.run(write(path, trials, calls))
    return path


def test_trials_that_ended_are_left_alone_and_an_answer_is_only_judged(tmp_path: Path) -> None:
    path = had(tmp_path, [(1, ended("pass")), (2, ended("error"))])
    reopen_errors(path)
    with RunFile(path) as run:
        jobs = left_to_do(run).jobs
    assert [(job.trial_id, job.case.id, job.number, job.output) for job in jobs] == [
        (2, "a", 2, {"text": "x"}),
        (3, "a", 3, None),
    ]


def test_replies_are_known_again_but_no_faults_and_nothing_of_later(tmp_path: Path) -> None:
    later = replace(call(3, Reply(text="whose fault", cost=9.0), "later"), phase="after")
    path = had(tmp_path, [], call(1, SAID, "one"), call(2, None, "two", error="down"), later)
    with RunFile(path) as run:
        left = left_to_do(run)
    assert {key: record.reply for key, record in left.recorded.items()} == {(1, "one", 0): SAID}
    assert (left.spent, left.unknown, left.dearest) == (0.5, False, {"agent": 0.5})


def test_money_that_was_spent_counts_the_dearest_call_and_one_of_unknown_price(tmp_path: Path) -> None:
    costs = [replace(SAID, cost=cost) for cost in (0.25, 1.0, 0.5, None)]
    stored = replace(call(2, replace(SAID, cost=None), "stored"), source="cache")
    with RunFile(had(tmp_path, [], *(call(1, said, str(n)) for n, said in enumerate(costs[:3])), stored)) as run:
        left = left_to_do(run)
    assert (left.spent, left.unknown, left.dearest) == (1.75, False, {"agent": 1.0})
    with RunFile(had(tmp_path / "other", [], *(call(1, said, str(n)) for n, said in enumerate(costs)))) as run:
        assert left_to_do(run).unknown


@pytest.mark.parametrize(
    ("trial", "phase", "reply", "anew"),
    [
        (CRASHED, "attempt", SAID, True),  # the same reply would crash it again
        (CRASHED, "attempt", None, False),  # a fault is asked anew anyway
        (CRASHED, "judge", SAID, False),
        (ended("error"), "judge", SAID, True),
        (ended("error"), "attempt", SAID, False),  # the answer is there
    ],
)
def test_what_led_to_an_error_is_asked_anew(
    trial: TrialRecord, phase: str, reply: Reply | None, anew: bool, tmp_path: Path
) -> None:
    record = replace(call(1, reply), phase=phase)  # type: ignore[arg-type]
    path = had(tmp_path, [(1, trial), (2, ended("fail"))], record)
    reopen_errors(path)
    with RunFile(path) as run:
        assert [job.trial_id for job in left_to_do(run).jobs] == [1, 3]
        assert [one.void for one in run.calls()] == [anew]


def test_a_trial_that_came_without_an_answer_stays_an_error(tmp_path: Path) -> None:
    path = tmp_path / "x.trial"
    create_run(path, header(), [case()], [PlannedTrial(case_id="a", number=1, ended=CRASHED)])
    reopen_errors(path)
    with RunFile(path) as run:
        assert left_to_do(run).jobs == ()
