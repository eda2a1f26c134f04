"""Judging again: another judge, another prompt, the same judge twice."""

import json
import shutil
import signal
import sqlite3
from contextlib import closing
from typing import Any

from tests.e2e.court import Court
from tests.e2e.program import Program
from tests.e2e.test_commodity import model
from tests.e2e.waiting import wait_for_requests
from tests.server import Fault, Hang, Server


def judges(trialkit: Program) -> dict[str, Any]:
    done = trialkit("align", str(trialkit.last_run()), "--format", "json")
    assert done.status == 0, done.err
    return {one["judge"]: one for one in json.loads(done.out)["judges"]}


def start(trialkit: Program, server: Server) -> str:
    done = trialkit("run", "commodity", *model(server), "--ids", "S01,S02,S06")
    assert done.status == 0, done.err
    return str(trialkit.last_run())


def test_rules_judge_a_run_again_offline_and_all_verdicts_stay(trialkit: Program, server: Server, court: Court) -> None:
    run = start(trialkit, server)
    asked = len(server.requests)
    done = trialkit("rejudge", run, "--judge", "rules")
    assert done.status == 0, done.text
    assert "3 trials judged by rules" in done.out
    assert len(server.requests) == asked
    found = judges(trialkit)
    assert set(found) == {"llm:openai/judge@v1", "rules"}
    assert found["llm:openai/judge@v1"]["decides"]
    assert not found["rules"]["decides"]
    assert found["rules"]["pass_rate"]["n"] == 3
    assert trialkit("replay", run).status == 0


def test_a_run_is_judged_again_when_all_that_it_was_made_from_is_gone(
    trialkit: Program, server: Server, court: Court
) -> None:
    """The golden CSV, the analyst's prompt and the judge's are in the run file."""
    assert trialkit("init", ".").status == 0
    for role in ("analyzer", "judge"):
        prompts = trialkit.folder / f"{role}_prompts"
        (prompts / "mine.txt").write_text(f"{(prompts / 'v1.txt').read_text()} Take your time.")
    mine = ["--analyzer-prompt", "mine", "--judge-prompt", "mine"]
    done = trialkit("run", "commodity", *model(server), *mine, "--ids", "S01,S06")
    assert done.status == 0, done.text
    run = str(trialkit.last_run())
    shutil.rmtree(trialkit.folder / "golden")
    shutil.rmtree(trialkit.folder / "analyzer_prompts")
    shutil.rmtree(trialkit.folder / "judge_prompts")
    asked = court.judgements
    done = trialkit("rejudge", run, "--judge-trials", "2")
    assert done.status == 0, done.text
    assert court.judgements == asked + 2
    missing = trialkit("rejudge", run, "--judge-prompt", "other")
    assert (missing.status, "there is no judge prompt 'other'" in missing.err) == (2, True)
    shipped = trialkit("rejudge", run, "--judge-prompt", "v1")
    assert shipped.status == 0, shipped.text
    assert court.judgements == asked + 4


def test_a_judge_that_has_judged_is_not_asked_again(trialkit: Program, server: Server) -> None:
    run = start(trialkit, server)
    asked = len(server.requests)
    done = trialkit("rejudge", run)
    assert "0 trials judged" in done.out
    assert len(server.requests) == asked


def test_another_model_judges_and_only_it_is_asked(trialkit: Program, server: Server, court: Court) -> None:
    run = start(trialkit, server)
    analyses, judgements = court.analyses, court.judgements
    court.met = False
    done = trialkit("rejudge", run, "--judge-model", "openai/other")
    assert done.status == 0, done.text
    assert (court.analyses, court.judgements) == (analyses, judgements + 3)
    found = judges(trialkit)
    assert found["llm:openai/other@v1"]["pass_rate"]["value"] == 0
    assert found["llm:openai/judge@v1"]["pass_rate"]["value"] == 1
    again = trialkit("rejudge", run, "--judge-model", "openai/other")
    assert "0 trials judged" in again.out
    assert court.judgements == judgements + 3


def test_a_judge_asked_several_times_shows_its_flakiness(trialkit: Program, server: Server, court: Court) -> None:
    run = start(trialkit, server)
    judgements = court.judgements
    court.met = False  # it passed everything the first time
    done = trialkit("rejudge", run, "--judge-trials", "3")
    assert done.status == 0, done.text
    assert court.judgements == judgements + 6  # the first verdict counts
    figure = judges(trialkit)["llm:openai/judge@v1"]["self_agreement"]
    assert figure["n"] == 3
    assert abs(figure["value"] - 1 / 3) < 1e-9  # of three pairs the two fails agree
    assert "Same again" in done.out
    assert trialkit("replay", run).status == 0


