"""`compare` from the command line: run files and results CSVs, formats, the gate."""

import csv
import io
import json
import shutil
from pathlib import Path

import pytest

from tests.e2e.court import ANALYST_TOKENS, Court
from tests.e2e.program import Program
from tests.e2e.test_commodity import model
from tests.server import Say, Server


def two_runs(trialkit: Program, server: Server, court: Court) -> tuple[str, str]:
    """The second one's prompt is another, and its judge is never content."""
    assert trialkit("run", "commodity", *model(server)).status == 0
    (trialkit.folder / "analyzer_prompts").mkdir()
    (trialkit.folder / "analyzer_prompts" / "v2.txt").write_text("Be careless.")
    court.met = False
    assert trialkit("run", "commodity", *model(server), "--analyzer-prompt", "v2", "--no-cache").status == 0
    a, b = trialkit.run_files()
    return str(a), str(b)


def test_two_prompts_are_compared_and_the_gate_holds(trialkit: Program, server: Server, court: Court) -> None:
    a, b = two_runs(trialkit, server, court)
    done = trialkit("compare", a, b)
    assert done.status == 0, done.err
    shown = " ".join(done.out.split())
    assert "prompt of the analyzer v1" in shown
    assert "B passes 100 points less often than A; with 10 cases a difference of this size is more than noise" in shown
    assert "pass → fail (10 cases)" in shown
    assert "DIFFERENT" not in shown
    gated = trialkit("compare", a, b, "--gate")
    assert gated.status == 1
    assert "significantly worse" in gated.err
    assert trialkit("compare", b, a, "--gate").status == 0


def test_the_same_judge_by_default_and_by_name_is_no_difference(trialkit: Program) -> None:
    paths = []
    for judge in ((), ("--judge", "rules")):
        assert trialkit("run", "commodity", "--model", "baseline", *judge).status == 0
        paths.append(str(trialkit.last_run()))
    assert "What differs" not in trialkit("compare", *paths).out


def test_results_csvs_compare_as_their_runs_do(trialkit: Program, server: Server, court: Court) -> None:
    a, b = two_runs(trialkit, server, court)
    from_runs = json.loads(trialkit("compare", a, b, "--format", "json").out)
    tables = [str(Path(path).with_suffix(".csv")) for path in (a, b)]
    from_tables = json.loads(trialkit("compare", *tables, "--format", "json").out)
    mixed = json.loads(trialkit("compare", a, tables[1], "--format", "json").out)
    assert from_runs["pass_rate"] == from_tables["pass_rate"] == mixed["pass_rate"]
    assert from_tables["warnings"] == mixed["warnings"] == []
    assert len(from_tables["flips"]) == 10
    assert from_tables["flips"][0]["critique_b"]
    assert from_runs["seconds_per_trial"]["a"]["n"] == 10
    assert mixed["cost_per_trial_usd"]["difference"]["value"] is None  # a CSV's cost has the judge's in it


def test_costs_are_compared_without_the_judges(trialkit: Program, server: Server, court: Court) -> None:
    prices = trialkit.folder / "prices.json"
    price = {"input_cost_per_token": 0.001, "output_cost_per_token": 0.002}
    prices.write_text(json.dumps({"openai/subject": price, "openai/judge": price}))
    trialkit.env["TRIALKIT_PRICES"] = str(prices)
    assert trialkit("run", "commodity", *model(server)).status == 0
    court.analyst = Say(text="Nothing to do.", input_tokens=ANALYST_TOKENS[0] + 100, output_tokens=ANALYST_TOKENS[1])
    assert trialkit("run", "commodity", *model(server), "--no-cache").status == 0
    data = json.loads(trialkit("compare", *map(str, trialkit.run_files()), "--format", "json").out)
    cost = data["cost_per_trial_usd"]
    assert abs(cost["a"]["value"] - 0.52) < 1e-9
    assert abs(cost["difference"]["value"] - 0.1) < 1e-9
    b = data["cost_against_quality"]["runs"][1]
    assert abs(b["cost_per_pass_usd"]["value"] * b["headline"]["value"] - b["cost_per_trial_usd"]["value"]) < 1e-9
    assert "$ a trial" in trialkit("compare", *map(str, trialkit.run_files())).out


