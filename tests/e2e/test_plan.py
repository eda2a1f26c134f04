"""`plan` and `trend` from the command line."""

import json
import re
import sqlite3
from contextlib import closing

import pytest

from tests.e2e.court import Court
from tests.e2e.program import Program
from tests.e2e.test_commodity import model
from tests.run_files import case, ended, verdict, write_run
from tests.server import Server
from tests.suites.tau.v2.tiny import Tiny
from trialkit.vocabulary import PASS


def test_without_past_runs_the_suites_own_figures_tell(trialkit: Program) -> None:
    """No key is needed, and nothing is asked."""
    done = trialkit("plan", "commodity", "--model", "openai/gpt-4o", "--trials", "4", "--format", "json")
    assert done.status == 0, done.err
    plan = json.loads(done.out)
    assert (plan["cases"], plan["trials"]) == (10, 40)
    assert plan["roles"]["analyzer"]["calls"] == 40
    assert plan["roles"]["judge"]["model"].startswith("anthropic/")
    assert 0 < plan["cost_usd"]["value"] < 5
    assert plan["wall_s"] > 0
    assert 0.2 < plan["detectable_difference"] < 0.5
    assert "own figures" in plan["basis"]
    assert not trialkit.results.exists()


def test_past_runs_tell_what_a_run_takes(trialkit: Program, server: Server) -> None:
    assert trialkit("run", "commodity", *model(server), "--trials", "2").status == 0
    plan = json.loads(trialkit("plan", "commodity", *model(server), "--trials", "5", "--format", "json").out)
    assert "past run of 20 trials" in plan["basis"]
    assert plan["roles"]["analyzer"]["input_tokens"] == 50 * 400
    assert plan["roles"]["judge"]["output_tokens"] == 50 * 120
    assert plan["cost_usd"]["value"] is None  # nobody knows what openai/subject costs
    assert plan["assumed"]["pass_rate"] == 0.95


def test_runs_in_which_no_model_was_asked_do_not_make_the_forecast_smaller(trialkit: Program, server: Server) -> None:
    for _ in range(3):
        assert trialkit("run", "commodity", "--model", "baseline", "--judge", "rules").status == 0
    assert trialkit("run", "commodity", *model(server)).status == 0
    plan = json.loads(trialkit("plan", "commodity", *model(server), "--format", "json").out)
    assert {role: one["calls"] for role, one in plan["roles"].items()} == {"analyzer": 10, "judge": 10}


def test_known_prices_give_a_cost_with_an_interval(trialkit: Program, server: Server) -> None:
    prices = trialkit.folder / "prices.json"
    price = {"input_cost_per_token": 0.001, "output_cost_per_token": 0.002}
    prices.write_text(json.dumps({"openai/subject": price, "openai/judge": price}))
    trialkit.env["TRIALKIT_PRICES"] = str(prices)
    assert trialkit("run", "commodity", *model(server)).status == 0
    plan = json.loads(trialkit("plan", "commodity", *model(server), "--trials", "3", "--format", "json").out)
    each = 0.001 * (400 + 900) + 0.002 * (60 + 120)
    assert abs(plan["cost_usd"]["value"] - 30 * each) < 1e-6
    assert plan["cost_usd"]["low"] is not None


def test_detect_says_how_many_trials_are_needed(trialkit: Program) -> None:
    done = trialkit("plan", "commodity", "--model", "baseline", "--detect", "0.05")
    assert done.status == 0, done.err
    shown = " ".join(done.out.split())
    assert "To detect 5 points:" in shown
    assert "no number of trials of these 10 cases will do" in shown
    assert "However often these 10 cases are tried, never less than" in shown
    assert re.search(r"more cases 20 cases . 1 trial ", shown)
    assert "more judgings" not in shown  # rules judge
    assert "model calls none" in shown
    assert trialkit("plan", "commodity", "--detect", "2").status == 2
    assert trialkit("plan", "comodity").status == 2


def test_rules_and_a_given_key_change_who_is_asked(trialkit: Program) -> None:
    plan = json.loads(
        trialkit("plan", "commodity", "--model", "openai/gpt-4o", "--judge", "rules", "--format", "json").out
    )
    assert set(plan["roles"]) == {"analyzer"}
    plan = json.loads(trialkit("plan", "commodity", "--model", "baseline", "--judge", "llm", "--format", "json").out)
    assert set(plan["roles"]) == {"judge"}


def test_the_trend_of_a_suite(trialkit: Program) -> None:
    for trials in ("1", "2"):
        assert trialkit("run", "commodity", "--model", "baseline", "--trials", trials).status == 0
    (trialkit.results / "broken.trial").write_text("?")
    done = trialkit("trend")
    assert done.status == 0
    assert "2 runs, the oldest first" in done.out
    assert done.out.count("●") == 3  # one for each, one in the legend
    assert "broken.trial" in done.err
    points = json.loads(trialkit("trend", "--format", "json").out)
    assert [point["pass_rate"]["n"] for point in points] == [10, 20]
    assert "no such run" in trialkit("trend", "--suite", "other").out
    assert trialkit("trend", "nowhere").status == 2