def test_a_prompt_that_was_changed_is_another_judge(trialkit: Program, server: Server, court: Court) -> None:
    run = start(trialkit, server)
    folder = trialkit.folder / "judge_prompts"
    folder.mkdir()
    (folder / "v1.txt").write_text("Be strict.")
    (folder / "v2.txt").write_text("Be very strict.")
    assert trialkit("rejudge", run, "--judge-prompt", "v1").status == 0
    assert trialkit("rejudge", run, "--judge-prompt", "v2").status == 0
    names = sorted(judges(trialkit))
    assert names[0] == "llm:openai/judge@v1"
    assert names[1].startswith("llm:openai/judge@v1#")
    assert names[2] == "llm:openai/judge@v2"
    assert trialkit("rejudge", run, "--judge-prompt", "v9").status == 2


def test_a_run_that_nobody_judged_can_be(trialkit: Program, server: Server) -> None:
    done = trialkit("run", "commodity", *model(server), "--ids", "S01", "--skip-judge")
    assert done.status == 0, done.err
    done = trialkit("rejudge", str(trialkit.last_run()), "--judge", "rules")
    assert done.status == 0, done.text
    assert judges(trialkit)["rules"]["pass_rate"]["n"] == 1


def test_a_failing_judge_gives_no_verdict_and_is_asked_again_later(
    trialkit: Program, server: Server, court: Court
) -> None:
    run = start(trialkit, server)
    answer, court.outcome = court.outcome, "maybe"
    done = trialkit("rejudge", run, "--judge-model", "openai/other")
    assert done.status == 3, done.text
    assert "3 verdicts could not be had" in done.err
    assert judges(trialkit)["llm:openai/other@v1"]["pass_rate"]["value"] is None
    court.outcome = answer
    assert trialkit("rejudge", run, "--judge-model", "openai/other").status == 0
    assert judges(trialkit)["llm:openai/other@v1"]["pass_rate"]["n"] == 3


def test_a_judge_that_failed_in_the_run_is_asked_once(trialkit: Program, server: Server, court: Court) -> None:
    court.judge = Fault(kind="bad_request")
    assert trialkit("run", "commodity", *model(server), "--ids", "S01").status == 3
    run = str(trialkit.last_run())
    court.judge = None
    done = trialkit("rejudge", run)
    assert "1 trial judged" in done.out, done.text
    assert court.judgements == 2
    assert "1 trial judged" in trialkit("rejudge", run, "--judge-trials", "2").out
    assert court.judgements == 3


def test_a_run_replays_as_it_was_whatever_its_judge_said_later(trialkit: Program, server: Server, court: Court) -> None:
    court.judge = Fault(kind="bad_request")
    assert trialkit("run", "commodity", *model(server), "--ids", "S01").status == 3
    run = str(trialkit.last_run())
    court.judge = None
    assert trialkit("rejudge", run).status == 0
    assert trialkit("replay", run).status == 0
    assert trialkit("resume", "--errors", run).status == 0
    assert court.judgements == 3  # the run's own verdict is another sample than the later one
    assert trialkit("replay", run).status == 0


def test_what_is_asked_later_is_no_part_of_the_run(trialkit: Program, server: Server, court: Court) -> None:
    prices = trialkit.folder / "prices.json"
    price = {"litellm_provider": "openai", "input_cost_per_token": 1e-5, "output_cost_per_token": 1e-4}
    prices.write_text(json.dumps({"subject": price, "judge": price}))
    trialkit.env["TRIALKIT_PRICES"] = str(prices)
    arguments = ["--model", "openai/subject", "--judge", "rules", "--api-base", server.openai_base]
    stopped = trialkit("run", "commodity", *arguments, "--max-cost", "0.045")  # 0.01 each
    assert stopped.status == 130
    run = str(trialkit.last_run())
    named = ["--judge-model", "openai/judge", "--judge-api-base", server.openai_base]
    assert trialkit("rejudge", run, *named).status == 0  # 4 times 0.021
    court.judge = Fault(kind="bad_request")
    assert trialkit("rejudge", run, *named, "--judge-trials", "2").status == 3
    done = trialkit("resume", run, "--max-cost", "0.11")
    assert done.status == 0, done.text
    metrics = json.loads(trialkit("report", run, "--format", "json").out)["metrics"]
    assert metrics["failed_calls"]["value"] == 0


