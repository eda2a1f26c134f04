"""The tau suites as a user runs them."""

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.program import Program, Result
from tests.server import Action, Hang, Protocol, Say, Server
from tests.shared import shared_path
from tests.suites.tau.conversation.stage import CANCEL_CALL, DONE, LOOK_CALL, STOP, TASKS
from tests.suites.tau.domains import write_plain
from trialkit.runfile import RunFile

_SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "evaluate_tau_bench.py"


class Shopkeeper:
    """Answers from what was said so far alone, as often as it is asked: look, cancel, reply; ask, stop."""

    def __init__(self) -> None:
        self.hang_at: int | None = None  # the request, counted from 1, that is not answered
        self.hanging = threading.Event()
        self.asked = 0

    def __call__(self, body: dict[str, Any], _protocol: Protocol) -> Action:
        self.asked += 1
        if self.asked == self.hang_at:
            self.hanging.set()
            return Hang()
        said: int = sum(message["role"] == "assistant" for message in body["messages"])
        if body["model"] == "user":
            return Say(text=["Cancel my order, please.", STOP][said])
        steps: list[Action] = [Say(text="", calls=(LOOK_CALL,)), Say(text="", calls=(CANCEL_CALL,)), DONE]
        return steps[said]


@pytest.fixture
def keeper() -> Shopkeeper:
    return Shopkeeper()


@pytest.fixture
def shop_server(keeper: Shopkeeper) -> Iterator[Server]:
    with Server(keeper) as server:
        yield server


@pytest.fixture
def arguments(trialkit: Program, shop_server: Server) -> list[str]:
    """A run of one task against the server."""
    shop = write_plain(trialkit.folder / "shop", tasks_test=TASKS)
    models = ["--model", "openai/agent", "--user-model", "openai/user", "--api-base", shop_server.openai_base]
    return ["run", "tau-bench/retail", *models, "--data-dir", str(shop), "--task-ids", "0"]


@pytest.mark.parametrize(
    ("domain", "split", "tasks"),
    [("retail", "test", 115), ("retail", "train", 500), ("retail", "dev", 20), ("airline", "test", 50)],
)
def test_the_oracle_earns_every_reward_of_tau_bench(trialkit: Program, domain: str, split: str, tasks: int) -> None:
    data = str(shared_path("tau-bench"))
    done = trialkit("run", f"tau-bench/{domain}", "--agent", "oracle", "--task-split", split, "--data-dir", data)
    assert done.status == 0, done.err
    _all_passed(trialkit, tasks)


@pytest.mark.parametrize(("domain", "tasks"), [("retail", 114), ("airline", 50)])
def test_the_oracle_earns_every_reward_of_tau2(trialkit: Program, domain: str, tasks: int, tau2_home: Path) -> None:
    done = trialkit("run", f"tau2/{domain}", "--agent", "oracle", env={"TAU2_DATA_DIR": str(tau2_home)})
    assert done.status == 0, done.err
    _all_passed(trialkit, tasks)


def _all_passed(trialkit: Program, tasks: int) -> None:
    report = json.loads(trialkit.last_run().with_suffix(".json").read_text())
    assert report["metrics"]["pass_rate"]["value"] == 1.0
    assert report["metrics"]["pass_rate"]["n"] == tasks


def test_a_run_its_export_and_its_replay(trialkit: Program, arguments: list[str], keeper: Shopkeeper) -> None:
    done = trialkit(*arguments, "--trials", "2")
    assert done.status == 0, done.err
    report = json.loads(trialkit.last_run().with_suffix(".json").read_text())
    assert set(report["metrics"]["roles"]) == {"agent", "user"}
    (case,) = report["cases"]
    assert [trial["outcome"] for trial in case["trials"]] == ["pass", "pass"]
    assert case["trials"][0]["output"]["messages"][0]["content"] == "Cancel my order, please."
    asked = keeper.asked
    replayed = trialkit("replay", str(trialkit.last_run()))
    assert replayed.status == 0, replayed.text
    assert "identical: 2 trials" in replayed.out
    assert keeper.asked == asked


@pytest.mark.parametrize("killed_at", [1, 2, 3, 4, 5])
def test_a_conversation_goes_on_after_a_kill_without_asking_again(
    trialkit: Program, arguments: list[str], shop_server: Server, keeper: Shopkeeper, killed_at: int
) -> None:
    keeper.hang_at = killed_at
    process = trialkit.start(*arguments, "--no-cache")
    assert keeper.hanging.wait(30)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    done = trialkit("resume", str(trialkit.last_run()), "--no-cache")
    assert done.status == 0, done.err
    bodies = [json.dumps(seen.body) for seen in shop_server.requests]
    assert len(bodies) == 6  # five calls, and the one that was not answered once more
    assert bodies[killed_at] == bodies[killed_at - 1]
    assert len(set(bodies)) == 5
    with RunFile(trialkit.last_run()) as run:
        assert [trial.outcome for trial in run.trials()] == ["pass"]
        assert len(run.calls()) == 5
    assert trialkit("replay", str(trialkit.last_run())).status == 0


def test_resume_leaves_an_edited_report_alone(trialkit: Program, arguments: list[str]) -> None:
    assert trialkit(*arguments).status == 0
    run = trialkit.last_run()
    report = run.with_suffix(".json")
    assert "was edited" not in trialkit("resume", str(run)).err
    report.write_text("mine")
    done = trialkit("resume", str(run))
    assert done.status == 0
    assert report.read_text() == "mine"
    assert "was edited" in done.err
    assert json.loads((report.parent / f"{report.stem}-2.json").read_text())["metrics"]


