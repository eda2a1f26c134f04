"""Files that cannot be imported: the message names the file, the place, the value and what to do."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.suites.tau.inout.files import GOOD, TAU2_GOOD, entry, simulation, tau2_results, user, write
from trialkit.errors import InputError
from trialkit.suites.tau.importing import read_file


def refusal(path: Path, suite: str | None = None) -> str:
    with pytest.raises(InputError) as error:
        read_file(path, suite)
    assert str(path) in str(error.value)
    return str(error.value)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("[1,", ":1:4: not JSON"),
        ({"results": []}, "neither a list of results"),
        ([], "holds no results"),
        ([3], "entry 0: Input should be a valid dictionary (found 3); give the file as it was written"),
        ([entry(*GOOD), entry(*GOOD)], "entry 1: task 0, trial 0 was there before"),
        ([entry(*GOOD) | {"reward": "high"}], 'entry 0: reward: Input should be a valid number (found "high")'),
        ([entry(*GOOD) | {"reward": None}], "entry 0: reward: Input should be a valid number (found null)"),
        (
            [entry(*GOOD), entry(*GOOD, trial=1) | {"reward": 1e308}],
            "entry 1: reward: Input should be less than or equal to 1 (found 1e+308); give the file as it was written",
        ),
        ([entry(*GOOD) | {"reward": -3}], "entry 0: reward: Input should be greater than or equal to 0 (found -3)"),
        ([entry(*GOOD) | {"reward": float("nan")}], "entry 0: reward: Input should be"),
        ([entry(*GOOD) | {"trial": 10**30}], "entry 0: trial: Input should be less than 1000000000"),
        ([entry(*GOOD) | {"task_id": -1}], "entry 0: task_id: Input should be a valid string (found -1)"),
        ([entry(*GOOD) | {"trial": "x"}], 'entry 0: trial: Input should be a valid integer (found "x")'),
        ([entry(*GOOD) | {"traj": None}], "entry 0: traj: Input should be a valid list (found null)"),
        ([entry(*GOOD) | {"info": []}], "entry 0: info: Input should be a valid dictionary (found [])"),
        (
            [entry({"role": "judge"})],
            "entry 0: traj → 1 → role: Input should be 'system', 'user', 'assistant' or 'tool' (found \"judge\")",
        ),
        ([entry({"role": ["user"]})], "entry 0: traj → 1 → role: Input should be"),
        ([entry(user("Hi") | {"content": 3})], "entry 0: traj → 1 → content: Input should be a valid string (found 3)"),
        (
            [entry({"role": "assistant", "tool_calls": [{}]})],
            "traj → 1 → tool_calls → 0 → function: Field required (found {})",
        ),
        (
            [entry(*GOOD, info={"task": {"instruction": "x", "actions": [{}]}})],
            "info → task → actions → 0 → name: Field required (found {})",
        ),
        ([entry(user("Hi"), info={"task": None})], "do not tell the domain; say it with --suite"),
        (tau2_results(), "holds no simulations"),
        (
            tau2_results(simulation(*TAU2_GOOD, task_id=3)),
            "simulation 0: task_id: Input should be a valid string (found 3)",
        ),
        (
            tau2_results(simulation(*TAU2_GOOD, termination_reason="bored")),
            "simulation 0: termination_reason: Input should be 'user_stop', 'agent_stop'",
        ),
        (
            tau2_results(simulation(*TAU2_GOOD, reward=5.0)),
            "simulation 0: reward_info → reward: Input should be less than or equal to 1 (found 5",
        ),
        (tau2_results(simulation({"role": "judge"})), "simulation 0: messages → 0 → role: Input should be 'system'"),
        (tau2_results(simulation(*TAU2_GOOD), environment_info={"domain_name": "hotel"}), "'hotel'"),
        (tau2_results(simulation(*TAU2_GOOD), environment_info=None), "say --suite tau2/airline or tau2/retail"),
        (tau2_results(simulation(*TAU2_GOOD), tasks=[{"id": "t"}]), "tasks → 0 → user_scenario"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, value: Any, said: str) -> None:
    assert said in refusal(write(tmp_path, value))


def test_other_kinds_of_files_are_recognised(tmp_path: Path) -> None:
    database = tmp_path / "run.trial"
    with sqlite3.connect(database) as db:
        db.execute("CREATE TABLE t (x)")
    db.close()
    assert "nothing to import" in refusal(database)
    assert "a CSV cannot be made a run" in refusal(write(tmp_path, "ID,Outcome\n", "golden.csv"))
    assert "cannot be read" in refusal(tmp_path / "absent.json")
    latin = tmp_path / "latin.json"
    latin.write_bytes(b'["\xe9"]')
    assert "latin.json:1: byte 3 (0xe9) is not UTF-8" in refusal(latin)


def test_a_suite_of_the_other_benchmark_does_not_fit(tmp_path: Path) -> None:
    assert "results of tau-bench, but --suite says tau2/retail" in refusal(
        write(tmp_path, [entry(*GOOD)]), "tau2/retail"
    )
    path = write(tmp_path, tau2_results(simulation(*TAU2_GOOD)))
    assert "results of tau2, but --suite says tau-bench/airline" in refusal(path, "tau-bench/airline")
