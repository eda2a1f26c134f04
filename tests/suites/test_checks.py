"""Whoever writes a suite is told what is wrong with it before a run begins."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import trialkit
from trialkit import Case, InputError, Measure, RunSettings, Suite, Trial, Verdict


class Good(Suite):
    name = "good"

    def cases(self, settings: RunSettings) -> list[Case]:
        return [_case("a"), _case("b")]

    async def attempt(self, trial: Trial) -> dict[str, Any]:
        return {"said": trial.case.id}

    async def judge(self, trial: Trial, output: Mapping[str, Any]) -> Verdict:
        return Verdict(outcome="pass", critique="")


def _case(name: object, data: Mapping[str, object] | None = None, skipped: str = "") -> Case:
    return Case(id=name, title="", group="g", data=data or {}, skipped=skipped)  # type: ignore[arg-type]


def _lost(*_: object) -> list[Case]:
    raise KeyError("x")


def suite(bases: tuple[type, ...] = (Good,), **parts: object) -> Any:
    return type("Odd", bases, parts)()


def with_cases(*cases: object) -> Any:
    return suite(cases=lambda *_: cases)


def run(odd: Any, folder: Path) -> trialkit.Run:
    return trialkit.run(odd, model="scripted:none.json", output_dir=folder)


@pytest.mark.parametrize(
    ("odd", "says"),
    [
        (object(), "is no suite"),
        (Good, "is no suite"),
        (suite(api=2), "was written for API 2"),
        (suite(name=""), "has no name"),
        (suite(bases=(Suite,)), "has no name"),
        (suite(settings=dict), "no subclass of RunSettings"),
        (suite(measures=()), "no tuple of Measure"),
        (suite(measures=Measure(name="q")), "no tuple of Measure"),
        (suite(measures=(Measure(name="q"), Measure(name="q"))), "two measures of one name: q, q"),
        (suite(cases=Suite.cases), "has no cases, and no content"),
        (suite(attempt=Suite.attempt), "has no attempt, and no runner"),
        (suite(judge=Suite.judge), "has no judge, and no runner"),
        (suite(cases=lambda *_: None), "its cases cannot be had: TypeError"),
        (suite(cases=_lost), r"KeyError: 'x' \(test_checks.py:"),
        (with_cases({"id": "a"}), "AttributeError"),
        (with_cases(_case("a"), _case("a")), "two cases have the id 'a'"),
        (with_cases(_case(1)), "the id of a case is 1, not a text"),
        (with_cases(_case("a", {"file": Path("x")})), "PosixPath"),
        (with_cases(_case("a", {"mean": math.nan})), "the data of case a is no JSON data"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_written(odd: Any, says: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=says):
        run(odd, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_cases_may_be_made_one_by_one_and_skipped_ones_are_not_run(tmp_path: Path) -> None:
    (tmp_path / "none.json").write_text('{"replies": [{}]}')
    odd = suite(cases=lambda *_: (_case(name, skipped="" if name == "a" else "broken") for name in "ab"))
    done = trialkit.run(odd, model=f"scripted:{tmp_path / 'none.json'}", output_dir=tmp_path)
    assert [(case.id, case.skipped) for case in done.cases] == [("a", ""), ("b", "broken")]
    assert [(trial.case_id, trial.outcome) for trial in done.trials] == [("a", "pass")]
