"""What becomes of a trial whatever its suite does: a record, in which an error is never a fail."""

import asyncio
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from tests.engine.tiny import PROMPTS, FakeCalls, TinySettings, TinySuite, job
from trialkit.engine.calls import StoppedError
from trialkit.engine.executor import LocalExecutor
from trialkit.engine.job import Job
from trialkit.engine.setup import Setup
from trialkit.errors import JudgeError, ModelError, ReplayError
from trialkit.models import Reply
from trialkit.runfile import TrialRecord
from trialkit.suites import Trial
from trialkit.vocabulary import Measure, Verdict


def run(
    suite: TinySuite | None = None, calls: FakeCalls | None = None, work: Job | None = None, **settings: Any
) -> TrialRecord:
    setup = Setup.of(suite or TinySuite(), TinySettings.model_validate(settings), list(PROMPTS.values()))
    return asyncio.run(LocalExecutor(setup, calls or FakeCalls()).run(work or job()))


def broken(part: str, error: BaseException) -> TinySuite:
    async def fail(*_: object) -> None:
        raise error

    suite: TinySuite = type("Broken", (TinySuite,), {part: fail})()
    return suite


def test_a_trial_ends_with_its_output_and_a_verdict_of_each_judge() -> None:
    record = run(seed=7)
    assert record.output == {"said": "yes", "seed": 570167724}
    assert [(one.judge, one.outcome) for one in record.verdicts] == [("ear", "pass"), ("eye", "pass")]
    assert (record.error, record.error_kind, record.outcome) == (None, None, "pass")
    assert record.elapsed_s > 0
    assert run(calls=FakeCalls(say=lambda _: Reply(text="wrong"))).outcome == "fail"


def test_an_answer_that_is_there_is_only_judged() -> None:
    calls = FakeCalls()
    record = run(calls=calls, work=job(output={"said": "wrong"}))
    assert (record.output, record.outcome) == ({"said": "wrong"}, "fail")
    assert calls.called == []


def test_where_nobody_judges_there_is_no_outcome() -> None:
    record = run(judged=False)
    assert (record.verdicts, record.outcome) == ((), None)


def model_error() -> Exception:
    return ModelError("rate_limit", "too many")


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (model_error, "rate_limit", "too many"),
        (lambda: ReplayError("not recorded"), "replay", "not recorded"),
        (lambda: ZeroDivisionError("by zero"), "crash", "ZeroDivisionError: by zero"),
    ],
)
def test_an_attempt_that_fails_is_an_error(error: Callable[[], Exception], kind: str, message: str) -> None:
    calls = FakeCalls()
    record = run(broken("attempt", error()), calls)
    assert (record.output, record.error_kind, record.error) == (None, kind, message)
    assert [(one.judge, one.outcome) for one in record.verdicts] == [("ear", "error"), ("eye", "error")]
    assert {one.critique for one in record.verdicts} == {f"no answer to judge: {message}"}
    assert calls.kinds() == (["crash"] if kind == "crash" else [])


@pytest.mark.parametrize(
    ("error", "critique"),
    [
        (model_error, "the judge gave no reply: too many"),
        (lambda: JudgeError("no verdict in it"), "no verdict could be had: no verdict in it"),
        (lambda: ReplayError("not recorded"), "not recorded"),
        (lambda: ZeroDivisionError("by zero"), "the judge crashed: ZeroDivisionError: by zero"),
    ],
)
def test_a_judge_that_fails_gives_errors_never_a_fail_or_a_pass(error: Callable[[], Exception], critique: str) -> None:
    calls = FakeCalls()
    record = run(broken("judge", error()), calls)
    assert record.output is not None
    assert record.error is None
    assert [(one.outcome, one.critique) for one in record.verdicts] == [("error", critique)] * 2
    assert calls.kinds() == ["reply"] + ["crash"] * critique.startswith("the judge crashed")


def test_a_traceback_of_the_suites_own_code_is_kept() -> None:
    calls = FakeCalls()
    run(broken("judge", ZeroDivisionError("by zero")), calls)
    _, event = calls.noted[-1]
    assert "in fail" in event.data["traceback"]


@pytest.mark.parametrize("said", [[], [Verdict(outcome="pass", critique="")] * 3, Verdict(outcome="pass", critique="")])
def test_as_many_verdicts_as_judges_or_none_counts(said: object) -> None:
    async def judge(*_: object) -> object:
        return said

    record = run(type("Odd", (TinySuite,), {"judge": judge})())
    assert [one.outcome for one in record.verdicts] == ["error", "error"]
    assert "verdicts came of these judges: ear, eye" in record.verdicts[0].critique


