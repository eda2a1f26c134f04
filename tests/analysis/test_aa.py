"""A run against itself: what noise alone does."""

from pathlib import Path
from random import Random

import pytest

from tests.run_files import case, ended, verdict, write_run
from trialkit.analysis.aa import noise_in_words, noise_of
from trialkit.analysis.loaded import LoadedRun, load_run
from trialkit.errors import InputError


def run(path: Path, cases: list[str], **settings: str) -> LoadedRun:
    """`pf`: a case of which the first trial passes and the second fails."""
    outcomes = {"p": "pass", "f": "fail", "e": "error"}
    rows = [
        (case(str(n)), [ended(verdict(outcomes[letter]), output={}) for letter in letters])  # type: ignore[arg-type]
        for n, letters in enumerate(cases)
    ]
    return load_run(write_run(path, rows, settings=settings))


def test_cases_that_always_do_the_same_make_no_noise(tmp_path: Path) -> None:
    found = noise_of([run(tmp_path / "a.trial", ["pp", "ff", "ppp", "p", "pe"])])
    assert (found.cases, found.left_out, found.trials) == (3, 2, 1)
    assert (found.usual, found.largest, found.significant.value) == (0, 0, 0)
    assert "there is no noise" in noise_in_words(found)


def test_coins_differ_from_themselves_as_binomials_do(tmp_path: Path) -> None:
    random = Random(3)
    found = noise_of([run(tmp_path / "a.trial", ["".join(random.choices("pf", k=2)) for _ in range(100)])])
    assert 0.08 < found.usual < 0.2  # of the half of the cases that have a pass and a fail: 1.96 √50 / 100 = 0.14
    assert found.typical < found.usual < found.largest
    assert (found.significant.value or 0) < 0.09
    assert "The test calls" in noise_in_words(found)


def test_runs_of_the_same_settings_are_pooled_and_others_refused(tmp_path: Path) -> None:
    a, b = run(tmp_path / "a.trial", ["p", "f"] * 9, model="x"), run(tmp_path / "b.trial", ["f", "f"] * 9, model="x")
    assert noise_of([a, b]).cases == 18
    assert noise_of([a, b]).largest > 0
    with pytest.raises(InputError, match="no case has two trials"):
        noise_of([a])
    with pytest.raises(InputError, match="these differ in model"):
        noise_of([a, run(tmp_path / "c.trial", ["f", "f"] * 9, model="y")])