def test_what_was_paid_before_a_kill_serves_the_next_run_too(
    trialkit: Program, keeper: Shopkeeper, arguments: list[str]
) -> None:
    keeper.hang_at = 4
    process = trialkit.start(*arguments)
    assert keeper.hanging.wait(30)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert trialkit("resume", str(trialkit.last_run())).status == 0
    assert keeper.asked == 6
    assert trialkit(*arguments).status == 0
    assert keeper.asked == 6


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--task-ids", "7"], "has no task 7"),
        (["--task-split", "night"], "has no split 'night'"),
        (["--agent", "orakel"], "did you mean oracle"),
        (["--user-strategy", "silent"], "--user-strategy"),
        (["--max-steps", "0"], "--max-steps"),
        (["--data-dir", "nowhere"], "trialkit data fetch tau-bench"),
        (["--agent", "few-shot"], "--few-shot-displays-path"),
    ],
)
def test_bad_input_is_exit_status_2_with_a_fix(
    trialkit: Program, arguments: list[str], more: list[str], says: str, keeper: Shopkeeper
) -> None:
    done = trialkit(*arguments, *more)
    assert done.status == 2
    assert says in done.err
    assert keeper.asked == 0
    assert not trialkit.run_files()


def test_missing_content_and_a_missing_key_are_told_with_a_fix(trialkit: Program) -> None:
    absent = trialkit("run", "tau2/retail", "--agent", "oracle")  # the program has an empty cache of its own
    assert absent.status == 2
    assert "trialkit data fetch tau2" in absent.err
    shop = write_plain(trialkit.folder / "shop")
    keyless = trialkit("run", "tau-bench/retail", "--data-dir", str(shop), "--model", "openai/gpt-4o")
    assert keyless.status == 2
    assert "OPENAI_API_KEY" in keyless.err
    assert "--agent oracle" in keyless.err


@pytest.fixture
def script(trialkit: Program) -> Callable[..., Result]:
    def run(*arguments: str) -> Result:
        done = subprocess.run(
            [sys.executable, str(_SCRIPT), *arguments],
            cwd=trialkit.folder,
            env=trialkit.env,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return Result(done.returncode, done.stdout, done.stderr)

    return run


def test_the_seeds_command_works(
    trialkit: Program, arguments: list[str], shop_server: Server, script: Callable[..., Result]
) -> None:
    place = ["--data-dir", str(trialkit.folder / "shop"), "--api-base", shop_server.openai_base]
    model = ["--model", "agent", "--provider", "openai", "--user-model", "user", "--user-model-provider", "openai"]
    more = ["--env", "retail", "--task-ids", "0", "1", "--max-concurrency", "10", "--max-steps", "9"]
    done = script(*model, *place, *more, "--temperature", "0.5", "--clear-cache", "false", "--log-dir", "logs")
    assert done.status == 0, done.err
    assert "stored replies forgotten" not in done.err
    (path,) = (trialkit.folder / "logs").glob("*.trial")
    with RunFile(path) as run:
        settings = run.info().settings
        assert [case.id for case in run.cases()] == ["0", "1"]
    assert (settings["temperature"], settings["max_steps"], settings["max_concurrency"]) == (0.5, 9, 10)
    assert script(*model, *place, "--env", "airline").status == 2


@pytest.mark.parametrize("ids", [["0,1"], ["0", "1"], ["0,", "1"], ["0", "--task-ids", "1"]])
@pytest.mark.parametrize("suite", [["tau-bench", "--env", "retail"], ["tau-bench/retail", "--env=retail"]])
def test_tau_benchs_own_way_to_name_domain_and_tasks(trialkit: Program, suite: list[str], ids: list[str]) -> None:
    place = ["--data-dir", str(write_plain(trialkit.folder / "shop")), "--agent", "oracle"]
    done = trialkit("run", *suite, "--task-ids", *ids, *place)
    assert done.status == 0, done.err
    with RunFile(trialkit.last_run()) as run:
        assert run.info().suite == "tau-bench/retail"
        assert [case.id for case in run.cases()] == ["0", "1"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["tau-bench", "--env", "telecom"], "there is no suite 'tau-bench/telecom'"),
        (["tau-bench", "--env"], "there is no suite 'tau-bench/'"),
        (["tau-bench/retail", "--env", "airline"], "the suite named is tau-bench/retail"),
        (["commodity", "--env", "retail"], "No such option"),
    ],
)
def test_a_domain_that_is_none_is_told(trialkit: Program, arguments: list[str], says: str) -> None:
    done = trialkit("run", *arguments)
    assert (done.status, says in done.err) == (2, True), done.err


def test_a_shuffled_run_lists_the_trials_of_a_case_in_order(trialkit: Program) -> None:
    place = ["--data-dir", str(write_plain(trialkit.folder / "shop")), "--agent", "oracle", "--task-ids", "0"]
    assert trialkit("run", "tau-bench/retail", *place, "--trials", "8", "--shuffle").status == 0
    with RunFile(trialkit.last_run()) as run:
        assert [trial.number for trial in run.trials()] != list(range(1, 9))
    (case,) = json.loads(trialkit("report", str(trialkit.last_run()), "--format", "json").out)["cases"]
    assert [trial["trial"] for trial in case["trials"]] == list(range(1, 9))


def test_the_seeds_switches(
    trialkit: Program, arguments: list[str], shop_server: Server, script: Callable[..., Result]
) -> None:
    place = ["--data-dir", str(trialkit.folder / "shop"), "--task-ids", "0", "--agent-strategy", "oracle"]
    assert "stored replies forgotten" in script(*place, "--clear-cache").err
    clash = script(*place, "--use-reasoning")
    assert (clash.status, "--use-reasoning asks for the agent react" in clash.err) == (2, True)
