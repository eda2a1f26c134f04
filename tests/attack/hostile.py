"""Hostile texts: good ones that somebody changed."""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.server import Call, Say
from tests.server.protocols import answer as said_by
from tests.suites.commodity.samples import RESPONSE, golden, row
from tests.suites.tau.inout.files import GOOD, TAU2_GOOD, entry, simulation, tau2_results

_VERDICT = {"findings": [{"check": 1, "met": True, "evidence": "seen"}], "critique": "Good.", "outcome": "pass"}
_LINES = (
    {"n": 1, "type": "ready", "protocol": 1, "name": "a", "tools": ["x"]},
    {"n": 1, "type": "reply", "text": "Hello", "usage": {"input_tokens": 1, "output_tokens": 2, "cost": 0.1}},
    {"n": 1, "type": "calls", "calls": [{"name": "x", "arguments": {"a": 1}}], "notes": ["so"]},
    {"n": 1, "type": "error", "kind": "timeout", "message": "late"},
)
_SAY = Say(text="Hello", calls=(Call(name="create_alert", arguments={"a": 1}),), cache_read=3, thought="so")

_CARD = json.dumps(
    {"name": "a", "supportedInterfaces": [{"url": "u", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]}
)
_TASK: dict[str, Any] = {
    "id": "t",
    "status": {"state": "TASK_STATE_COMPLETED", "message": {"parts": [{"text": "a"}]}},
    "artifacts": [{"parts": [{"text": "b"}]}],
}


def _golden() -> str:
    with TemporaryDirectory() as folder:
        return golden(Path(folder), row(), row(Scenario_ID="S02", Model_Response=RESPONSE)).read_text()


#: What each reader is used to; the others get all of these.
GOOD_TEXTS: Mapping[str, Sequence[str]] = {
    "a judge's text": [f"I think {json.dumps(_VERDICT)} so.", json.dumps([_VERDICT])],
    "a judge's call": [json.dumps(_VERDICT)],
    "an answer in a CSV": [RESPONSE],
    "an action in a text": ['{"name": "x", "arguments": {"a": 1}}'],
    "a simulated user's message": ["Thought: so\nMessage: Hello\nGood: yes"],
    "an agent's line": [json.dumps(line) for line in _LINES],
    "an expression": ["(1 + 2) * 3.5 / -4 ** 2 // 3"],
    "an answer of openai": [said_by(_SAY, {"model": "m"}, "openai").decode()],
    "an answer of anthropic": [said_by(_SAY, {"model": "m"}, "anthropic").decode()],
    "a script of replies": [
        '{"replies": [{"when": "a+", "text": "b", "tool_calls": [{"name": "c", "arguments": {}}]}]}'
    ],
    "a golden CSV": [_golden()],
    "cases in a CSV": ['id;text;team\r\n1;a;x\r\n2;"b\nc";y\r\n'],
    "cases in JSON": ['[{"id": 1, "text": "a", "n": {"b": [1.5]}}, {"id": 2, "text": "b", "n": null}]'],
    "cases in lines of JSON": ['{"id": 1, "text": "a"}\n{"id": 2, "text": "b", "n": [1]}\n'],
    "prices": [
        (
            '{"a/b": {"litellm_provider": "a", "input_cost_per_token": 1e-6, "output_cost_per_token": 2e-6,'
            ' "input_cost_per_token_above_200k_tokens": 1e-6, "cache_read_input_token_cost": 1e-7}}'
        )
    ],
    "an answer of an A2A agent": [_CARD, json.dumps({"task": _TASK}), json.dumps({"message": _TASK["status"]})],
    "an answer, by number": ["12 items, 1,235.00 EUR; -3.5% of 1.234,5"],
    "an answer, by json": ['{"a": {"b": ["seen"]}}', 'So:\n```json\n{"a": {"b": [1]}}\n```\n'],
    "an answer, by label in JSON": ['{"a": {"b": "a"}}'],
    "a judge's reply, by checks": [json.dumps(_VERDICT)],
    "a judge's reply, by a scale": ['{"why": "good", "score": 4}', '{"critique": "good", "score": 4}'],
    "a judge's reply, by a choice": ['{"why": "good", "choice": "same"}'],
    "a judge's reply, by a preference": [
        '{"why": "good", "better": "first"}',
        '{"critique": "x", "better": "neither"}',
    ],
    "a CSV of labels": ["Scenario ID,Trial,Human Outcome,Human Critique\r\nS01,1,pass,fine\r\nS02,1,fail,\r\n"],
    "a project's defaults": ['model = "a"\ntrials = 2\noutput-dir = "~/x"\n[tags]\na.b = [1, {c = 2.5}]\n'],
    "a project's variables": ["A=b # c\nexport C='d'\nE=\"f\\n\ng\"\n"],
    "a trajectory": [json.dumps([entry(*GOOD)]), json.dumps(tau2_results(simulation(*TAU2_GOOD)))],
    "reasoning, by rules": ["The position size is large. There is a risk of loss if the price falls; p&l is -3.5%."],
    "a rule of criteria": ["must suggest stop-loss and take-profit for all positions", "threshold between 4.2 and 4.5"],
}
_ALL = [text for texts in GOOD_TEXTS.values() for text in texts]
_ODD = (
    "\x00", "\ufeff", "\u202e", "\ud800", "\U0001f33d", "\x1b[31m",
    "NaN", "1e999", "-0", "1" * 5000, "null", "true", "[]", "{}", '"',
    "\\u0000", "\\ud800", "\r\n", "\r", ",", ";", "'", "=1+1", "\t", "\u0130", "\u2028",
    "9" * 30, "-1", "{" * 900, "[" * 2000, "." * 3000,
    "_" * 3000, "### Action:", "<|end|>", "0x1F", "1_000", "\u0663", "inf", "\uff11",
)  # fmt: skip
_VALUES: Sequence[Any] = (
    None,
    True,
    0,
    -1,
    1.5,
    1e308,
    10**400,
    "",
    "x",
    "\ud800",
    "\x00",
    [],
    {},
    [[]],
    {"": None},
    "9" * 50,
    [1] * 300,
)


def hostile(draw: random.Random, name: str) -> str:
    """A text for the reader of this name."""
    text = draw.choice(GOOD_TEXTS.get(name, _ALL) if draw.random() < 0.9 else _ALL)
    if draw.random() < 0.5 and (changed := in_json(draw, text)) is not None:
        return changed
    for _ in range(draw.choice((1, 1, 2, 5))):
        text = draw.choice(_CHANGES)(draw, text)
    return text[:60_000]


def in_json(draw: random.Random, text: str) -> str | None:
    """One value in it, however deep, is another."""
    try:
        whole = [json.loads(text)]
    except ValueError:
        return None
    inside: Any = whole
    while True:
        key = draw.choice(list(inside) if isinstance(inside, dict) else range(len(inside)))
        if draw.random() < 0.3 or not isinstance(inside[key], dict | list) or not inside[key]:
            break
        inside = inside[key]
    match draw.randrange(4):
        case 0 if inside is not whole:
            del inside[key]
        case 1 if isinstance(inside, dict):
            inside[draw.choice(_ODD)] = inside[key]
        case _:
            inside[key] = draw.choice(_VALUES)
    return json.dumps(whole[0], ensure_ascii=draw.random() < 0.5)


def _cut(draw: random.Random, text: str) -> str:
    return text[: draw.randrange(len(text) + 1)]


def _put(draw: random.Random, text: str) -> str:
    place = draw.randrange(len(text) + 1)
    return text[:place] + draw.choice(_ODD) + text[place + draw.choice((0, 0, 1, 9)) :]


def _twice(draw: random.Random, text: str) -> str:
    start, end = sorted((draw.randrange(len(text) + 1), draw.randrange(len(text) + 1)))
    return text[:end] + text[start:end] * draw.choice((1, 2, 50)) + text[end:]


def _noise(draw: random.Random, text: str) -> str:
    made = "".join(
        chr(draw.choice((draw.randrange(32), draw.randrange(128), draw.randrange(0x110000)))) for _ in range(20)
    )
    return made + text if draw.random() < 0.5 else made


_CHANGES: Sequence[Callable[[random.Random, str], str]] = (_cut, _put, _put, _put, _twice, _noise)
