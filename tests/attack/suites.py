"""Suites in a file, malformed in all ways: by a fault that is planted, or by changes at random."""

import copy
import io
import random
from collections.abc import Callable, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import click
import yaml

from trialkit.cli import _status
from trialkit.errors import InputError
from trialkit.suites import content_of, get_suite

_ROWS = [{"id": n, "text": f"ticket {n}", "team": "ab"[n % 2], "n": n} for n in range(3)]
#: Sound suites, of all that may stand in one.
GOOD: Sequence[dict[str, Any]] = (
    {"cases": _ROWS, "prompt": "Sort {{ text }}", "judges": {"team": {"equals": "{{ team }}"}}},
    {
        "cases": "cases.csv",
        "id": "nr",
        "system": "Be brief.",
        "prompt": "p_v1.txt",
        "judges": {"a": {"label": "{{ team }}"}, "b": {"number": "{{ n }}", "within": 0.5}, "c": {"latency": 3}},
        "headline": "b",
        "settings": {"trials": 3, "max_cost": 2.5},
    },
    {
        "cases": _ROWS,
        "messages": [{"role": "user", "content": "{{ text }}"}],
        "tools": [{"name": "look", "parameters": {"type": "object"}, "result": "{{ n }}"}, "tools.py:find"],
        "max_steps": 3,
        "output": {"type": "object"},
        "judges": {
            "a": {"tool_call": [{"name": "look", "arguments": {"n": "{{ n }}"}}], "in_order": True},
            "b": {"json": "$.team", "value": "{{ team }}"},
            "c": {"regex": "^a+$", "not": True},
            "d": {"python": "tools.py:judge"},
            "e": {"contains": {"any": ["x", "{{ team }}"]}},
        },
    },
)
_FILES = {
    "cases.csv": "nr;text;team;n\n1;a;x;1\n2;b;y;2\n",
    "p_v1.txt": "Sort {{ text }}",
    "tools.py": "def find(order: str) -> str:\n    return order\n\n\ndef judge(answer):\n    return True\n",
}
_ODD: Sequence[Any] = (
    None,
    True,
    0,
    -1,
    1.5,
    "",
    "x",
    [],
    {},
    [[]],
    {"x": {}},
    ["x"],
    "{{ gone }}",
    "{{",
    "\x00",
    "1" * 99,
)
_MARKS = ":-#{}[]&*!|>'\"%@`,?\t\n \ufeff\x00\u2028é"


def suite_folder(folder: Path) -> Path:
    for name, text in _FILES.items():
        (folder / name).write_text(text)
    return folder


def planted(draw: random.Random) -> str:
    """A sound suite with one thing in it that nobody can take."""
    suite = copy.deepcopy(draw.choice(GOOD))
    draw.choice(_FAULTS)(suite, draw)
    return yaml.safe_dump(suite, sort_keys=False, default_flow_style=draw.choice([None, True, False]))


def changed(draw: random.Random) -> bytes:
    """A sound suite with values and bytes changed at random; it may be as sound as before."""
    suite = copy.deepcopy(draw.choice(GOOD))
    for _ in range(draw.randrange(3)):
        _put_odd(suite, draw)
    text = yaml.safe_dump(suite, sort_keys=False, allow_unicode=True)
    for _ in range(draw.randrange(1, 5)):
        at, size = draw.randrange(len(text)), draw.choice([0, 0, 1, 1, 5, 40])
        put = draw.choice(["", draw.choice(_MARKS), draw.choice(_MARKS) * 3, text[at : at + size] * 2])
        text = text[:at] + put + text[at + size :]
    data = text.encode("utf-8", "surrogatepass")
    return data.replace(b"e", b"\xff", 1) if not draw.randrange(20) else data


