"""Runs that differ in nothing but who plays the user."""

import json
from pathlib import Path

import pytest

from tests.run_files import case, conversation, write_run
from trialkit.analysis.all_pairs_pages import all_pairs_json, all_pairs_page
from trialkit.analysis.compare import compare_all, compare_runs
from trialkit.analysis.compare_pages import comparison_json, comparison_page
from trialkit.analysis.loaded import LoadedRun, load_run
from trialkit.pages import write_page
from trialkit.vocabulary import Outcome

LETTERS: dict[str, Outcome] = {"p": "pass", "f": "fail", "e": "error"}


def run(path: Path, letters: list[str], user: str = "one", agent: str = "act") -> LoadedRun:
    settings = {"user_model": f"openai/{user}", "agent": agent}
    trials = [(case(f"{place}"), [conversation(LETTERS[one]) for one in told]) for place, told in enumerate(letters)]
    return load_run(write_run(path, trials, suite="tau-bench/airline", settings=settings))


def test_runs_that_differ_in_the_user_alone_tell_its_share(tmp_path: Path) -> None:
    """With one user each case passes in half of its trials, with the other in all. Of means 1/2 and 1 the variance is
    1/8, of which the trials make 1/24: with one user theirs is 1/3, with the other 0.
    """
    one = run(tmp_path / "a.trial", ["pfpf", "fpfp", "ppff", "ffpp"])
    other = run(tmp_path / "b.trial", ["pppp"] * 4, user="other")
    found = json.loads(comparison_json(compare_runs(one, other)))["user_variance"]
    user, trial = 1 / 8 - (1 / 3 / 4) / 2, 1 / 3 / 2
    assert found["user"]["value"] == pytest.approx(user / (user + trial))
    assert (found["alike"]["value"], found["rest"]["n"]) == (0, 4)
    shown = " ".join(write_page(comparison_page(compare_runs(one, other)), "console").split())
    assert "between users of a case 33.3% [" in shown
    assert "with these 2 users, over the 4 cases of all" in shown
    three = compare_all([one, other, run(tmp_path / "c.trial", ["pfpf"] * 4, user="third")])
    assert json.loads(all_pairs_json(three))["user_variance"]["user"]["value"] > 0.1
    assert "with these 3 users" in write_page(all_pairs_page(three), "console")


@pytest.mark.parametrize("more", [{"agent": "react"}, {"user": "one"}])
def test_runs_that_differ_in_more_or_in_nothing_tell_no_share(tmp_path: Path, more: dict[str, str]) -> None:
    one = run(tmp_path / "a.trial", ["pfpf", "fpfp"])
    other = run(tmp_path / "b.trial", ["pppp", "pppp"], **{"user": "other", **more})
    assert json.loads(comparison_json(compare_runs(one, other)))["user_variance"] is None


def test_one_trial_of_each_case_does_not_tell_a_user_from_luck(tmp_path: Path) -> None:
    both = run(tmp_path / "a.trial", ["p", "f", "p"]), run(tmp_path / "b.trial", ["p", "p", "e"], user="other")
    told = " ".join(write_page(comparison_page(compare_runs(*both)), "console").split())
    assert "two trials of each case would tell their share of the variance" in told
