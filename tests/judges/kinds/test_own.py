"""The judge that is a function of the user's own."""

import random
import threading
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from trialkit.errors import InputError
from trialkit.judges.kinds import KINDS, Attempt, NamedJudge, ToolUse

from .trying import expected, judge_of, outcomes, verdict

FUNCTIONS = """
import asyncio, threading
from decimal import Decimal
import numpy as np

def short(answer): return len(answer) <= 10
def share(answer): return answer.count("a") / len(answer), "as counted"
def number(answer): return float(answer)
def word(answer): return answer
async def later(answer):
    await asyncio.sleep(0)
    return bool(answer)
def several(answer, case):
    return {"short": len(answer) < 5, "polite": "please" in answer, "words": len(answer.split()), "tone": "calm"}
def decided(answer): return {"pass": np.bool_(True), "short": False, "length": np.float64(2.5)}
def scored(answer): return {"score": 0.5, "polite": False, "odd": float("nan")}
def everything(answer, case, value, calls, messages, state, seconds, cost, mine=3):
    assert threading.current_thread() is not threading.main_thread()
    return answer == "x" and case["a"] == 1 and value == 2 and calls[0].name == "t" and state == 5 and cost is None
def broken(answer): return {}["x"]
def leaves(answer): raise SystemExit(3)
def asks(answer, mood): return True
text = "no function"
def array(answer): return np.zeros(3)
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("own") / "own_judges.py"
    place.write_text(FUNCTIONS)
    return place


def own(file: Path, name: str, **more: Any) -> NamedJudge:
    return judge_of("python", function=f"{file}:{name}", **more)


async def test_functions_whose_truth_is_known(file: Path) -> None:
    rng = random.Random(14)
    attempts = [Attempt(case={}, text="ab" * rng.randint(0, 10)) for _ in range(250)]
    assert await outcomes(own(file, "short"), attempts) == expected([len(one.text) <= 10 for one in attempts])
    assert await outcomes(own(file, "later"), attempts) == expected([bool(one.text) for one in attempts])


def test_a_number_needs_a_range(file: Path) -> None:
    judge = own(file, "share", range=[0, 1], higher_is_better=False)
    assert str(judge.measure) == "it (0 to 1, lower is better)"
    found = verdict(judge, "abab")
    assert (found.outcome, found.score, found.critique) == ("scored", 0.5, "as counted")
    assert "give a `range`" in verdict(own(file, "share"), "abab").critique
    for text in ("1.5", "nan", "-inf"):
        assert verdict(own(file, "number", range=[0, 1]), text).outcome == "error"
    with pytest.raises(ValidationError, match="must be written"):
        own(file, "number", range=[1, 0])


@pytest.mark.parametrize(
    ("text", "outcome"), [("pass", "pass"), ("fail", "fail"), ("maybe", "error"), ("good", "error")]
)
def test_a_text_passes_where_it_is_listed(file: Path, text: str, outcome: str) -> None:
    assert verdict(own(file, "word"), text).outcome == outcome
    graded = own(file, "word", passes=["good", "fair"], fails=["bad"])
    assert verdict(graded, "fair").outcome == "pass"
    assert verdict(graded, "bad").outcome == "fail"
    assert verdict(graded, "pass").outcome == "error"


def test_several_are_findings_figures_and_words(file: Path) -> None:
    found = verdict(own(file, "several"), "please do")
    assert found.outcome == "fail"
    assert [(one.check, one.met) for one in found.findings] == [("short", False), ("polite", True)]
    assert found.details == {"figures": {"words": 2}, "words": {"tone": "calm"}}
    assert found.critique == "not so: short; tone: calm"


def test_one_of_several_decides(file: Path) -> None:
    found = verdict(own(file, "decided"))
    assert (found.outcome, found.details["figures"]) == ("pass", {"length": 2.5})
    found = verdict(own(file, "scored", range=[0, 1]))
    assert (found.outcome, found.score, found.details["figures"]) == ("scored", 0.5, {})


def test_a_function_is_given_what_it_asks_for_off_the_event_loop(file: Path) -> None:
    calls = [ToolUse(name="t", arguments={})]
    more = {"value": 2, "calls": calls, "state": 5}
    assert verdict(own(file, "everything"), "x", {"a": 1}, **more).outcome == "pass"
    assert threading.current_thread() is threading.main_thread()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("broken", "KeyError: 'x' (own_judges.py:20)"),
        ("leaves", "SystemExit: 3 (own_judges.py:21)"),
        ("asks", "asks for mood; a judge can ask for answer, case, "),
        ("text", "is no function"),
        ("shrt", "did you mean short?"),
        ("array", "which is not true, false, or a text"),
    ],
)
def test_a_function_that_fails_is_an_error_with_its_place(file: Path, name: str, said: str) -> None:
    found = verdict(own(file, name, **{"not": True}), "x")
    assert found.outcome == "error"
    assert said in found.critique


def test_what_is_wrong_with_it_is_told_before_the_run(file: Path) -> None:
    with pytest.raises(InputError, match="asks for mood"):
        own(file, "asks").prepared([])


def test_it_is_looked_for_beside_the_suite(file: Path) -> None:
    kind = KINDS["python"]
    settings = kind.settings.model_validate({"function": "own_judges.py:short"}, context={"folder": file.parent})
    assert verdict(NamedJudge(name="it", kind=kind, settings=settings), "x").outcome == "pass"
    assert kind.explain(settings, {}) == "passes if own_judges.py:short(answer) says so"
