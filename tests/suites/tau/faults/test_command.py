"""`trialkit faults RUN`, as a user does it, against a real server."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.program import Program, Result
from tests.e2e.waiting import wait_for_requests
from tests.server import Call, Fault, Say, Server
from tests.suites.tau.faults.reviewer import AGENT, TOKENS, USER, Reviewer, records
from trialkit.runfile import RunFile
from trialkit.suites.tau.numbers import details

PRICES = {"reviewer": {"litellm_provider": "openai", "input_cost_per_token": 1e-5, "output_cost_per_token": 1e-4}}
ONE_CALL = TOKENS[0] * 1e-5 + TOKENS[1] * 1e-4
ENVIRON = {"OPENAI_API_KEY": "sk-not-a-key"}


@pytest.fixture
def priced(trialkit: Program) -> Program:
    path = trialkit.folder / "prices.json"
    path.write_text(json.dumps(PRICES))
    trialkit.env |= {"TRIALKIT_PRICES": str(path), **ENVIRON}
    return trialkit


def options(server: Server) -> list[str]:
    return ["--judge-model", "openai/reviewer", "--api-base", server.openai_base, "--max-concurrency", "1"]


def faults(trialkit: Program, run: Path, server: Server, *more: str) -> Result:
    return trialkit("faults", str(run), *options(server), "--retries", "0", *more)


def remarks(run: Path) -> list[list[dict[str, Any]]]:
    with RunFile(run) as opened:
        return [[dict(remark.data) for remark in row.remarks] for row in opened.trials()]


def test_failed_trials_are_judged_once(priced: Program, run: Path, server: Server, reviewer: Reviewer) -> None:
    reviewer.answers = [records(USER), records(AGENT)]
    done = faults(priced, run, server)
    assert done.status == 0, done.err
    assert "4 failed trials to judge, 0 judged already" in done.err
    assert len(reviewer.asked) == 4
    found = remarks(run)
    assert [len(one) for one in found] == [1, 1, 1, 1, 0, 0]
    assert {name: found[0][0][name] for name in USER} == USER
    assert found[1][0]["type_reason"] == AGENT["type_reason"]
    assert len(found[0][0]["prompt_sha256"]) == 64
    assert "agent" in done.out
    assert "used_wrong_tool_argument" in done.out
    assert f"cost of the fault judge so far: ${4 * ONE_CALL:.4f}" in done.out
    again = faults(priced, run, server)
    assert again.status == 0
    assert "0 failed trials to judge, 4 judged already" in again.err
    assert len(reviewer.asked) == 4


def test_counts_and_cost_are_in_the_reports(priced: Program, run: Path, server: Server, reviewer: Reviewer) -> None:
    reviewer.answers = [records(USER), records(AGENT)]
    faults(priced, run, server)
    with RunFile(run) as opened:
        counts = details(opened).metrics["faults"]
    assert counts["openai/reviewer@v1"]["fault"]["agent"]["count"]["value"] == 3
    told = json.loads(priced("report", str(run), "--format", "json").out)
    assert told["metrics"]["faults"] == counts
    assert told["metrics"]["roles"]["fault judge, later"]["cost_usd"]["value"] == pytest.approx(4 * ONE_CALL)
    assert told["metrics"]["pass_rate"]["n"] == 5  # verdicts are as they were
    assert "Whose fault, says openai/reviewer@v1" in priced("report", str(run)).out


def test_the_tool_is_forced_and_the_conversation_shown(
    priced: Program, run: Path, server: Server, reviewer: Reviewer
) -> None:
    faults(priced, run, server)
    body = reviewer.asked[0]
    assert body["tool_choice"] == "required"
    assert "Hello, cancel it." in body["messages"][1]["content"]


def test_an_unreadable_reply_is_asked_for_once_more(
    priced: Program, run: Path, server: Server, reviewer: Reviewer
) -> None:
    reviewer.answers = [Say(text="The agent, I think."), records(AGENT)]
    assert faults(priced, run, server).status == 0
    assert len(reviewer.asked) == 5
    assert "cannot be read" in reviewer.asked[1]["messages"][-1]["content"]


def test_then_it_is_recorded_as_an_error_and_asked_again_next_time(
    priced: Program, run: Path, server: Server, reviewer: Reviewer
) -> None:
    reviewer.answers = [Say(text="Who knows?"), Say(text="Not me."), records(AGENT)]
    done = faults(priced, run, server)
    assert done.status == 3
    assert "1 trial without a fault that could be read" in done.err
    assert "fault" not in remarks(run)[0][0]
    assert "cannot be read" in remarks(run)[0][0]["error"]
    assert len(reviewer.asked) == 5
    again = faults(priced, run, server)
    assert (again.status, len(reviewer.asked)) == (0, 6)
    assert remarks(run)[0][-1]["fault"] == "agent"


def test_a_model_that_fails_is_an_error_too(priced: Program, run: Path, server: Server, reviewer: Reviewer) -> None:
    reviewer.answers = [records(AGENT), Fault(kind="context_overflow")]
    done = faults(priced, run, server)
    assert done.status == 3
    assert [("error" in one[0]) for one in remarks(run)[:4]] == [False, True, True, True]


def test_a_bad_key_stops_at_once(priced: Program, run: Path, server: Server, reviewer: Reviewer) -> None:
    reviewer.answers = [Fault(kind="bad_key")]
    done = faults(priced, run, server)
    assert done.status == 2
    assert len(reviewer.asked) == 1
    assert remarks(run) == [[]] * 6


def test_max_cost_stops_and_the_same_command_goes_on(
    priced: Program, run: Path, server: Server, reviewer: Reviewer
) -> None:
    done = faults(priced, run, server, "--max-cost", str(2.5 * ONE_CALL))
    assert done.status == 130
    assert "2 trials left; the same command goes on with them" in done.err
    assert len(reviewer.asked) == 2
    assert faults(priced, run, server).status == 0
    assert len(reviewer.asked) == 4


def test_max_cost_needs_a_price(trialkit: Program, run: Path, server: Server, reviewer: Reviewer) -> None:
    trialkit.env |= ENVIRON
    done = faults(trialkit, run, server, "--max-cost", "1")
    assert done.status == 2
    assert "--max-cost cannot be kept" in done.err
    assert reviewer.asked == []


def test_a_kill_loses_nothing_that_was_paid(priced: Program, run: Path, server: Server, reviewer: Reviewer) -> None:
    server.hold(after=2)
    process = priced.start("faults", str(run), *options(server))
    wait_for_requests(server, 3, process)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=100)
    assert process.returncode == -signal.SIGKILL
    server.release()
    assert faults(priced, run, server).status == 0
    assert len(reviewer.asked) == 5  # only the one on its way was lost
    assert [len(one) for one in remarks(run)] == [1, 1, 1, 1, 0, 0]


def test_an_interrupt_can_be_gone_on_from(priced: Program, run: Path, server: Server, reviewer: Reviewer) -> None:
    server.hold()
    process = priced.start("faults", str(run), *options(server), alone=True)
    wait_for_requests(server, 1, process)
    process.send_signal(signal.SIGINT)
    server.release()
    said, _ = process.communicate(timeout=100)
    assert process.returncode == 130
    assert "the same command goes on" in said
    assert faults(priced, run, server).status == 0
    assert len(reviewer.asked) == 4


def test_two_judges_stand_side_by_side(priced: Program, run: Path, server: Server, reviewer: Reviewer) -> None:
    faults(priced, run, server)
    (priced.folder / "fault_prompts").mkdir()
    (priced.folder / "fault_prompts" / "strict.txt").write_text("Be strict.")
    reviewer.answers = [records(USER)]
    assert faults(priced, run, server, "--judge-prompt", "strict").status == 0
    with RunFile(run) as opened:
        counts = details(opened).metrics["faults"]
    assert {author: list(parts["fault"]) for author, parts in counts.items()} == {
        "openai/reviewer@v1": ["agent"],
        "openai/reviewer@strict": ["user"],
    }


def test_runs_of_other_suites_have_no_faults(priced: Program, server: Server) -> None:
    priced("run", "commodity", "--model", "baseline", "--ids", "S01")
    done = faults(priced, priced.last_run(), server)
    assert done.status == 2
    assert "a run of commodity; a fault is found in runs of tau-bench/airline, tau-bench/retail, tau2/" in done.err


def test_a_text_with_call_is_read_from_the_call(priced: Program, run: Path, server: Server, reviewer: Reviewer) -> None:
    reviewer.answers = [Say(text="Let me see.", calls=(Call(name="record_fault", arguments=USER),))]
    assert faults(priced, run, server).status == 0
    assert remarks(run)[0][0]["fault"] == "user"
