"""Malformed suites: cut, overwritten, with keys that were moved and values that fit nowhere. Each is refused."""

import copy
import random
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import settings

from tests.suites.files.here import Here
from trialkit.errors import InputError
from trialkit.suites.files.opening import open_suite

#: More of them with --hypothesis-profile=explore.
SEEDS, OF_EACH = range(4), 6 * settings().max_examples
WHOLE = """\
cases:
  - {id: 1, text: Where is it, team: shipping, n: 4}
  - {id: 2, text: "You owe me", team: billing, n: 5}
id: id
group: team
title: text
system: Be kind.
prompt: "Which team? {{ text }}"
tools:
  - {name: look, description: d, parameters: {type: object, properties: {a: {type: string}}}, result: "{{ n }}"}
max_steps: 4
output: {type: object, properties: {team: {type: string}}}
headline: team
judges:
  team: {label: "{{ team }}", classes: [shipping, billing]}
  same: {equals: "{{ team }}", sees: transcript}
  near: {number: "{{ n }}", within: 1, which: any}
  data: {json: $.team, value: "{{ team }}", schema: {type: object}}
  form: {regex: "[a-z]+{{ n }}"}
  acts: {tool_call: [{name: look, arguments: {a: x}}], in_order: true, not_called: close}
  says: {contains: [a, "{{ n }}"], any: [b]}
  some: {one_of: [a, b], not: true}
  rate: {model: {scale: {1: bad, 5: good}, question: how good}}
  rank: {model: {against: "{{ text }}", question: which}}
  sort: {model: {classes: {a: x, b: y}, passes: [a], reference: "{{ text }}"}}
  cost: {cost: 0.1}
  time: {latency: 5}
summary: Sorts.
settings: {trials: 2, max_concurrency: 3}
matrix: {temperature: [0, 1]}
"""
_WHOLE = yaml.safe_load(WHOLE)
_Dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)  # libyaml's, where there is one, as trialkit's own loader
VALUES: tuple[Any, ...] = (
    *(None, True, 0, -1, 1e308, float("nan"), 10**30, "", " ", "x", "é\u2028", "a" * 5000),
    *("{{", "}}", "{{ }}", "{{ nope }}", "{{ file(text) }}", "{{ '{{' }}", "[", "(?P<", "$.["),
    *("./", "..", "/etc", "nope.csv", "nope.py:f", "nope.txt", "nope.json", "mcp:", "2024-01-01"),
    *([], {}, [[]], {"a": {}}, [None], ["x", 1], {"": 1}, {1: 2}, {"$ref": "#/x"}, {"type": "nope"}),
)
KEYS = (
    "promt",
    "prompt",
    "judge",
    "equals",
    "label",
    "",
    "trials",
    "sees",
    "user",
    "messages",
    "output",
    1,
    None,
    True,
)
MARKS = b"{ } [ ] : ' \" | # - & * {{ }} ? \t \n \r \0 \xff &a *a !!x --- %YAML <<:".split(b" ")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_malformed_suite_is_refused_at_its_place(here: Here, seed: int) -> None:
    rng, refused, last = random.Random(seed), 0, b""
    with chdir(here.folder):
        while refused < OF_EACH:
            data = cut_up(rng) if rng.random() < 0.5 else dumped(turned(rng))
            Path("s.yaml").write_bytes(data)
            try:
                open_suite("s.yaml")
            except InputError as error:
                strange = [line for line in str(error).splitlines() if not line.startswith("s.yaml")]
                assert strange == [], data
                refused, last = refused + 1, data
            except Exception as error:
                raise AssertionError(data) from error
    (here.folder / "s.yaml").write_bytes(last)
    assert here("run", "s.yaml", "--model", "openai/gpt-4o").status == 2


def cut_up(rng: random.Random) -> bytes:
    data = bytearray(WHOLE.encode())
    for _ in range(rng.randint(1, 4)):
        at, other = rng.randrange(len(data)), rng.randrange(len(data))
        match rng.randrange(5):
            case 0:
                data[at] = rng.randrange(256)
            case 1:
                del data[at : at + rng.randint(1, 20)]
            case 2:
                data[at:at] = rng.choice(MARKS)
            case 3:
                data[at:at] = data[other : other + 40]
            case _:
                del data[max(at, 20) :]
    return bytes(data)


def dumped(data: Any) -> bytes:
    text: str = yaml.dump(data, Dumper=_Dumper, allow_unicode=True)
    return text.encode()


def turned(rng: random.Random) -> Any:
    data = copy.deepcopy(_WHOLE)
    for _ in range(rng.randint(1, 3)):
        *outer, last = rng.choice(list(places(data)))
        inside, value = at(data, outer), copy.deepcopy(rng.choice(VALUES))
        match rng.randrange(4):
            case 0:
                inside[last] = value
            case 1:
                del inside[last]
            case 2 if isinstance(inside, dict):
                inside[rng.choice(KEYS)] = inside.pop(last)
            case _:
                inside[last] = copy.deepcopy(at(data, rng.choice(list(places(data)))))
    return data


def places(data: Any, outer: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    for key, part in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield (*outer, key)
        yield from places(part, (*outer, key))


def at(data: Any, place: Any) -> Any:
    for step in place:
        data = data[step]
    return data
