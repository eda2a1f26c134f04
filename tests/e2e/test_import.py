"""`trialkit import`, `report --format tau-bench|tau2`: results in and out, as a user does it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.program import Program
from tests.shared import shared_path
from tests.suites.tau.domains import TASKS, write_plain
from tests.suites.tau.inout.files import GOOD, TASK, TAU2_GOOD, crash, entry, simulation, tau2_results, user, write
from tests.suites.tau.v2.tiny import Tiny


@pytest.fixture
def shop(tmp_path: Path) -> str:
    return str(write_plain(tmp_path / "content", tasks_test=[TASK, TASKS[1]]))


def report(trialkit: Program, form: str = "json") -> Any:
    done = trialkit("report", str(trialkit.last_run()), "--format", form)
    assert done.status == 0, done.err
    return json.loads(done.out)


def test_a_real_file_is_imported_and_rescored(trialkit: Program) -> None:
    file = shared_path("trajectories", "gpt-4o-airline.json")
    done = trialkit("import", str(file), "--rescore", "--data-dir", str(shared_path("tau-bench")), "--name", "gpt-4o")
    assert done.status == 0, done.err
    assert "re-scored 200 trials: 200 agree with the recorded reward, 0 differ" in done.out
    assert "of 1,164 observations 120 differ" in done.out
    told = report(trialkit)
    assert (told["run"]["suite"], told["run"]["subject"]) == ("tau-bench/airline", "gpt-4o")
    figures = [f"{figure['value']:.3f}" for figure in told["metrics"]["pass_hat_k"]]
    assert figures == ["0.420", "0.273", "0.220", "0.200"]
    assert told["metrics"]["failure_classes"]["wrong_arguments"]["count"]["value"] > 0
    assert len(report(trialkit, "tau-bench")) == 200
    assert (
        "identical"
        in trialkit("replay", str(trialkit.last_run()), env={"TAU_BENCH_HOME": str(shared_path("tau-bench"))}).out
    )


def test_crashes_are_told_and_counted_as_errors(trialkit: Program) -> None:
    file = write(trialkit.folder, [entry(*GOOD), crash(task_id=1)])
    done = trialkit("import", str(file))
    assert done.status == 3
    assert "1 trial had crashed" in done.err
    assert report(trialkit)["metrics"]["pass_rate"] == {
        "value": 1.0,
        "low": pytest.approx(0.0332, abs=1e-3),
        "high": 1.0,
        "n": 1,
    }


def test_why_it_failed_stands_beside_the_recorded_reward(trialkit: Program, shop: str) -> None:
    lazy = entry(GOOD[0], *GOOD[3:], reward=0.0)
    done = trialkit("import", str(write(trialkit.folder, [lazy])), "--rescore", "--data-dir", shop)
    assert done.status == 0, done.err
    report = trialkit("report", str(trialkit.last_run()), "--format", "json")
    ((trial,),) = [case["trials"] for case in json.loads(report.out)["cases"]]
    recorded, ours = trial["verdicts"]
    assert recorded["critique"].startswith("missing_write: cancel_pending_order(")
    assert recorded["critique"].endswith("The recorded reward is 0 (db 0).")
    assert recorded["details"]["breakdown"] == ours["details"]["breakdown"]
    assert ours["details"]["breakdown"]["class"] == "missing_write"


def test_flips_between_two_imported_runs_say_why(trialkit: Program, shop: str) -> None:
    runs = []
    for name, one in (("good", entry(*GOOD)), ("lazy", entry(GOOD[0], *GOOD[3:], reward=0.0))):
        done = trialkit("import", str(write(trialkit.folder, [one], f"{name}.json")), env={"TAU_BENCH_HOME": shop})
        assert done.status == 0, done.err
        runs.append(str(trialkit.last_run()))
    told = trialkit("compare", *runs, "--format", "md").out
    assert "was not done. The recorded reward is 0 (db 0)." in told


def test_what_differs_is_listed(trialkit: Program, shop: str) -> None:
    lazy = entry(GOOD[0], *GOOD[3:])
    done = trialkit(
        "import", str(write(trialkit.folder, [lazy, entry(*GOOD, trial=1)])), "--rescore", "--data-dir", shop
    )
    assert done.status == 0, done.err
    assert "task 0 trial 1: recorded 1, ours 0: missing_write: cancel_pending_order(" in done.out
    assert "Not met: the database" in done.out
    assert "1 agree with the recorded reward, 1 differ" in done.out


def test_tasks_that_are_not_ours_are_told(trialkit: Program, shop: str) -> None:
    other = entry(*GOOD, info={"task": TASK | {"outputs": []}})
    done = trialkit("import", str(write(trialkit.folder, [other])), "--rescore", "--data-dir", shop)
    assert "1 task of the file differ from the split test" in done.err


def test_what_cannot_be_compared_is_counted_with_the_reason(trialkit: Program, shop: str) -> None:
    untold = entry(*GOOD, task_id=99)
    del untold["info"]["task"]
    file = write(trialkit.folder, [entry(*GOOD), untold, crash(task_id=1), crash(task_id=1, trial=1)])
    done = trialkit("import", str(file), "--rescore", "--data-dir", shop)
    assert done.status == 3
    assert "re-scored 1 trial: 1 agree" in done.out
    assert "not compared, crashed when recorded: 2 trials\n" in done.out
    assert "not compared, task neither in the file nor in the split test: 1 trial\n" in done.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["absent.json"], "absent.json: cannot be read"),
        (["golden.csv"], "golden.csv: "),
        (["good.json", "--suite", "tau2/retail"], "results of tau-bench, but --suite says tau2/retail"),
        (["good.json", "bad.json"], "bad.json:1:2: not JSON"),
        (["good.json", "--rescore"], "trialkit data fetch tau-bench"),
        (["good.json", "--rescore", "--task-split", "dev", "--data-dir", "content"], "no split 'dev'"),
    ],
)
def test_bad_input_is_refused_before_anything_is_written(
    trialkit: Program, shop: str, arguments: list[str], said: str
) -> None:
    write(trialkit.folder, [entry(*GOOD)], "good.json")
    write(trialkit.folder, "[", "bad.json")
    write(trialkit.folder, "ID\n", "golden.csv")
    trialkit.env.pop("TAU_BENCH_HOME", None)
    done = trialkit("import", *arguments)
    assert done.status == 2
    assert said in done.err
    assert trialkit.run_files() == []


def test_each_file_becomes_a_run(trialkit: Program) -> None:
    one = write(trialkit.folder, [entry(*GOOD)], "one.json")
    other = write(trialkit.folder, tau2_results(simulation(*TAU2_GOOD)), "other.json")
    assert trialkit("import", str(one), str(other)).status == 0
    names = [path.name for path in trialkit.run_files()]
    assert ["tau-bench-retail-one" in names[0], "tau2-retail-some-model" in names[1]] == [True, True]


def test_a_format_of_the_other_benchmark_is_refused(trialkit: Program) -> None:
    trialkit("import", str(write(trialkit.folder, [entry(*GOOD)])))
    done = trialkit("report", str(trialkit.last_run()), "--format", "tau2")
    assert done.status == 2
    assert "has no format 'tau2'; there are console, csv, html, json, junit, md, parquet, tau-bench" in done.err
    assert trialkit("run", "commodity", "--model", "baseline", "--ids", "S01").status in {0, 3}
    assert trialkit("report", str(trialkit.last_run()), "--format", "tau-bench").status == 2


def test_a_run_of_our_own_is_exported_and_comes_back_the_same(trialkit: Program, shop: str) -> None:
    assert trialkit("run", "tau-bench/retail", "--agent", "oracle", "--data-dir", shop, "--trials", "2").status == 0
    exported = trialkit("report", str(trialkit.last_run()), "--format", "tau-bench", "-o", "out.json")
    assert exported.status == 0, exported.err
    first = json.loads((trialkit.folder / "out.json").read_text())
    assert {(one["task_id"], one["trial"], one["reward"]) for one in first} == {
        (task, trial, 1.0) for task in (0, 1) for trial in (0, 1)
    }
    assert first[0]["info"]["reward_info"]["info"] == {"r_actions": 1.0, "r_outputs": 1.0, "outputs": {"30.3": True}}
    done = trialkit("import", "out.json", "--rescore", "--data-dir", shop)
    assert done.status == 0, done.err
    assert "4 agree with the recorded reward, 0 differ" in done.out
    assert report(trialkit, "tau-bench") == first


def test_a_tau2_run_of_our_own_likewise(trialkit: Program, tmp_path: Path) -> None:
    mugs = str(Tiny(tmp_path / "content2").write())
    ran = trialkit("run", "tau2/retail", "--agent", "oracle", "--data-dir", mugs)
    assert ran.status == 0, ran.err
    first = report(trialkit, "tau2")
    (one,) = first["simulations"]
    assert (one["task_id"], one["trial"], one["termination_reason"], one["agent_cost"]) == ("t", 0, "user_stop", 0)
    assert one["reward_info"]["reward_breakdown"] == {"DB": 1.0, "COMMUNICATE": 1.0}
    assert first["info"]["environment_info"]["domain_name"] == "retail"
    write(trialkit.folder, first, "out.json")
    done = trialkit("import", "out.json", "--rescore", "--data-dir", mugs)
    assert done.status == 0, done.err
    assert "1 agree with the recorded reward, 0 differ; of 1 observations 0 differ" in done.out
    assert report(trialkit, "tau2") == first


def test_a_failed_run_of_our_own_keeps_its_end(trialkit: Program, shop: str) -> None:
    """A scripted model that says nothing: the agent fails, which tau-bench's format has no word for."""
    script = write(trialkit.folder, {"replies": [{"text": ""}]}, "silent.json")
    lines = trialkit.folder / "user.txt"
    lines.write_text("Hello\n")
    model = ["--model", f"scripted:{script}", "--user-strategy", "scripted", "--user-script", str(lines)]
    trialkit("run", "tau-bench/retail", *model, "--data-dir", shop, "--task-ids", "0")
    first = report(trialkit, "tau-bench")
    assert first[0]["info"]["trialkit"] == {"end": "agent_error"}
    write(trialkit.folder, first, "out.json")
    assert trialkit("import", "out.json").status == 0
    assert report(trialkit, "tau-bench") == first
    assert user("Hello") in first[0]["traj"]


def test_imported_trials_are_judged_again_without_anybodys_model(trialkit: Program, shop: str) -> None:
    lazy = entry(GOOD[0], *GOOD[3:])
    assert trialkit("import", str(write(trialkit.folder, [lazy]))).status == 0
    run = str(trialkit.last_run())
    done = trialkit("rejudge", run, env={"TAU_BENCH_HOME": shop})
    assert done.status == 0, done.text
    judges = json.loads(trialkit("align", run, "--format", "json").out)["judges"]
    assert {judge["judge"]: judge["pass_rate"]["value"] for judge in judges} == {"recorded": 1, "environment": 0}
