"""Cost against quality, through results CSVs and run files."""

import json
from pathlib import Path
from typing import Any

from tests.analysis.test_compare import cases, everything, run
from trialkit.analysis.all_pairs_pages import all_pairs_json, all_pairs_page
from trialkit.analysis.compare import compare_all, compare_runs
from trialkit.analysis.compare_pages import comparison_json, comparison_page
from trialkit.analysis.loaded import load_run
from trialkit.pages import write_page


def table(folder: Path, name: str, outcomes: str, cost: float | str) -> Path:
    """A case for each letter: p, f, or e for a trial that ended in error."""
    told = {"p": "pass,", "f": "fail,", "e": ",it broke"}
    rows = "".join(f"S{n},{told[letter]},{cost},1.5\n" for n, letter in enumerate(outcomes))
    path = folder / f"{name}.csv"
    path.write_text(f"Scenario ID,Model Outcome,Error,Cost USD,Latency s\n{rows}")
    return path


def several(*paths: Path) -> tuple[Any, str]:
    found = compare_all([load_run(path) for path in paths])
    return json.loads(all_pairs_json(found))["cost_against_quality"], write_page(all_pairs_page(found), "console")


def test_who_costs_more_and_passes_less_is_dominated(tmp_path: Path) -> None:
    told, shown = several(
        table(tmp_path, "a", "p" * 18 + "ff", 0.02),
        table(tmp_path, "b", "p" * 4 + "f" * 16, 0.03),
        table(tmp_path, "c", "f" * 10 + "p" * 10, 0.01),
    )
    assert [one["dominated_by"] for one in told["runs"]] == [[], ["A", "C"], []]
    assert [round(one["cost_per_pass_usd"]["value"], 4) for one in told["runs"]] == [0.0222, 0.15, 0.02]
    chances = {(one["run"], one["over"]): one["probability"] for one in told["dominates"]}
    assert chances["A", "B"] > 0.99
    assert chances["A", "C"] == 0.0
    assert chances["C", "B"] < chances["A", "B"]
    assert "by A, > 99%" in shown
    assert "In 95% of resamples or more, A dominates B" in shown


def test_an_unknown_price_dominates_nothing_and_is_dominated_by_nothing(tmp_path: Path) -> None:
    told, shown = several(
        table(tmp_path, "a", "pppf", 0.02), table(tmp_path, "b", "ffff", ""), table(tmp_path, "c", "pfff", 0.04)
    )
    unknown = told["runs"][1]
    assert (unknown["cost_per_trial_usd"]["value"], unknown["cost_per_pass_usd"]["value"]) == (None, None)
    assert unknown["dominated_by"] is None
    assert {(one["run"], one["over"]) for one in told["dominates"]} == {("A", "C"), ("C", "A")}
    assert "unknown" in shown


def test_trials_in_error_are_paid_for_and_do_not_pass(tmp_path: Path) -> None:
    """Of each case one trial passed; in B the other broke."""
    for name, other in (("a", "pass,"), ("b", ",it broke")):
        rows = "".join(f"S{n},1,pass,,0.01\nS{n},2,{other},0.01\n" for n in range(3))
        (tmp_path / f"{name}.csv").write_text(f"Scenario ID,Trial,Model Outcome,Error,Cost USD\n{rows}")
    one = compare_runs(load_run(tmp_path / "a.csv"), load_run(tmp_path / "b.csv"))
    told = json.loads(comparison_json(one))["cost_against_quality"]["runs"]
    assert [run["headline"]["value"] for run in told] == [1.0, 1.0]
    assert [run["cost_per_pass_usd"]["value"] for run in told] == [0.01, 0.02]
    everything(one)


def test_where_nobody_passed_or_nobody_is_known_to_cost_anything(tmp_path: Path) -> None:
    a, b = table(tmp_path, "a", "ff", 0.02), table(tmp_path, "b", "pf", 0.02)
    one = compare_runs(load_run(a), load_run(b))
    assert "no pass" in write_page(comparison_page(one), "console")
    everything(one)
    free = compare_runs(load_run(table(tmp_path, "c", "pf", 0)), load_run(table(tmp_path, "d", "pf", "")))
    assert json.loads(comparison_json(free))["cost_against_quality"] is None
    assert "Cost against quality" not in write_page(comparison_page(free), "console")


def test_a_csv_beside_a_run_file_has_no_price_to_compare(tmp_path: Path) -> None:
    """Its cost includes judging, the run file's does not; and this one's is unknown."""
    a = run(tmp_path / "a.trial", cases("pf"), suite="commodity")
    b = tmp_path / "b.csv"
    b.write_text("Scenario ID,Model Outcome,Cost USD\nC000,pass,0.02\nC001,fail,0.02\n")
    one = compare_runs(load_run(a), load_run(b))
    assert one.paired == ("C000", "C001")
    assert json.loads(comparison_json(one))["cost_against_quality"] is None
