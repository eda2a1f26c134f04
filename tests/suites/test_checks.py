"""Whoever writes a suite is told what is wrong with it before a run begins."""

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

import trialkit
from trialkit import Case, Format, InputError, Measure, RunSettings, Suite, Trial, Verdict
from trialkit.analysis.summary import summarize


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
        (suite(cases=lambda *_: None), r"its cases cannot be had: TypeError: None is no Sequence \(test_checks.py:"),
        (suite(cases=_lost), r"KeyError: 'x' \(test_checks.py:"),
        (with_cases({"id": "a"}), "TypeError: {.id.: .a.} is no Case"),
        (with_cases(_case("a"), _case("a")), "two cases have the id 'a'"),
        (with_cases(_case(1)), "the id of a case is 1, not a text"),
        (with_cases(_case("\ud83c")), "the id of a case is '.*ud83c', not a text"),
        (with_cases(_case("a", {"file": Path("x")})), "PosixPath"),
        (with_cases(_case("a", {"mean": math.nan})), "the data of case a is no JSON data"),
        (with_cases(replace(_case("a"), group=cast("str", None))), "the group of case a is None, not a text"),
        (suite(summary=None), "or a summary that is no text"),
        (suite(beside=("json", "pdf")), "beside names 'pdf', no format; there are console, csv, html, json"),
        (suite(formats=_lost), r"its formats cannot be had: KeyError: 'x' \(test_checks.py:"),
        (suite(prompts=_lost), "its prompts cannot be had: KeyError"),
        (suite(roles=_lost), "its roles cannot be had: KeyError"),
        (suite(judges=_lost), "its judges cannot be had: KeyError"),
        (suite(runner=lambda *_: None), "its runner cannot be had: TypeError: None is no Runner"),
        (
            suite(roles=lambda *_: []),
            r"its roles cannot be had: TypeError: \[\] is no Mapping \(test_checks.py:",
        ),
        (suite(roles=lambda *_: {"model": None}), "its roles cannot be had: TypeError: None is no Role"),
        (suite(judges=lambda *_: ["x"]), "its judges cannot be had: TypeError: 'x' is no JudgeInUse"),
        (suite(prompts=lambda *_: ["x"]), "its prompts cannot be had: TypeError: 'x' is no Prompt"),
        (suite(prompts=lambda *_: (1 / 0 for _ in "x")), "its prompts cannot be had: ZeroDivisionError"),
        (suite(identity=_lost), "its identity cannot be had: KeyError"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_written(odd: Any, says: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=says):
        run(odd, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ({"facts": _lost}, r"its facts cannot be had: KeyError: 'x' \(test_checks.py:"),
        ({"facts": lambda *_: {"file": Path("x")}}, "its facts cannot be had: TypeError: .*PosixPath"),
        ({"facts": lambda *_: {"mean": math.nan}}, "its facts cannot be had: .*NaN"),
        ({"facts": lambda *_: [1]}, r"its facts cannot be had: TypeError: \[1\] is no Mapping"),
        ({"details": lambda *_: trialkit.Details(metrics={"mean": math.nan})}, "its details cannot be had: .*NaN"),
        ({"details": _lost}, "its details cannot be had: KeyError"),
        ({"details": lambda *_: trialkit.Details(metrics={"file": Path("x")})}, "its details cannot .*PosixPath"),
    ],
)
def test_what_it_tells_of_a_run_may_be_broken(parts: dict[str, Any], says: str, tmp_path: Path) -> None:
    (tmp_path / "none.json").write_text('{"replies": [{}]}')
    with pytest.raises(InputError, match=says):
        trialkit.run(suite(**parts), model=f"scripted:{tmp_path / 'none.json'}", output_dir=tmp_path)
    (file,) = tmp_path.glob("*.trial")
    assert [trial.outcome for trial in trialkit.open_run(file).trials] == ["pass", "pass"]


def test_cases_may_be_made_one_by_one_and_skipped_ones_are_not_run(tmp_path: Path) -> None:
    (tmp_path / "none.json").write_text('{"replies": [{}]}')
    odd = suite(cases=lambda *_: (_case(name, skipped="" if name == "a" else "broken") for name in "ab"))
    done = trialkit.run(odd, model=f"scripted:{tmp_path / 'none.json'}", output_dir=tmp_path)
    assert [(case.id, case.skipped) for case in done.cases] == [("a", ""), ("b", "broken")]
    assert [(trial.case_id, trial.outcome) for trial in done.trials] == [("a", "pass")]


def test_a_suite_of_a_script_tells_its_own_facts_though_it_is_not_installed(tmp_path: Path) -> None:
    (tmp_path / "none.json").write_text('{"replies": [{}]}')
    told = Format(suffix=".txt", write=lambda run: f"{summarize(run).facts}")
    odd = suite(name="odd", facts=lambda *_: {"mood": "sunny"}, formats=lambda _: {"told": told}, beside=("told",))
    done = trialkit.run(odd, model=f"scripted:{tmp_path / 'none.json'}", output_dir=tmp_path)
    assert done.path.with_suffix(".txt").read_text() == "{1: {'mood': 'sunny'}, 2: {'mood': 'sunny'}}"


class _Early(trialkit.Runner):
    async def meet(self, content: trialkit.Content) -> trialkit.Content:
        raise KeyError("x")


class _Mute(trialkit.Runner):
    async def meet(self, content: trialkit.Content) -> Any:
        return None


@pytest.mark.parametrize(
    ("runner", "why"), [(_Early(), r"KeyError: 'x' \(test_checks.py:"), (_Mute(), "None is no Con")]
)
def test_a_meeting_may_be_broken(runner: trialkit.Runner, why: str, tmp_path: Path) -> None:
    (tmp_path / "none.json").write_text('{"replies": [{}]}')
    with pytest.raises(InputError, match=f"its meeting cannot be had: .*{why}"):
        trialkit.run(suite(runner=lambda *_: runner), model=f"scripted:{tmp_path / 'none.json'}")


@pytest.mark.parametrize(
    "method",
    ["judge_prompts", "identity", "rejudge_settings", "usual", "label_row", "row_case", "sources", "check", "starter"],
)
def test_a_method_that_fails_says_so_in_one_line_from_wherever_it_is_asked(method: str) -> None:
    told = method.replace("_", " ")
    with pytest.raises(
        InputError, match=rf"^suite good: its {told} cannot be had: KeyError: 'x' \(test_checks.py:\d+\)"
    ):
        getattr(suite((Good,), **{method: _lost}), method)(None)


def test_what_a_suite_takes_from_elsewhere_or_awaits_stays_as_it_is() -> None:
    mixed = type("Mixed", (type("Mixin", (), {"formats": _lost}), Good), {"starter": staticmethod(_lost)})()
    with pytest.raises(InputError, match="its formats cannot be had"):
        mixed.formats()
    with pytest.raises(KeyError):
        mixed.starter()
    assert type(mixed).attempt is Good.attempt


@pytest.mark.parametrize(("text", "why"), [(_lost, "KeyError: 'x'"), (lambda _: None, "TypeError: it is None")])
def test_a_format_may_be_broken(text: Any, why: str, tmp_path: Path) -> None:
    (tmp_path / "none.json").write_text('{"replies": [{}]}')
    odd = suite(formats=lambda _: {"told": Format(suffix=".txt", write=text)}, beside=("told",))
    with pytest.raises(InputError, match=rf"\.trial, as \.txt: its text cannot be had: {why}"):
        trialkit.run(odd, model=f"scripted:{tmp_path / 'none.json'}", output_dir=tmp_path)
