"""Several runs in order, through run files and CSVs."""

import json
from pathlib import Path
from typing import Any

from tests.analysis.test_compare import cases, run
from tests.run_files import case, ended, verdict, write_run
from trialkit.analysis.all_pairs_pages import all_pairs_json, all_pairs_page
from trialkit.analysis.compare import AllPairs, compare_all
from trialkit.analysis.loaded import load_run
from trialkit.pages import WRITERS, write_page
from trialkit.vocabulary import Measure


def several(folder: Path, *letters: str) -> AllPairs:
    return compare_all([load_run(run(folder / f"{n}.trial", cases(of_run))) for n, of_run in enumerate(letters)])


def standings(found: AllPairs) -> list[tuple[Any, ...]]:
    """Of each run its name, mean and rank."""
    for form in WRITERS:
        assert "nan" not in write_page(all_pairs_page(found), form).lower()
    told = json.loads(all_pairs_json(found))["leaderboard"]["standings"]
    return [(one["run"], round(one["headline"]["value"], 3), *list(one["rank"].values())[:3]) for one in told]


def test_the_best_is_first_and_ranks_are_as_sure_as_the_pairs(tmp_path: Path) -> None:
    found = several(tmp_path, "f" * 20, "p" * 19 + "f", "p" * 20)
    assert standings(found) == [("C", 1.0, 1, 1, 2), ("B", 0.95, 2, 1, 2), ("A", 0.0, 3, 3, 3)]
    shown = " ".join(write_page(all_pairs_page(found), "console").split())
    assert "Leaderboard, over the 20 cases with a verdict in all" in shown
    assert "1 [1, 2] C subject · agent v1 20 100.0%" in shown
    assert "Each run by itself" not in shown


def test_only_cases_that_all_have_are_ranked_by(tmp_path: Path) -> None:
    """A has the higher rate, for what is hard ended in error; over the cases of all it is the lower one."""
    found = several(tmp_path, "pppfeeee", "ppppffff", "ppppffff")
    assert standings(found) == [("B", 1.0, 1, 1, 3), ("C", 1.0, 1, 1, 3), ("A", 0.75, 3, 1, 3)]
    assert "Each run by itself" in write_page(all_pairs_page(found), "console")


def test_of_seconds_the_fewest_are_best(tmp_path: Path) -> None:
    seconds = Measure(name="latency", low=0, unit="s", higher_is_better=False)
    paths = [
        write_run(
            tmp_path / f"{mean}.trial",
            [(case(f"S{n}"), [ended(verdict("scored", score=mean + n / 100))]) for n in range(12)],
            measures=[seconds],
        )
        for mean in (9.0, 2.0, 5.0)
    ]
    assert [one[0] for one in standings(compare_all([*map(load_run, paths)]))] == ["B", "C", "A"]
    assert standings(compare_all([*map(load_run, paths)]))[0][2:] == (1, 1, 1)


def test_without_a_case_that_all_have_there_is_no_leaderboard(tmp_path: Path) -> None:
    found = several(tmp_path, "pe", "ep", "pp")
    assert standings(found) == []
    assert "no case has a verdict in all of these runs" in write_page(all_pairs_page(found), "md").lower()