@pytest.mark.parametrize("output", [None, "text", 3])
def test_an_attempt_without_an_output_is_an_error(output: object) -> None:
    async def attempt(*_: object) -> object:
        return output

    record = run(type("Silent", (TinySuite,), {"attempt": attempt})())
    assert (record.output, record.error_kind, record.outcome) == (None, "crash", "error")


@pytest.mark.parametrize(
    ("output", "why"),
    [({"file": Path("x")}, "PosixPath"), ({"mean": math.nan}, "NaN"), ({("a", 1): 2}, "keys must be str")],
)
def test_an_output_that_cannot_be_kept_is_the_trials_error(output: object, why: str) -> None:
    async def attempt(*_: object) -> object:
        return output

    record = run(type("Odd", (TinySuite,), {"attempt": attempt})())
    assert (record.output, record.error_kind, record.outcome) == (None, "crash", "error")
    assert why in str(record.error)


def test_an_output_is_judged_as_it_is_kept() -> None:
    seen = []

    async def attempt(*_: object) -> object:
        return {"pair": (1, 2), 3: "three"}

    async def judge(_suite: object, _trial: object, output: object) -> object:
        seen.append(output)
        return [Verdict(outcome="pass", critique="")] * 2

    record = run(type("Odd", (TinySuite,), {"attempt": attempt, "judge": judge})())
    assert seen == [{"pair": [1, 2], "3": "three"}] == [record.output]


_GOOD = Verdict(outcome="pass", critique="")


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (None, "the judge gave None, not a Verdict"),
        (["pass", "pass"], "the judge gave ['pass', 'pass'], not a Verdict"),
        ([_GOOD, replace(_GOOD, judge="nose")], "signed by 'nose', where the judge is 'eye'"),
        ([_GOOD, replace(_GOOD, critique=cast("str", None))], "the critique is None, not a text"),
        ([_GOOD, replace(_GOOD, findings=cast("Any", ("seen",)))], "not a tuple of Finding"),
        ([_GOOD, replace(_GOOD, details={"file": Path("x")})], "no JSON data"),
        ([_GOOD, replace(_GOOD, score=cast("float", "4"))], "a score is '4', not a number"),
        ([_GOOD, replace(_GOOD, outcome=cast("Any", "maybe"))], "the outcome is 'maybe', none of pass, fail, scored,"),
        ([_GOOD, replace(_GOOD, outcome=cast("Any", ["pass"]))], "the outcome is ['pass'], none of"),
    ],
)
def test_a_verdict_that_cannot_be_kept_is_an_error_of_the_trial(said: object, why: str) -> None:
    async def judge(*_: object) -> object:
        return said

    record = run(type("Odd", (TinySuite,), {"judge": judge})())
    assert [one.outcome for one in record.verdicts] == ["error", "error"]
    assert why in record.verdicts[0].critique


@pytest.mark.parametrize("four", [4, np.int64(4), np.float32(4), Decimal(4), Fraction(4)])
def test_a_score_is_kept_as_a_plain_number_whatever_made_it(four: Any) -> None:
    async def judge(*_: object) -> object:
        return [Verdict(outcome="scored", critique="", score=four, scores={"b": four})] * 2

    measures = (Measure(name="a", low=1, high=5), Measure(name="b"))
    record = run(type("Odd", (TinySuite,), {"judge": judge, "measures": measures})())
    for verdict in record.verdicts:
        assert {type(score) for score in (verdict.score, *verdict.scores.values())} <= {int, float}
        assert (verdict.outcome, verdict.score, verdict.scores) == ("scored", 4, {"b": 4})


def test_a_whole_number_that_no_column_holds_is_kept_as_a_fraction() -> None:
    async def judge(*_: object) -> object:
        return [Verdict(outcome="scored", critique="", score=2**70)] * 2

    record = run(type("Odd", (TinySuite,), {"judge": judge, "measures": (Measure(name="a"),)})())
    assert [(one.score, type(one.score)) for one in record.verdicts] == [(2.0**70, float)] * 2


@pytest.mark.parametrize("part", ["attempt", "judge"])
def test_a_stop_leaves_the_trial_as_it_is(part: str) -> None:
    with pytest.raises(StoppedError):
        run(broken(part, StoppedError()))


def test_not_even_a_suite_that_catches_everything_keeps_a_stopped_trial_going() -> None:
    class Stubborn(TinySuite):
        async def attempt(self, trial: Trial[TinySettings]) -> Mapping[str, Any]:
            for _ in range(5):
                try:
                    return await super().attempt(trial)
                except Exception:  # noqa: S112, BLE001 - as some suites do
                    continue
            return {"said": "gave up"}

    calls = FakeCalls(say=lambda _: StoppedError())
    with pytest.raises(StoppedError):
        run(Stubborn(), calls)
    assert len(calls.called) == 1
