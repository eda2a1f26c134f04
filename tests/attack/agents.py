"""Hostile agents: each kind is told apart by the policy, which is its name, and misbehaves at one kind of message.

`python tests/attack/agents.py` is all of them over stdio; what is in ANSWERS, AT_START and AT_END can be said over HTTP
too. It knows nothing of trialkit and loads little, since a process is started for nearly every one.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

Told = dict[str, Any]
NONE = {"input_tokens": 0, "output_tokens": 0, "cost": 0.0}
_MB = 1024 * 1024


def line(told: Told, **fields: Any) -> bytes:
    return json.dumps({"n": told["n"], **fields}).encode()


def reply(text: object = "x", **fields: Any) -> Callable[[Told], bytes]:
    return lambda told: line(told, type="reply", text=text, **{"usage": NONE, **fields})


def calls(*made: object, **fields: Any) -> Callable[[Told], bytes]:
    return lambda told: line(told, type="calls", calls=list(made), **{"usage": NONE, **fields})


def error(**fields: Any) -> Callable[[Told], bytes]:
    return lambda told: line(told, type="error", **fields)


def raw(text: bytes) -> Callable[[Told], bytes]:
    return lambda told: text.replace(b"%n", str(told["n"]).encode())


def late(make: Callable[[], Callable[[Told], bytes]]) -> Callable[[Told], bytes]:
    """What takes time or space to make is made when it is said."""
    return lambda told: make()(told)  # noqa: PLW0108 - not before


def nested(levels: int) -> bytes:
    return b"[" * levels + b"]" * levels


_LONE = "\ud800"
#: What is said in place of a move; it ends with a line break over stdio.
ANSWERS: dict[str, Callable[[Told], bytes]] = {
    "nothing": raw(b""),
    "spaces": raw(b"   \t"),
    "a log line": raw(b"Loading the model ..."),
    "a web page": raw(b"<!doctype html><html><body>502</body></html>"),
    "half an object": raw(b'{"n": %n, "type": "rep'),
    "null": raw(b"null"),
    "a number": raw(b"7"),
    "a list": raw(b'[{"n": %n, "type": "reply", "text": "x"}]'),
    "two objects": raw(b'{"n": %n, "type": "reply", "text": "x"} {}'),
    "NaN": raw(b'{"n": %n, "type": "reply", "text": "x", "mood": NaN}'),
    "a float beyond any": raw(b'{"n": %n, "type": "reply", "text": "x", "mood": 1e999}'),
    "a long integer": late(lambda: raw(b'{"n": ' + b"9" * 100_000 + b', "type": "reply", "text": "x"}')),
    "open brackets": late(lambda: raw(b"[" * 300_000)),
    "deep beside": raw(b'{"n": %n, "type": "reply", "text": "x", "mood": ' + nested(100_000) + b"}"),
    "deep arguments": raw(
        b'{"n": %n, "type": "calls", "calls": [{"name": "a", "arguments": {"b": ' + nested(900) + b"}}]}"
    ),
    "no number": raw(b'{"type": "reply", "text": "x"}'),
    "number as text": raw(b'{"n": "%n", "type": "reply", "text": "x"}'),
    "number of before": lambda told: line({"n": told["n"] - 1}, type="reply", text="x"),
    "number true": raw(b'{"n": true, "type": "reply", "text": "x"}'),
    "no type": raw(b'{"n": %n, "text": "x"}'),
    "type of a list": raw(b'{"n": %n, "type": ["reply"], "text": "x"}'),
    "unknown type": raw(b'{"n": %n, "type": "dance"}'),
    "ready again": raw(b'{"n": %n, "type": "ready", "protocol": 1}'),
    "ended too early": raw(b'{"n": %n, "type": "ended"}'),
    "key twice": raw(b'{"n": 99, "n": %n, "type": "error", "type": "reply", "text": "x", "usage": null}'),
    "a million keys": lambda told: line(told, type="reply", text="x", **{str(n): 0 for n in range(10**6)}),
    "byte order mark": raw(b'\xef\xbb\xbf{"n": %n, "type": "reply", "text": "x"}'),
    "not UTF-8": raw(b'{"n": %n, "type": "reply", "text": "\xff\xfe\xc3("}'),
    "UTF-16": lambda told: reply()(told).decode().encode("utf-16"),
    "NUL bytes": raw(b'{"n": %n, "type": "reply", "text": "\x00"}'),
    "NUL in text": reply("a\0b"),
    "half a character": reply(_LONE),
    "escape codes": reply("\x1b[2J\x1b]0;mine\x07\u202e\r\n"),
    "markup": reply("[bold]<script>alert(1)</script> =cmd|' /C calc'!A0"),
    "no text": raw(b'{"n": %n, "type": "reply"}'),
    "text of a list": reply(["x"]),
    "text of null": reply(None),
    "empty text": reply(""),
    "a text of 1 MB": late(lambda: reply("x" * _MB)),
    "a text of 31 MB": late(lambda: reply("x" * 31 * _MB)),
    "a text of 33 MB": late(lambda: reply("x" * 33 * _MB)),
    "a stop of the user's": reply("###STOP###"),
    "no calls": calls(),
    "calls of text": raw(b'{"n": %n, "type": "calls", "calls": "get_order"}'),
    "a call of null": calls(None),
    "a call without a name": calls({"arguments": {}}),
    "a call of a list": calls({"name": ["get_order"]}),
    "a call of nothing": calls({"name": ""}),
    "a call with a name of 1 MB": late(lambda: calls({"name": "x" * _MB})),
    "a call of half a character": calls({"id": _LONE, "name": _LONE, "arguments": {_LONE: _LONE}}),
    "a call of what there is not": calls({"name": "../../etc/passwd"}),
    "arguments of a list": calls({"name": "echo", "arguments": [1]}),
    "arguments that are no JSON": calls({"name": "echo", "arguments": "{not json"}),
    "arguments of 1 MB": late(lambda: calls({"name": "echo", "arguments": {"x": "y" * _MB}})),
    "arguments beyond any": calls({"name": "echo", "arguments": '{"x": 1e999, "y": NaN}'}),
    "the same id": calls({"id": "a", "name": "echo"}, {"id": "a", "name": "echo"}),
    "an id of a number": calls({"id": 5, "name": "echo"}),
    "1,000 calls": late(lambda: calls(*[{"name": "echo"}] * 1000)),
    "20,000 calls": late(lambda: calls(*[{"name": "echo"}] * 20_000)),
    "a call that breaks the tool": calls({"name": "echo", "arguments": {"times": 1e300}}),
    "usage of text": reply(usage="much"),
    "usage below nothing": reply(usage={"input_tokens": -1, "output_tokens": 0}),
    "usage beyond any": reply(usage={"input_tokens": 10**30, "output_tokens": 0}),
    "usage of halves": reply(usage={"input_tokens": 0.5, "output_tokens": 0}),
    "usage of 20,000 parts": late(lambda: reply(usage=[NONE] * 20_000)),
    "a cost below nothing": reply(usage={**NONE, "cost": -5}),
    "a cost beyond any": reply(usage={**NONE, "cost": 1e308}),
    "a role of escape codes": late(lambda: reply(usage=[{**NONE, "role": "\x1b[31m\n" * 1000, "model": _LONE}])),
    "notes of text": reply(notes="x"),
    "20,000 notes": late(lambda: reply(notes=["x"] * 20_000)),
    "notes of 20 MB": late(lambda: reply(notes=["x" * 2 * _MB] * 10)),
    "an error without a word": error(),
    "an error of a list": error(kind=["auth"], message="x"),
    "an error of a number": error(message=7),
    "an error of 1 MB": late(lambda: error(kind="server", message="x" * _MB)),
    "an error with usage": error(kind="auth", message="no key", usage=[{**NONE, "role": "a"}], notes=["x"]),
    "calls without end": calls({"name": "echo", "arguments": {"x": 1}}),
    "replies without end": reply("and another thing"),
}
#: What is said in place of `ready` and of `ended`.
AT_START: dict[str, Callable[[Told], bytes]] = {
    "garbage at the start": raw(b"hello"),
    "another protocol": raw(b'{"n": %n, "type": "ready", "protocol": 2}'),
    "an error at the start": error(kind="server", message="out of order"),
    "tools of text": raw(b'{"n": %n, "type": "ready", "protocol": 1, "tools": "all"}'),
    "200,000 tools": lambda told: line(told, type="ready", protocol=1, tools=["x"] * 200_000),
    "a name of 1 MB": lambda told: line(told, type="ready", protocol=1, name="\x1b[31m" * _MB, mode=_LONE),
}
#: It ends a run in which nobody has answered yet, as all would fail like that: no kind among others.
WITHOUT_KEY = "no key at the start"
AT_END: dict[str, Callable[[Told], bytes]] = {
    "garbage at the end": raw(b"bye"),
    "an error at the end": error(message="I do not want to"),
    "another reply at the end": reply(),
}


def out(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


def answer(told: Told) -> None:
    out(reply()(told) + b"\n")


def forever(*_: object) -> None:
    while True:
        time.sleep(3600)


def write_on(number: int, data: bytes) -> None:
    while True:
        os.write(number, data)


def child(told: Told, *prefix: str, **options: Any) -> None:
    """One that never ends, and keeps our pipes."""
    subprocess.Popen([*prefix, "sleep", "3600"], stdin=subprocess.DEVNULL, **options)
    answer(told)


def many(told: Told) -> None:
    for _ in range(40):
        subprocess.Popen(["sleep", "3600"], start_new_session=True)
    answer(told)


def forked_twice(told: Told) -> None:
    subprocess.run(["sh", "-c", "setsid sleep 3600 & setsid sh -c 'trap \"\" TERM INT HUP; sleep 3600' &"], check=True)
    answer(told)


def chain(told: Told) -> None:
    """Each forks the next in a session of its own and goes, for two seconds."""
    if os.fork():
        answer(told)
        return
    until = time.monotonic() + 2
    while time.monotonic() < until:
        if os.fork():
            os._exit(0)
        os.setsid()
        time.sleep(0.01)
    forever()


def by_halves(told: Told) -> None:
    for byte in reply("slowly")(told) + b"\n":
        os.write(1, bytes([byte]))
        time.sleep(0.001)


def drop(*numbers: int) -> None:
    for number in numbers:
        os.close(number)


def then(*acts: Callable[[Told], object]) -> Callable[[Told], None]:
    def act(told: Told) -> None:
        for one in acts:
            one(told)

    return act


def flood(told: Told) -> None:
    os.write(2, b"\xff" * 30 * _MB)
    answer(told)


def signalled(pid: Callable[[], int], number: int) -> Callable[[Told], None]:
    return lambda _: os.kill(pid(), number)


#: What is done in place of a move, by a program.
ACTS: dict[str, Callable[[Told], object]] = {
    "ends": lambda _: os._exit(0),
    "ends with 7": lambda _: os._exit(7),
    "aborts": lambda _: os.abort(),
    "kills itself": signalled(os.getpid, signal.SIGKILL),
    "stops itself": then(signalled(os.getpid, signal.SIGSTOP), answer),
    "kills its supervisor": then(signalled(os.getppid, signal.SIGKILL), forever),
    "kills its supervisor, with a child": then(child, signalled(os.getppid, signal.SIGKILL), forever),
    "stops its supervisor": then(signalled(os.getppid, signal.SIGSTOP), forever),
    "kills its group": lambda _: os.killpg(0, signal.SIGKILL),
    "hangs": forever,
    "closes stdout": then(lambda _: drop(1), forever),
    "closes all": then(lambda _: drop(0, 1, 2), forever),
    "closes stdin": then(lambda _: drop(0), answer, forever),
    "half a line, then ends": then(lambda _: out(b'{"n": 1, "ty'), lambda _: os._exit(0)),
    "half a line, then hangs": then(lambda _: out(b'{"n": 1, "ty'), forever),
    "a byte at a time": by_halves,
    "answers twice": then(answer, answer),
    "answers for ever": lambda told: write_on(1, reply()(told) + b"\n"),
    "a line without end": lambda _: write_on(1, b"x" * _MB),
    "empty lines without end": lambda _: write_on(1, b"\n" * _MB),
    "stderr without end": lambda _: write_on(2, b"x" * _MB),
    "lines on stderr without end": lambda _: write_on(2, b"worried \xff\n" * 100_000),
    "30 MB on stderr, then answers": flood,
    "a child with its pipes": child,
    "a child in a session": lambda told: child(told, start_new_session=True),
    "a child in a group": lambda told: child(told, process_group=0),
    "a child that ignores signals": lambda told: child(
        told, "nohup", start_new_session=True, stderr=subprocess.DEVNULL
    ),
    "a child, then ends": then(lambda told: child(told, start_new_session=True), lambda _: os._exit(0)),
    "40 children": many,
    "daemons": forked_twice,
    "a chain of forks": chain,
    "ends at the end": answer,
    "hangs at the end": answer,
    "hangs at the start": answer,
    "ends at the start": answer,
}
KINDS = (*ANSWERS, *AT_START, *AT_END, *ACTS)
#: They are answers, and take seconds and hundreds of megabytes to keep.
HEAVY = ("a text of 31 MB", "notes of 20 MB", "a million keys")
#: For a few seconds: all that is done, and of what is said every third.
QUICK = (*ACTS, *[kind for kind in KINDS if kind not in {*ACTS, *HEAVY}][::3])


def answered(kind: str, told: Told) -> bytes | None:
    """What a kind says; None: it keeps to the protocol."""
    if kind == WITHOUT_KEY and told["type"] == "start":
        return error(kind="auth", message="OPENAI_API_KEY is not set")(told)
    moment = {"start": AT_START, "end": AT_END}.get(told["type"], ANSWERS)
    return moment[kind](told) if kind in moment else None


def good(told: Told) -> bytes:
    if told["type"] == "start":
        return line(told, type="ready", protocol=1, name="hostile", version="1")
    return line(told, type="ended") if told["type"] == "end" else reply("good bye")(told)


def main() -> None:
    kind = ""
    for text in sys.stdin:
        told = json.loads(text)
        kind = told.get("policy", kind)
        if kind.endswith(f" at the {told['type']}") and kind in ACTS:
            forever() if kind.startswith("hangs") else os._exit(3)
        said = answered(kind, told)
        if said is not None:
            out(said + b"\n")
        elif kind in ACTS and told["type"] not in {"start", "end"}:
            ACTS[kind](told)
        else:
            out(good(told) + b"\n")


if __name__ == "__main__":
    main()
