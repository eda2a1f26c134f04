"""The gate of compare: errors, margins, several runs; with the figures of the audit that found it wanting."""

import json
from pathlib import Path
from random import Random

import pytest

from tests.analysis.test_compare import cases, compared, run
from tests.e2e.program import Program
from trialkit.analysis.compare import compare_all, compare_runs
from trialkit.analysis.compare_gate import GateRule, compare_gate
from trialkit.analysis.loaded import load_run
from trialkit.analysis.words import conclusion

STRICT, MISSING = GateRule(margin=None), GateRule(margin=None, errors_may_lie="missing")


def state(tmp_path: Path, before: str, after: str, rule: GateRule) -> tuple[str, str]:
    found = compare_gate({"B": compared(tmp_path, cases(before), cases(after))}, rule)
    return found.state, found.why


def test_a_run_that_crashes_where_it_would_fail_does_not_pass(tmp_path: Path) -> None:
    """40 errors and 20 verdicts against 45 of 60."""
    before, after = "p" * 45 + "f" * 15, "p" * 18 + "f" * 2 + "e" * 40
    found, why = state(tmp_path, before, after, STRICT)
    assert found == "worse"
    assert "40 trials of B ended in error, and 0 of A; if errors hide what is bad for B" in why
    assert "--errors-may-lie missing" in why
    assert state(tmp_path / "2", before, after, MISSING)[0] == "ok"
    assert state(tmp_path / "3", after, before, STRICT)[0] == "ok"  # it is A that has the errors


def test_few_errors_are_no_reason_to_fail(tmp_path: Path) -> None:
    assert state(tmp_path, "p" * 45 + "f" * 15, "p" * 44 + "e" + "f" * 15, STRICT)[0] == "ok"


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("f" * 60, "p" * 14 + "e" + "f" * 45, "That holds whatever the trials in error would have been worth."),
        (
            "f" * 15 + "p" * 45,
            "p" * 12 + "f" * 3 + "e" * 45,
            "in error would have been worth, over the 60 cases that both tried, B − A is between",  # noqa: RUF001
        ),
    ],
)
def test_a_conclusion_says_whether_it_survives_errors(tmp_path: Path, before: str, after: str, told: str) -> None:
    one = compared(tmp_path, cases(before), cases(after))
    assert one.headline.difference.significant
    assert told in conclusion(one)


def test_a_further_run_does_not_hide_a_regression(tmp_path: Path) -> None:
    """p = 0.012 was significant among two runs, and not among five."""
    letters = {"a": "p" * 40, "b": "p" * 32 + "f" * 8}
    one = compare_runs(*(load_run(run(tmp_path / f"{name}.trial", cases(told))) for name, told in letters.items()))
    assert one.regression
    more = {name: "".join(Random(name).choices("pf", (36, 4), k=40)) for name in "cde"}
    runs = [load_run(run(tmp_path / f"{name}.trial", cases(told))) for name, told in (letters | more).items()]
    several = compare_all(runs)
    assert list(several.against_first) == ["B", "C", "D", "E"]
    gate = compare_gate(several.against_first, STRICT)
    assert (gate.state, gate.why.startswith("B is significantly worse")) == ("worse", True)


def test_further_runs_do_not_hide_what_errors_may_hide(tmp_path: Path) -> None:
    """A loss that is significant as it is, but no longer among four runs, is at worst a surer one."""
    letters = ["p" * 40, "p" * 28 + "f" * 5 + "e" * 7, "p" * 40, "p" * 40]
    runs = [load_run(run(tmp_path / f"{n}.trial", cases(told))) for n, told in enumerate(letters)]
    several = compare_all(runs)
    assert several.against_first["B"].regression
    assert compare_gate(several.against_first, MISSING).state == "ok"
    gate = compare_gate(several.against_first, STRICT)
    assert (gate.state, "if errors hide what is bad for B" in gate.why) == ("worse", True)


@pytest.mark.parametrize(
    ("before", "after", "wanted", "why"),
    [
        ("p" * 300, "p" * 300, "ok", "B is not worse by 5 points or more"),
        ("pf" * 10, "fp" * 10, "undecided", "if it is as good as A, 3,"),
        ("p" * 40, "p" * 30 + "f" * 10, "worse", "B is significantly worse, by 25 points"),
        ("p" * 1000, "p" * 980 + "f" * 20, "ok", "B is not worse by 5 points"),  # surely worse, and surely by less
    ],
)
def test_a_margin_has_three_outcomes(tmp_path: Path, before: str, after: str, wanted: str, why: str) -> None:
    found, told = state(tmp_path, before, after, GateRule(margin=0.05))
    assert found == wanted
    assert told.startswith(why) or why in told


def test_errors_may_lie_within_a_margin_too(tmp_path: Path) -> None:
    before, after = "p" * 300, "p" * 270 + "e" * 30
    assert state(tmp_path, before, after, GateRule(margin=0.05, errors_may_lie="missing"))[0] == "ok"
    assert state(tmp_path / "2", before, after, GateRule(margin=0.05))[0] == "worse"
    surely = "p" * 960 + "f" * 15 + "e" * 25  # surely worse, surely by less than 5 points, and 25 errors
    assert state(tmp_path / "3", "p" * 1000, surely, GateRule(margin=0.05, errors_may_lie="missing"))[0] == "ok"
    assert state(tmp_path / "4", "p" * 1000, surely, GateRule(margin=0.05))[0] == "worse"


def test_the_exit_status_of_a_margin(tmp_path: Path) -> None:
    trialkit = Program(tmp_path)
    a, b = (str(run(tmp_path / f"{name}.trial", cases(told))) for name, told in (("a", "pf" * 10), ("b", "fp" * 10)))
    undecided = trialkit("compare", a, b, "--gate-margin", "0.05")
    assert undecided.status == 4
    assert "gate undecided: B may be worse by 5 points or more, or not" in undecided.err
    assert "Gate: undecided." in undecided.out
    assert trialkit("compare", a, b, "--gate-margin", "0.05", "--undecided-exit", "0").status == 0
    data = json.loads(trialkit("compare", a, b, "--gate-margin", "0.9", "--format", "json").out)
    assert data["gate"]["state"] == "ok"
    wrong = trialkit("compare", a, b, "--gate-margin", "5")
    assert (wrong.status, "5 points are 0.05" in wrong.err) == (2, True)