def test_rounds_of_attempts_that_failed_are_not_asked_for(trialkit: Program, server: Server, court: Court) -> None:
    court.analyst = Fault(kind="bad_request")
    assert trialkit("run", "commodity", *model(server), "--ids", "S01").status == 3
    run = str(trialkit.last_run())
    court.analyst = None
    assert trialkit("resume", "--errors", run).status == 0
    assert court.judgements == 1
    assert trialkit("rejudge", run, "--judge-trials", "2").status == 0
    assert court.judgements == 2
    assert judges(trialkit)["llm:openai/judge@v1"]["self_agreement"]["n"] == 1


def test_a_verdict_whose_noting_was_killed_is_noted_from_its_reply(
    trialkit: Program, server: Server, court: Court
) -> None:
    run = start(trialkit, server)
    assert trialkit("rejudge", run, "--judge-trials", "2").status == 0
    with closing(sqlite3.connect(run)) as db, db:
        db.execute("DELETE FROM remarks WHERE trial_id = 2")  # what a kill right after the reply leaves
    judgements = court.judgements
    assert "1 trial judged" in trialkit("rejudge", run, "--judge-trials", "2").out
    assert court.judgements == judgements
    assert judges(trialkit)["llm:openai/judge@v1"]["self_agreement"]["n"] == 3


def test_of_a_seeded_run_only_what_is_missing_is_asked(trialkit: Program, server: Server, court: Court) -> None:
    assert trialkit("run", "commodity", *model(server), "--ids", "S01,S02", "--seed", "7").status == 0
    run = str(trialkit.last_run())
    done = trialkit("rejudge", run)
    assert "0 trials judged" in done.out
    assert "2 had been judged so already" in done.out
    assert court.judgements == 2
    for trials in ("2", "3"):
        assert trialkit("rejudge", run, "--judge-trials", trials).status == 0
    assert court.judgements == 6


def test_who_names_a_model_does_not_get_the_rules_again(trialkit: Program, server: Server, court: Court) -> None:
    assert trialkit("run", "commodity", "--model", "baseline", "--ids", "S01,S02").status == 0
    run = str(trialkit.last_run())
    named = ["--judge-model", "openai/judge", "--judge-api-base", server.openai_base]
    done = trialkit("rejudge", run, *named)
    assert "2 trials judged by llm:openai/judge@v1" in done.out, done.text
    assert court.judgements == 2
    assert trialkit("run", "commodity", "--model", "baseline", "--ids", "S01", *named, "--no-cache").status == 0
    assert set(judges(trialkit)) == {"llm:openai/judge@v1"}
    assert trialkit("resume", str(trialkit.last_run())).status == 0


def test_a_run_stays_done_when_its_rejudging_is_killed(trialkit: Program, server: Server, court: Court) -> None:
    run = start(trialkit, server)
    court.judge = Hang()
    asked = len(server.requests)
    process = trialkit.start("rejudge", run, "--judge-model", "openai/other")
    wait_for_requests(server, asked + 1, process)
    process.kill()
    process.communicate()
    (found,) = json.loads(trialkit("runs", "--format", "json").out)
    assert found["state"] == "done"
    court.judge = None
    done = trialkit("rejudge", run, "--judge-model", "openai/other")
    assert "3 trials judged by llm:openai/other@v1" in done.out, done.text


def test_an_interrupt_does_not_wait_for_a_place(trialkit: Program, server: Server, court: Court) -> None:
    run = start(trialkit, server)
    court.judge = Fault(kind="rate_limit", headers={"Retry-After": "120"})
    asked = len(server.requests)
    process = trialkit.start("rejudge", run, "--judge-model", "openai/other")
    wait_for_requests(server, asked + 1, process)  # where it is refused at once, the others are not even sent
    process.send_signal(signal.SIGINT)
    text = process.communicate(timeout=100)[0]
    assert process.returncode == 130, text
    assert "3 trials are left" in text


def test_runs_of_different_judges_are_compared_by_one(trialkit: Program, server: Server, court: Court) -> None:
    a = start(trialkit, server)
    court.met = False
    done = trialkit("run", "commodity", *model(server), "--ids", "S01,S02,S06", "--judge", "rules", "--no-cache")
    assert done.status == 0, done.err
    b = str(trialkit.last_run())
    warned = json.loads(trialkit("compare", a, b, "--format", "json").out)["warnings"]
    assert "DIFFERENT JUDGES" in warned[0]
    refused = trialkit("compare", a, b, "--judge", "rules")
    assert refused.status == 2
    assert "rules has not judged this run; its judges are llm:openai/judge@v1" in refused.err
    assert trialkit("rejudge", a, "--judge", "rules").status == 0
    data = json.loads(trialkit("compare", a, b, "--judge", "rules", "--format", "json").out)
    assert data["warnings"] == []
    assert data["a"]["judges"] == data["b"]["judges"] == ["rules"]
    assert data["pass_rate"]["difference"]["value"] == 0  # the answers are the same