def wrong_with(folder: Path, text: str | bytes, *, sound: bool, by_command: bool = False) -> str:
    """What trialkit does with it that it must not do; empty: nothing. `sound`: it need not be refused.

    A fault is told as an InputError, of which the command line makes exit status 2, as `by_command` sees it do.
    """
    (folder / "suite.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    try:
        with chdir(folder):
            refused, told = (_by_command if by_command else _read)("suite.yaml")
    except Exception as error:  # noqa: BLE001 - whatever it is, it is a finding
        return f"{type(error).__name__}: {error}: {text!r}"[:1500]
    if not refused and not sound:
        return f"taken: {text!r}"[:1500]
    if refused and not all("suite.yaml" in line for line in told.splitlines()):
        return f"told without the file's name: {told}: {text!r}"[:1500]
    return ""


def _read(name: str) -> tuple[bool, str]:
    try:
        suite = get_suite(name)
        content_of(suite, suite.settings.model_validate({}))
    except InputError as error:
        return True, str(error)
    return False, ""


def _by_command(name: str) -> tuple[bool, str]:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            status = _status(["check", name]) or 0
        except click.exceptions.Exit as end:
            status = end.exit_code
    if status not in (0, 2) or "Traceback" in err.getvalue():
        raise AssertionError(f"status {status}: {err.getvalue()}")
    return status == 2, err.getvalue()


def attacked(folder: Path, seed: int) -> str:
    """One of them, drawn by its number; what is wrong with how it was taken."""
    draw = random.Random(seed)
    text = planted(draw) if seed % 2 else changed(draw)
    return wrong_with(folder, text, sound=not seed % 2, by_command=not seed % 200)


def _put_odd(suite: dict[str, Any], draw: random.Random) -> None:
    """In place of any value, at any depth."""
    at: Any = suite
    while True:
        keys = list(at) if isinstance(at, dict) else range(len(at))
        if not keys:
            return
        key = draw.choice(list(keys))
        if not isinstance(at[key], dict | list) or not at[key] or draw.random() < 0.3:
            at[key] = draw.choice(_ODD)
            return
        at = at[key]


def _typo(word: str, draw: random.Random) -> str:
    at = draw.randrange(len(word))
    return word[:at] + draw.choice(["", "q", word[at] * 2 + "q"]) + word[at + 1 :] + "q" * (at % 2)


def _key_misspelt(suite: dict[str, Any], draw: random.Random) -> None:
    key = draw.choice(list(suite))
    suite[_typo(key, draw) + "_"] = suite.pop(key)


def _key_lacks(suite: dict[str, Any], draw: random.Random) -> None:
    del suite[draw.choice(["cases", "judges", "messages" if "messages" in suite else "prompt"])]


def _wrong_type(suite: dict[str, Any], draw: random.Random) -> None:
    suite[draw.choice(["cases", "prompt", "judges", "id", "output", "tools", "max_steps", "settings", "matrix"])] = (
        draw.choice([True, 1.5, -3, [[]], [None]])
    )


def _judge_misspelt(suite: dict[str, Any], draw: random.Random) -> None:
    judge = draw.choice(list(suite["judges"].values()))
    key = draw.choice(list(judge))
    judge[_typo(key, draw) + "_"] = judge.pop(key)


def _judge_is_none(suite: dict[str, Any], draw: random.Random) -> None:
    suite["judges"][draw.choice(list(suite["judges"]))] = draw.choice([None, "equals", 5, [], {}, ["equals"]])


def _column_is_none(suite: dict[str, Any], draw: random.Random) -> None:
    where = draw.choice(["prompt", "system"])
    suite.pop("messages", None)
    suite.setdefault("prompt", "x")
    suite[where] = draw.choice(["{{ txet }}", "{{ }}", "{{ text", "a {{ {{ text }} }}", "{{ file(txet) }}"])


def _setting_is_wrong(suite: dict[str, Any], draw: random.Random) -> None:
    suite["settings"] = draw.choice(
        [{"trails": 3}, {"trials": 0}, {"trials": "many"}, {"temperature": 9}, {"max_cost": -1}, {"ids": 5, "x": 1}]
    )


def _file_is_gone(suite: dict[str, Any], draw: random.Random) -> None:
    key = draw.choice(["cases", "prompt", "output", "tools"])
    suite[key] = {"cases": "gone.csv", "prompt": "gone.txt", "output": "gone.json", "tools": "gone.py"}[key]
    if key == "prompt":
        suite.pop("messages", None)


def _judge_cannot_be(suite: dict[str, Any], draw: random.Random) -> None:
    suite["judges"]["z"] = draw.choice(
        [
            {"regex": "(("},
            {"number": 1, "within": -1},
            {"json": "$.["},
            {"python": "gone.py:f"},
            {"python": "tools.py:gone"},
            {"label": "{{ team }}", "classes": ["one"]},
            {"latency": -1},
            {"equals": "{{ gone }}"},
            {"contains": None},
        ]
    )


def _cases_cannot_be(suite: dict[str, Any], draw: random.Random) -> None:
    suite.pop("id", None)
    suite["cases"] = draw.choice(
        [
            [],
            [5],
            [{}],
            [*_ROWS, _ROWS[0]],
            [*_ROWS, {"id": "", "text": "x", "team": "a", "n": 1}],
            [*_ROWS, {"id": 9, "n": 1}],
            [[]],
            "suite.yaml",
            ".",
            "p_v1.md",
        ]
    )


_FAULTS: Sequence[Callable[[dict[str, Any], random.Random], None]] = (
    _key_misspelt,
    _key_lacks,
    _wrong_type,
    _judge_misspelt,
    _judge_is_none,
    _column_is_none,
    _setting_is_wrong,
    _file_is_gone,
    _judge_cannot_be,
    _cases_cannot_be,
)
