"""The agents apart from any suite: how they are found, and how what a model writes is read."""

import contextlib
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.e2e.program import Program
from tests.shared import shared_path
from trialkit.agents import agent_names, get_agent
from trialkit.dialogue import Opening, ToolResult, read_arguments
from trialkit.errors import InputError
from trialkit.models import Reply, Request

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def test_our_own_agents_are_found_by_entry_points() -> None:
    assert {"act", "few-shot", "oracle", "react", "tool-calling"} <= set(agent_names())
    for name in agent_names():
        assert get_agent(name).summary


def test_an_unknown_agent_is_named_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"'orakle'; did you mean oracle\? Known: act,"):
        get_agent("orakle")


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("no_such_module:KIND", "cannot be loaded: ModuleNotFoundError"),
        ("json:NOPE", "cannot be loaded: AttributeError"),
        ("json:loads", "is no agent: it has no summary, no needs, no open"),
    ],
)
def test_a_package_that_is_broken_hides_no_other(tmp_path: Path, value: str, says: str) -> None:
    info = tmp_path / "theirs-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[trialkit.agents]\nparrot = {value}\n")
    program = Program(tmp_path)
    program.env["PYTHONPATH"] = str(tmp_path)
    listed = program("agents")
    assert listed.status == 0
    assert "tool-calling" in listed.out
    assert f"agent parrot: {value}, of the package theirs, {says}" in listed.out
    data = str(shared_path("tau-bench"))
    done = program("run", "tau-bench/retail", "--agent", "parrot", "--data-dir", data, "--user-strategy", "scripted")
    assert done.status == 2
    assert says in done.err


def test_a_package_that_comes_later_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a notebook, which installs one and goes on."""
    monkeypatch.syspath_prepend(tmp_path)
    assert "parrot" not in agent_names()
    info = tmp_path / "theirs-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[trialkit.agents]\nparrot = json:loads\n")
    assert "parrot" in agent_names()


@given(st.dictionaries(st.text(), VALUES, max_size=4))
def test_written_arguments_are_read_as_they_were_meant(arguments: dict[str, Any]) -> None:
    assert read_arguments(json.dumps(arguments)) == arguments
    assert read_arguments(json.dumps(arguments, ensure_ascii=False)) == arguments


@given(st.text() | VALUES.map(json.dumps))
def test_any_text_is_an_object_or_a_value_error(text: str) -> None:
    value: dict[str, Any] = {}
    with contextlib.suppress(ValueError):
        value = read_arguments(text)
    assert isinstance(value, dict)
    json.dumps(value, allow_nan=False, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[" * 100_000, "nested too deeply"),
        ('{"a": ' + "[" * 300 + "]" * 300 + "}", "nested too deeply"),
        ('{"a": ' + "9" * 5000 + "}", "limit"),
        ('{"a": 1e999}', "too large"),
        ('{"a": -Infinity}', "-Infinity is not JSON"),
    ],
)
def test_text_that_would_break_a_reader_is_refused(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        read_arguments(text)


def opening(text: str, notes: list[str]) -> Opening:
    async def ask(_request: Request) -> Reply:
        return Reply(text=text)

    return Opening(
        policy="", tools=(), ask=ask, note=lambda rule, _detail: notes.append(rule), draws=Random(1), prompt="Be brief."
    )


@given(st.text())
async def test_whatever_is_written_a_text_agent_moves(text: str) -> None:
    notes: list[str] = []
    agent = await get_agent("react").open(opening(text, notes))
    move = await agent.hear("Hello.")
    assert move.empty == (notes[-1:] == ["empty_reply"])
    assert len(move.calls) <= 1


@given(st.text(min_size=1), VALUES)
async def test_a_well_formed_action_is_a_call_with_its_arguments(name: str, arguments: Any) -> None:
    text = "Thought: so.\nAction:\n" + json.dumps({"name": f"tool {name}", "arguments": arguments})
    if "Action:" in json.dumps([name, arguments]):
        return
    agent = await get_agent("react").open(opening(text, []))
    (call,) = (await agent.hear("Hello.")).calls
    assert call.name == f"tool {name}"
    assert json.loads(call.arguments) == arguments
    again = await agent.observe([ToolResult(call=call, text="done")])
    assert again.calls[0].id != call.id
