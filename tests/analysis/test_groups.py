"""Two runs held against each other by type of case, through run files."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.analysis.test_compare import everything, trial
from tests.run_files import REWARD, case, ended, verdict, write_run
from trialkit.analysis.compare import Comparison, compare_runs
from trialkit.analysis.compare_pages import comparison_json, comparison_page
from trialkit.analysis.loaded import load_run
from trialkit.pages import write_page
from trialkit.stats import differ_by_group


def compared(folder: Path, before: Mapping[str, str], after: Mapping[str, str]) -> Comparison:
    """By type of case, a letter for each of its cases."""
    paths = (
        write_run(
            folder / f"{name}.trial",
            [
                (case(f"{group}{place}", group), [trial(letter)])
                for group in groups
                for place, letter in enumerate(groups[group])
            ],
        )
        for name, groups in (("a", before), ("b", after))
    )
    return compare_runs(*map(load_run, paths))


def told(one: Comparison) -> Any:
    return json.loads(comparison_json(one))["by_group"]


def test_types_that_differ_are_told_to(tmp_path: Path) -> None:
    one = compared(tmp_path, {"calm": "p" * 30, "wild": "p" * 30}, {"calm": "p" * 29 + "f", "wild": "p" * 8 + "f" * 22})
    found = told(one)
    assert {group: side["difference"]["value"] for group, side in found["groups"].items()} == pytest.approx(
        {"calm": -1 / 30, "wild": -22 / 30}
    )
    assert found["groups"]["wild"]["p_holm"] == pytest.approx(2 * found["groups"]["wild"]["difference"]["p"])
    assert found["groups"]["calm"]["p_holm"] == pytest.approx(found["groups"]["calm"]["difference"]["p"])
    assert found["differ"]
    assert "not the same in the 2 types of case: they differ by more than noise (p < 0.001)" in found["summary"]
    assert "by type of case" in everything(one)


def test_one_type_beyond_noise_and_another_not_are_not_told_apart(tmp_path: Path) -> None:
    one = compared(tmp_path, {"s": "p" * 12, "t": "p" * 12}, {"s": "p" * 5 + "f" * 7, "t": "p" * 8 + "f" * 4})
    found = told(one)
    assert (found["groups"]["s"]["p_holm"] < 0.05, found["groups"]["t"]["p_holm"] < 0.05) == (True, False)
    assert not found["differ"]
    assert found["summary"].startswith("Nothing shows that")
    assert found["summary"].endswith("more than noise in 1 of them and not in others does not tell them apart.")


def test_one_type_is_no_table(tmp_path: Path) -> None:
    one = compared(tmp_path, {"s": "pf"}, {"s": "ff"})
    assert told(one) is None
    assert "By type of case" not in write_page(comparison_page(one), "console")


def test_of_many_types_only_the_test_of_all_is_told(tmp_path: Path) -> None:
    groups = {f"t{number}": "pf" for number in range(21)}
    one = compared(tmp_path, groups, {**groups, "t3": "ff"})
    assert (told(one)["number"], told(one)["groups"], told(one)["differ"]) == (21, {}, False)
    assert "some of the 21 types of case" in write_page(comparison_page(one), "console")


def test_scores_are_compared_by_type_too(tmp_path: Path) -> None:
    """In one type B is better by half the range, in the other worse."""
    paths = []
    for name, low, high in (("a", 0.2, 0.8), ("b", 0.7, 0.3)):
        scored = [
            (case(f"{group}{n}", group), [ended(verdict("scored", score=score + n / 100))])
            for group, score in (("s", low), ("t", high))
            for n in range(8)
        ]
        paths.append(write_run(tmp_path / f"{name}.trial", scored, measures=[REWARD]))
    one = compare_runs(*map(load_run, paths))
    changes = {group: side["difference"]["value"] for group, side in told(one)["groups"].items()}
    assert changes == pytest.approx({"s": 0.5, "t": -0.5})
    assert told(one)["differ"]
    everything(one)


def tagged(folder: Path, outcomes: Mapping[str, str], tags: Mapping[str, str]) -> Comparison:
    """Of A all cases pass. By the letters of their tags, which B has, a letter for what each case is in B."""
    paths = []
    for name in "ab":
        trials = [
            (
                replace(case(f"{marks}{place}"), tags=tuple(tags[mark] for mark in marks) if name == "b" else ()),
                [trial(letter if name == "b" else "p")],
            )
            for marks, letters in outcomes.items()
            for place, letter in enumerate(letters)
        ]
        paths.append(write_run(folder / f"{name}.trial", trials))
    return compare_runs(*map(load_run, paths))


TAGS = {"l": "long", "g": "german", "e": "every"}


def test_a_case_counts_in_each_of_its_tags(tmp_path: Path) -> None:
    """Twelve long ones are worse, whatever their language."""
    one = tagged(tmp_path, {"le": "f" * 6, "lge": "f" * 6, "ge": "p" * 20, "e": "p" * 20}, TAGS)
    found = json.loads(comparison_json(one))["by_tag"]
    assert {tag: (side["difference"]["n"], side["difference"]["value"]) for tag, side in found["tags"].items()} == {
        "german": (26, pytest.approx(-6 / 26)),
        "long": (12, pytest.approx(-1)),
    }
    assert found["tags"]["long"]["p_holm"] == pytest.approx(2 * found["tags"]["long"]["difference"]["p"])
    assert found["tags"]["german"]["p_holm"] == pytest.approx(found["tags"]["german"]["difference"]["p"])
    others = {
        "german": differ_by_group([[-1.0] * 6 + [0.0] * 20, [-1.0] * 6 + [0.0] * 20]),
        "long": differ_by_group([[-1.0] * 12, [0.0] * 40]),
    }
    assert found["p_others"] == pytest.approx({"german": others["german"], "long": 2 * (others["long"] or 0)})
    assert found["summary"] == "B − A is another in the cases with these tags than in those without: long (p < 0.001)."  # noqa: RUF001
    assert "by tag" in everything(one)


def test_a_tag_that_changes_nothing_is_told_so(tmp_path: Path) -> None:
    found = json.loads(comparison_json(tagged(tmp_path, {"l": "ppf", "g": "ppf"}, TAGS)))["by_tag"]
    assert found["summary"].startswith("Nothing shows that a tag makes B − A another (2 tags, p = 1.0")  # noqa: RUF001


def test_a_tag_of_all_cases_is_no_table(tmp_path: Path) -> None:
    one = tagged(tmp_path, {"e": "pf"}, TAGS)
    assert json.loads(comparison_json(one))["by_tag"] is None
    assert "By tag" not in write_page(comparison_page(one), "console")
