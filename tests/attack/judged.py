"""Judges of suites in files, at work: on hostile answers, and where they are models, on what those reply."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from trialkit.judges.kinds import Attempt, NamedJudge
from trialkit.models import Reply, Request, ToolCall
from trialkit.suites.files.judging import read_judges
from trialkit.text.whole import whole_text
from trialkit.vocabulary import Verdict

#: As they stand in a suite. A pattern is searched for in a process apart, which takes too long for a fuzzer.
_ON_ANSWERS: Mapping[str, Any] = {
    "equals": {"equals": "{{ x }}"},
    "one of": {"one_of": ["a", "{{ x }}"]},
    "contains": {"contains": ["a", "{{ x }}"], "any": ["."]},
    "number": {"number": 3, "within": 0.5, "which": "any"},
    "json": {"json": "a.b[0]", "value": "{{ x }}"},
    "label": {"label": "a", "classes": {"a": ["b c"], "-": []}},
    "label in JSON": {"label": "a", "classes": ["a", "b"], "path": "a.b"},
    "tool call": {"tool_call": [{"name": "x", "arguments": {"a": "{{ x }}"}}], "only": True},
}
_BY_MODELS: Mapping[str, Any] = {
    "checks": {"model": ["It is so.", "It says {{ x }}."]},
    "a scale": {"model": {"question": "how good", "scale": {1: "bad", 5: "good"}}},
    "a choice": {
        "model": {"reference": "{{ x }}", "classes": {"same": "the same", "other": "not"}, "passes": ["same"]}
    },
    "a preference": {"model": {"against": "{{ x }}", "question": "which is better"}},
}
_CASE = {"x": "seen"}


class _Model:
    """It replies with this whatever it is asked, as text or as the call that it is to make."""

    seed = None

    def __init__(self, text: str) -> None:
        self._text = text

    async def ask(self, role: str, request: Request) -> Reply:
        calls = (ToolCall(id="1", name=tool.name, arguments=self._text) for tool in request.tools[:1])
        return Reply(text=self._text, tool_calls=tuple(calls))

    def note(self, kind: str, **data: object) -> None:
        pass


def _judge(written: Any) -> NamedJudge:
    (judge,), _ = read_judges({"judge": written}, None, Path())
    return judge.prepared([_CASE])


def _on_answers(judge: NamedJudge) -> Callable[[str], Verdict]:
    def read(text: str) -> Verdict:
        said = whole_text(text)
        return asyncio.run(judge.verdict(_Model(""), Attempt(case={"x": said[:99]}, text=said)))

    return read


def _by_models(judge: NamedJudge) -> Callable[[str], Verdict]:
    def read(text: str) -> Verdict:
        return asyncio.run(judge.verdict(_Model(whole_text(text)), Attempt(case=_CASE, text="an answer")))

    return read


JUDGED: Mapping[str, Callable[[str], object]] = {
    **{f"an answer, by {name}": _on_answers(_judge(written)) for name, written in _ON_ANSWERS.items()},
    **{f"a judge's reply, by {name}": _by_models(_judge(written)) for name, written in _BY_MODELS.items()},
}
