"""Models that answer without a network: from a file, and from a function."""

import contextlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.models.conftest import Waits
from trialkit.errors import InputError, ModelError
from trialkit.models import (
    Connection,
    Message,
    ModelSpec,
    Reply,
    Request,
    ScriptedModel,
    ToolCall,
    Traffic,
    Usage,
    open_model,
)

_ROOT = Path(__file__).resolve().parents[2]


def script(folder: Path, content: Any) -> Connection:
    file = folder / "script.json"
    file.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return open_model(ModelSpec(name=f"scripted:{file}"), Traffic(sleep=Waits()))


def asking(text: str, system: str = "") -> Request:
    return Request(messages=(Message(role="system", text=system), Message(role="user", text=text)))


async def test_the_first_entry_that_fits_answers(tmp_path: Path) -> None:
    model = script(
        tmp_path,
        {
            "replies": [
                {"when": "^corn", "system": "judge", "text": "a verdict"},
                {"when": "corn", "text": "an alert", "tool_calls": [{"name": "f", "arguments": {"a": 1}}]},
                {"when": "wheat", "tool_calls": [{"name": "g", "arguments": "{oops"}, {"name": "h"}], "stop": "length"},
                {"text": "whatever", "usage": {"input_tokens": 3, "output_tokens": 4}},
            ]
        },
    )
    assert (await model(asking("corn?", system="You judge."))).reply.text == "a verdict"
    alert = (await model(asking("corn?"))).reply
    assert (alert.text, alert.stop) == ("an alert", "tools")
    assert alert.tool_calls == (ToolCall(id="call_2_0", name="f", arguments='{"a":1}'),)
    wheat = (await model(asking("wheat"))).reply
    assert [(call.name, call.arguments) for call in wheat.tool_calls] == [("g", "{oops"), ("h", "{}")]
    assert wheat.stop == "length"
    other = (await model(asking("rice"))).reply
    assert (other.text, other.usage, other.cost) == ("whatever", Usage(input_tokens=3, output_tokens=4), None)
    assert not model.price_known


async def test_a_function_answers_and_what_it_was_asked_is_kept() -> None:
    def answer(request: Request) -> Reply | str:
        if request.seed == 1:
            return Reply(text="with usage", usage=Usage(input_tokens=1, output_tokens=2))
        if len(scripted.requests) == 3:
            raise ModelError("server", "down")
        return f"You said {request.messages[-1].text}"

    with ScriptedModel(answer, "parrot") as scripted:
        waits = Waits()
        model = open_model(ModelSpec(name="scripted:parrot"), Traffic(sleep=waits))
        assert (await model(asking("corn"))).reply.text == "You said corn"
        told = await model(Request(messages=asking("rice").messages, seed=1))
        assert told.reply.usage == Usage(input_tokens=1, output_tokens=2)
        assert (await model(asking("wheat"))).attempts == 2
        assert [request.messages[-1].text for request in scripted.requests] == ["corn", "rice", "wheat", "wheat"]
        assert not model.storable
        with pytest.raises(ValueError, match="there is a model scripted:parrot already"):
            ScriptedModel(answer, "parrot").__enter__()
    with pytest.raises(InputError, match=r"parrot: cannot be read: .*; scripted:FILE names"):
        open_model(ModelSpec(name="scripted:parrot"))


def test_a_suite_is_tested_without_a_network_as_the_page_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(_ROOT / "examples" / "suite"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(_ROOT / "examples")
    (block,) = re.findall(r"```python\n(.*?)```", (_ROOT / "docs" / "models.md").read_text(), re.DOTALL)
    exec(block, {})  # noqa: S102 - our own page


async def test_no_entry_fits(tmp_path: Path) -> None:
    model = script(tmp_path, {"replies": [{"when": "corn", "text": "x"}]})
    with pytest.raises(ModelError, match=r"script\.json.*'rice'") as caught:
        await model(asking("rice"))
    assert caught.value.kind == "bad_request"


async def test_an_entry_can_fail(tmp_path: Path) -> None:
    model = script(tmp_path, {"replies": [{"error": "server"}]})
    with pytest.raises(ModelError) as caught:
        await model(asking("x"))
    assert (caught.value.kind, caught.value.attempts) == ("server", 4)


def test_the_key_follows_the_content(tmp_path: Path) -> None:
    first = script(tmp_path, {"replies": [{"text": "a"}]}).key
    assert script(tmp_path, {"replies": [{"text": "a"}]}).key == first
    assert script(tmp_path, {"replies": [{"text": "b"}]}).key != first


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b'{"replies": [\n  {"text": }]}', r"script\.json:2:12: not JSON"),
        (b"\xff", r"script\.json:1: byte 1"),
        (b"[" * 100_000, "nested too deeply"),
        ([], "script.json: Input should be a valid dictionary"),
        ({"replies": []}, "replies: List should have at least 1 item"),
        ({"replies": [3]}, "replies → 0: Input should be a valid dictionary"),
        ({"replies": [{"txt": ""}]}, "replies → 0 → txt: Extra inputs are not permitted"),
        ({"replies": [{"text": 3}]}, r"replies → 0 → text: Input should be a valid string \(found 3\)"),
        ({"replies": [{}, {"when": "("}]}, "replies → 1 → when: .*this is no regular expression: missing"),
        ({"replies": [{"tool_calls": [{"name": ""}]}]}, "tool_calls → 0 → name: String should have at least 1"),
        ({"replies": [{"tool_calls": {}}]}, "tool_calls: Input should be a valid list"),
        ({"replies": [{"stop": "halt"}]}, "stop: Input should be 'end', 'tools'"),
        ({"replies": [{"error": []}]}, "error: Input should be 'rate_limit'"),
        ({"replies": [{"usage": {"input_tokens": 1}}]}, "usage → output_tokens: Field required"),
        ({"replies": [{"usage": {"input_tokens": True, "output_tokens": 0}}]}, "input_tokens: .* valid integer"),
    ],
)
def test_bad_scripts(tmp_path: Path, content: Any, says: str) -> None:
    with pytest.raises(InputError, match=says.replace("{", r"\{")):
        script(tmp_path, content)


def test_a_missing_script() -> None:
    with pytest.raises(InputError, match=r"no/such\.json: cannot be read"):
        open_model(ModelSpec(name="scripted:no/such.json"))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
entries = st.fixed_dictionaries(
    {},
    optional={
        "when": json_values,
        "system": json_values,
        "text": json_values,
        "tool_calls": st.lists(st.fixed_dictionaries({}, optional={"name": json_values, "arguments": json_values})),
        "stop": json_values,
        "usage": json_values,
        "error": json_values,
    },
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.fixed_dictionaries({"replies": st.lists(entries, max_size=3)}) | json_values)
def test_any_json_is_a_script_or_an_input_error(tmp_path: Path, content: Any) -> None:
    with contextlib.suppress(InputError):
        script(tmp_path, content)
