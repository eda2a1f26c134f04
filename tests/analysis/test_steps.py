"""A transcript as people read it."""

from pathlib import Path
from typing import Any

from tests.run_files import case, write_run
from trialkit.analysis.steps import TrialStep, steps_of
from trialkit.runfile import Event, RunFile, TrialRecord


def steps(path: Path, *events: tuple[str, dict[str, Any]], output: dict[str, Any] | None = None) -> list[TrialStep]:
    record = TrialRecord(
        output=output,
        verdicts=(),
        events=tuple(Event(kind=kind, data=data) for kind, data in events),
        started="2026-01-01T00:00:00.000+00:00",
        elapsed_s=1.0,
    )
    with RunFile(write_run(path / "a.trial", [(case("a"), [record])])) as run:
        return steps_of(run, run.trial(1))


def call(name: str, arguments: str = "{}") -> dict[str, str]:
    return {"id": name, "name": name, "arguments": arguments}


def test_what_came_back_stands_with_its_call(tmp_path: Path) -> None:
    found = steps(
        tmp_path,
        ("message", {"role": "user", "text": "Hello."}),
        ("tool calls", {"text": "", "calls": [call("look"), call("find", '{"a":1}'), call("look")]}),
        ("observation", {"tool": "look", "text": "first"}),
        ("observation", {"tool": "find", "text": '{"b":2}'}),
        ("rule", {"rule": "a_rule", "detail": "was applied"}),
        ("observation", {"tool": "look", "text": "second"}),
        ("observation", {"tool": "look", "text": "nobody asked"}),
    )
    assert [(step.number, step.kind, step.who) for step in found] == [
        (1, "said", "user"),
        (2, "said", "assistant"),
        (3, "rule", ""),
        (4, "result", "look"),
    ]
    assert [(use.name, use.result) for use in found[1].uses] == [
        ("look", "first"),
        ("find", '{"b":2}'),
        ("look", "second"),
    ]
    assert found[1].uses[1].arguments == '{"a":1}'


def test_an_imported_conversation_is_read_from_its_output(tmp_path: Path) -> None:
    messages = [
        {"role": "user", "content": "Hello."},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "function": call("look", "no JSON {")}]},
        {"role": "tool", "name": "look", "content": "seen"},
        "not a message",
        {"role": "assistant", "content": ["not", "text"]},
    ]
    found = steps(tmp_path, output={"messages": messages})
    assert [(step.who, step.text) for step in found] == [("user", "Hello."), ("assistant", ""), ("assistant", "")]
    assert [(use.arguments, use.result) for use in found[1].uses] == [("no JSON {", "seen")]


def test_faults_and_notes_of_suites_are_steps(tmp_path: Path) -> None:
    found = steps(
        tmp_path,
        ("call failed", {"role": "agent", "error_kind": "timeout", "error": "30 s"}),
        ("crash", {"traceback": "Traceback …"}),
        ("malformed alert", {"why": "no price"}),
    )
    assert [(step.kind, step.who) for step in found] == [
        ("fault", "agent"),
        ("fault", ""),
        ("other", "malformed alert"),
    ]
    assert found[0].text == "timeout: 30 s"
    assert found[2].text == '{\n  "why": "no price"\n}'