def test_every_format(trialkit: Program, server: Server, court: Court) -> None:
    a, b = two_runs(trialkit, server, court)
    assert trialkit("compare", a, b, "--format", "md").out.startswith("## commodity")
    assert "<!doctype html>" in trialkit("compare", a, b, "--format", "html").out
    rows = list(csv.DictReader(trialkit("compare", a, b, "--format", "csv").out.splitlines()))
    assert [row["Change"] for row in rows] == ["worse"] * 10
    assert trialkit("compare", a, b, "--format", "md", "-o", "page.md").out == ""
    assert (trialkit.folder / "page.md").exists()


def test_three_runs_make_a_table(trialkit: Program, server: Server, court: Court) -> None:
    a, b = two_runs(trialkit, server, court)
    third = trialkit.folder / "c.trial"
    shutil.copy(a, third)
    done = trialkit("compare", a, b, str(third), "--gate")
    assert done.status == 1
    assert "p (Holm)" in done.out
    assert trialkit("compare", a, str(third), a, "--gate").status == 0
    table = list(csv.DictReader(io.StringIO(trialkit("compare", a, b, str(third), "--format", "csv").out)))
    assert [(row["A passed"], row["B passed"], row["C trials"]) for row in table] == [("1", "0", "1")] * 10


def test_other_judges_are_told_loudly(trialkit: Program, server: Server) -> None:
    assert trialkit("run", "commodity", *model(server)).status == 0
    assert trialkit("run", "commodity", "--model", "baseline").status == 0
    a, b = map(str, trialkit.run_files())
    assert "DIFFERENT JUDGES" in trialkit("compare", a, b).out


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["compare"], "A B"),
        (["compare", "a.trial"], "two runs"),
        (["compare", "a.trial", "b.trial"], "no such run file"),
        (["compare", "a.csv", "b.csv"], "No such file"),
        (["compare", "odd.csv", "odd.csv"], "Scenario ID"),
        (["align", "odd.csv"], "Scenario ID"),
        (["align", "twice.csv"], "line 2 already"),
        (["align", "maybe.csv"], "maybe"),
        (["label", "a.trial"], "no such run file"),
        (["rejudge", "a.trial"], "no such run file"),
    ],
)
def test_bad_input_is_told_and_exits_2(trialkit: Program, arguments: list[str], word: str) -> None:
    (trialkit.folder / "odd.csv").write_text("A,B\n1,2\n")
    (trialkit.folder / "twice.csv").write_text("Scenario ID,Model Outcome\nS1,pass\nS1,fail\n")
    (trialkit.folder / "maybe.csv").write_text("Scenario ID,Model Outcome,Human Outcome\nS1,pass,maybe\n")
    done = trialkit(*arguments)
    assert done.status == 2
    assert word in done.err


def test_a_gate_without_anything_to_compare_is_not_met(trialkit: Program) -> None:
    assert trialkit("run", "commodity", "--model", "baseline", "--ids", "S01").status == 0
    assert trialkit("run", "commodity", "--model", "baseline", "--ids", "S02").status == 0
    done = trialkit("compare", *map(str, trialkit.run_files()), "--gate")
    assert done.status == 1
    assert "nothing to compare" in done.err
    assert "Only in A, so not compared: S01." in done.out


def test_runs_that_went_on_later_may_have_been_peeked_at(trialkit: Program, server: Server, court: Court) -> None:
    """By their sessions; and by what `compare` noted while they were smaller."""
    trialkit.env["TRIALKIT_PRICES"] = str(trialkit.folder / "prices.json")
    price = {"input_cost_per_token": 0.001, "output_cost_per_token": 0.002}
    (trialkit.folder / "prices.json").write_text(json.dumps({"openai/subject": price, "openai/judge": price}))
    assert trialkit("run", "commodity", *model(server)).status == 0
    short = ("--no-cache", "--max-concurrency", "1", "--max-cost", "8")
    assert trialkit("run", "commodity", *model(server), *short).status == 130
    a, b = map(str, trialkit.run_files())
    assert "PEEKED AT" not in trialkit("compare", a, b).out
    assert trialkit("resume", b, "--max-cost", "100").status == 0
    said = " ".join(trialkit("compare", a, b).out.split())
    assert (
        "PEEKED AT: these runs were compared before, once with other trials, and B's trials came in 2 sessions." in said
    )
    (trialkit.results / ".looks.jsonl").unlink()
    assert "PERHAPS PEEKED AT: B's trials came in 2 sessions. That makes 2 looks if" in " ".join(
        trialkit("compare", a, b).out.split()
    )
