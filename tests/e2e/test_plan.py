"""`plan` and `trend` from the command line."""

import json

from tests.e2e.program import Program
from tests.e2e.test_commodity import model
from tests.server import Server
from tests.suites.tau.v2.tiny import Tiny


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
    assert "trials of each of these 10 cases" in shown
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