def test_past_runs_that_are_not_there_are_told(trialkit: Program) -> None:
    done = trialkit("plan", "commodity", "--model", "baseline", "--past", "nowhere")
    assert done.status == 2
    assert "nowhere: no such folder" in done.err


def test_tau2_has_figures_of_its_own(trialkit: Program) -> None:
    content = str(Tiny(trialkit.folder / "content").write())
    options = ["--data-dir", content, "--model", "openai/gpt-4o", "--trials", "3", "--format", "json"]
    done = trialkit("plan", "tau2/retail", *options)
    assert done.status == 0, done.err
    plan = json.loads(done.out)
    assert {role: one["calls"] for role, one in plan["roles"].items()} == {"agent": 42, "user": 21}
    assert plan["cost_usd"]["value"] > 0
    assert plan["wall_s"] > 0


def test_runs_of_several_subjects_tell_how_far_the_same_is_hard(trialkit: Program) -> None:
    """Two subjects with the same verdicts in 6 of 8 cases; their cases' own trials differ in 2 of 8."""
    trialkit.results.mkdir()
    for name, passed in (("one", ["pp", "pf", "ff", "pp", "ff", "fp", "pp", "ff"]), ("two", ["pp", "ff"] * 4)):
        trials = [
            (case(f"c{number}"), [ended(verdict("pass" if letter == "p" else "fail")) for letter in letters])
            for number, letters in enumerate(passed)
        ]
        write_run(trialkit.results / f"{name}.trial", trials, suite="commodity", subject=name, measures=(PASS,))
        with closing(sqlite3.connect(trialkit.results / f"{name}.trial")) as db, db:
            db.execute("UPDATE run SET state = 'done'")
    plan = json.loads(trialkit("plan", "commodity", "--model", "openai/new", "--format", "json").out)
    told = plan["estimated"]
    assert told["subjects"] == 2
    assert told["mean"]["value"] is None
    assert (told["alike"]["n"], told["shared"]["n"]) == (8, 8)
    assert plan["assumed"]["pass_rate"] == 0.5
    assert plan["assumed"]["alike"] == told["alike"]["value"] > 0.6
    assert plan["assumed"]["shared"] == told["shared"]["value"] < 0.95
    assert told["judge"]["value"] is None
    bought = {one["buy"]: one for one in plan["twice_the_price"]}
    assert bought["cases"]["detectable_difference"] < bought["trials"]["detectable_difference"]
    assert bought["judgings"]["detectable_difference"] is None


def test_what_more_judgings_would_detect_is_known_where_answers_were_judged_twice(
    trialkit: Program, server: Server, court: Court
) -> None:
    """The judge passes five answers and then fails them; it fails five others twice."""
    assert trialkit("run", "commodity", *model(server), "--ids", "S01,S02,S03,S04,S05").status == 0
    court.met = False
    assert trialkit("run", "commodity", *model(server), "--ids", "S06,S07,S08,S09,S10").status == 0
    for run in trialkit.run_files():
        assert trialkit("rejudge", str(run), "--judge-trials", "2").status == 0
    done = trialkit("plan", "commodity", *model(server), "--trials", "4", "--format", "json")
    plan = json.loads(done.out)
    assert plan["estimated"]["judge"]["n"] == 10
    assert plan["assumed"]["judge"] == pytest.approx(0.55)  # 0.25 / 0.278, but no more than trials of a case differ by
    assert plan["twice_the_price"][-1]["detectable_difference"] < plan["detectable_difference"]
    shown = " ".join(trialkit("plan", "commodity", *model(server), "--trials", "4").out.split())
    assert "each judged without end" in shown  # nobody knows what openai/judge costs
    assert "variance by the judge 55.0%" in shown
    assert "Of an answer that is judged several times the mean counts." in shown


def test_a_report_tells_what_steady_cases_cost_and_what_the_judge_adds(
    trialkit: Program, server: Server, court: Court
) -> None:
    """Two cases always pass and one always fails; asked again, the judge fails all of them."""
    prices = trialkit.folder / "prices.json"
    price = {"input_cost_per_token": 0.001, "output_cost_per_token": 0.002}
    prices.write_text(json.dumps({"openai/subject": price, "openai/judge": price}))
    trialkit.env["TRIALKIT_PRICES"] = str(prices)
    options = [*model(server), "--trials", "2", "--ids"]
    assert trialkit("run", "commodity", *options, "S01,S02,S06").status == 0
    run = str(trialkit.last_run())
    with closing(sqlite3.connect(run)) as db, db:
        db.execute(
            "UPDATE verdicts SET outcome = 'fail' WHERE trial_id IN (SELECT id FROM trials WHERE case_id = 'S06')"
        )
    done = trialkit("report", run)
    assert done.status == 0, done.err
    shown = " ".join(done.out.split())
    assert "always pass 2 66.7% $6.64 (66.7%) S01, S02" in shown
    assert "always fail 1 33.3% $3.32 (33.3%) S06" in shown
    assert "judge, asked again" not in shown
    court.met = False
    assert trialkit("rejudge", run, "--judge-trials", "2").status == 0
    assert "the judge, asked again" in trialkit("report", run).out
