"""A judge that is a model: what it is asked, what is read, and what happens where nothing can be."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from trialkit.errors import JudgeError, ModelError
from trialkit.judges import ModelJudge
from trialkit.models import Reply, Request, Tool, ToolCall
from trialkit.vocabulary import Verdict

GRADE = Tool(
    name="grade",
    description="Grades the answer.",
    parameters={
        "type": "object",
        "properties": {"score": {"type": "integer"}, "why": {"type": "string"}},
        "required": ["score", "why"],
    },
)


def read(data: Mapping[str, Any]) -> int:
    if data["score"] not in range(1, 6):
        raise ValueError(f'"score" must be 1 to 5, not {data["score"]}')
    return int(data["score"])


JUDGE = ModelJudge(tool=GRADE, read=read, what="grade")
WRITTEN = ModelJudge(keys=("score",), read=read, what="grade")


def graded(score: object, text: str = "") -> Reply:
    arguments = json.dumps({"score": score, "why": "so"})
    return Reply(text=text, tool_calls=(ToolCall(id="1", name="grade", arguments=arguments),))


@dataclass(kw_only=True, slots=True)
class Trial:
    """Gives these answers."""

    answers: list[Reply | ModelError]
    seed: int | None = 7
    asked: list[tuple[str, Request]] = field(default_factory=list)
    notes: list[Mapping[str, Any]] = field(default_factory=list)

    async def ask(self, role: str, request: Request) -> Reply:
        self.asked.append((role, request))
        answer = self.answers.pop(0)
        if isinstance(answer, ModelError):
            raise answer
        return answer

    def note(self, kind: str, **data: Any) -> None:
        self.notes.append({"kind": kind, **data})


def ask(trial: Trial, judge: ModelJudge[int] = JUDGE, **more: Any) -> int:
    return asyncio.run(judge.ask(trial, "Be fair.", "Grade this.", **more))


def verdict(trial: Trial) -> Verdict:
    work = JUDGE.verdict(trial, "s", "u", to=lambda score: Verdict(outcome="scored", score=score, critique="so"))
    return asyncio.run(work)


def test_the_model_must_call_the_tool() -> None:
    trial = Trial(answers=[graded(4)])
    assert ask(trial) == 4
    ((role, request),) = trial.asked
    assert role == "judge"
    assert [(one.role, one.text) for one in request.messages] == [("system", "Be fair."), ("user", "Grade this.")]
    assert (request.tools, request.tool_choice, request.seed, request.temperature) == ((GRADE,), "grade", 7, None)
    assert trial.notes == [{"kind": "message", "role": "user", "text": "Grade this."}]


def test_without_a_tool_it_writes_json() -> None:
    trial = Trial(answers=[Reply(text="no"), Reply(text='I say {"score": 2}')])
    assert ask(trial, WRITTEN) == 2
    first, second = (request for _, request in trial.asked)
    assert (first.tools, first.tool_choice) == ((), None)
    assert second.messages[-1].text.endswith("Judge the same answer again, and write one JSON object with score.")


def test_what_cannot_be_read_is_told_and_asked_once_more() -> None:
    trial = Trial(answers=[graded(6), graded(5)])
    assert ask(trial) == 5
    _, request = trial.asked[1]
    assert [one.role for one in request.messages] == ["system", "user", "user"]
    assert request.messages[-1].text == (
        'the judge\'s reply cannot be read: "score" must be 1 to 5, not 6.'
        " Judge the same answer again, and call grade once."
    )
    assert trial.notes[-1]["text"] == request.messages[-1].text


def test_what_does_not_fit_the_question_is_asked_once_more_too() -> None:
    def even(score: int) -> None:
        if score % 2:
            raise JudgeError(f"{score} is odd")

    trial = Trial(answers=[graded(3), graded(4)])
    assert ask(trial, check=even) == 4
    assert trial.asked[1][1].messages[-1].text.startswith("3 is odd. ")
    with pytest.raises(JudgeError, match="5 is odd"):
        ask(Trial(answers=[graded(3), graded(5)]), check=even)


def test_a_second_reply_that_cannot_be_read_is_an_error_never_a_score() -> None:
    trial = Trial(answers=[Reply(text="Fine."), Reply(text="Fine, I s", stop="length"), graded(5)])
    found = verdict(trial)
    assert (found.outcome, found.score) == ("error", None)
    assert found.critique == (
        "no verdict in the judge's second reply: the judge's reply cannot be read: no grade in Fine, I s;"
        " the reply was cut off at its token limit"
    )
    assert len(trial.asked) == 2


def test_a_judge_without_a_reply_is_an_error() -> None:
    found = verdict(Trial(answers=[ModelError("server", "down")]))
    assert (found.outcome, found.critique) == ("error", "the judge gave no reply: down")
    assert verdict(Trial(answers=[Reply(), ModelError("server", "down")])).outcome == "error"


def test_a_verdict_is_made_of_what_it_says() -> None:
    assert verdict(Trial(answers=[graded(3)])) == Verdict(outcome="scored", score=3, critique="so")


def test_a_reply_that_contradicts_itself_says_nothing() -> None:
    twice = Reply(text="", tool_calls=(*graded(1).tool_calls, *graded(5).tool_calls))
    with pytest.raises(JudgeError, match="several answers that contradict each other"):
        JUDGE.parse(twice)
    loose = ModelJudge(tool=GRADE, read=read, same=lambda score: score > 0)
    assert loose.parse(twice) == 5


def test_the_same_tools_are_the_same_object_each_time() -> None:
    """So that they are written as JSON only once."""
    trial = Trial(answers=[graded(1), graded(1)])
    ask(trial)
    ask(trial)
    assert trial.asked[0][1].tools is trial.asked[1][1].tools
