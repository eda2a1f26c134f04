"""What a server may do wrong: a table of faults, and scripts of when it does it."""

import gzip
import itertools
import json
import shutil
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.attack.children import run
from tests.server import Action, Call, Cut, Drop, Fault, Hang, Protocol, Raw, Say, Server, analyst
from tests.server.protocols import answer

_GOOD = answer(Say(text="ok"), {"model": "m"}, "openai")


def _usage(**told: Any) -> Raw:
    return Raw(body=json.dumps({**json.loads(_GOOD), "usage": told}).encode())


FAULTS: Mapping[str, Action] = {
    **{
        kind: Fault(kind=kind) for kind in ("server", "overloaded", "bad_request", "content_filter", "context_overflow")
    },
    "429, now": Fault(kind="rate_limit", headers={"Retry-After": "0"}),
    "429, odd": Fault(kind="rate_limit", headers={"Retry-After": "-1e9", "retry-after-ms": "soon"}),
    "bad key": Fault(kind="bad_key"),
    "no such model": Fault(kind="not_found"),
    "quota": Fault(kind="quota"),
    "hang": Hang(),
    "drop": Drop(),
    "cut": Cut(),
    "empty": Raw(body=b""),
    "web page": Raw(body=b"<!doctype html><title>502</title>", status=502, content_type="text/html"),
    "web page, 200": Raw(body=b"<html>welcome", content_type="text/html"),
    "half a JSON": Raw(body=_GOOD[:40]),
    "JSON twice": Raw(body=_GOOD + _GOOD),
    "null": Raw(body=b"null"),
    "no choices": Raw(body=b'{"choices": []}'),
    "odd choices": Raw(body=b'{"choices": {"0": [[]]}}'),
    "deep": Raw(body=b"[" * 100_000 + b"]" * 100_000),
    "bad UTF-8": Raw(body=_GOOD.replace(b"ok", b"\xff\xfe\x00")),
    "mark": Raw(body=b"\xef\xbb\xbf" + _GOOD),
    "gzip, not packed": Raw(body=_GOOD, headers={"Content-Encoding": "gzip"}),
    "gzip, cut": Raw(body=gzip.compress(_GOOD)[:20], headers={"Content-Encoding": "gzip"}),
    "bomb": Raw(body=gzip.compress(b" " * 50_000_000), headers={"Content-Encoding": "gzip"}),
    "redirect": Raw(body=b"", status=302, headers={"Location": "http://169.254.169.254/"}),
    "204": Raw(body=b"", status=204),
    "418": Raw(body=b'{"error": "tea"}', status=418),
    "no usage": _usage(),
    "usage below 0": _usage(prompt_tokens=-5, completion_tokens=1),
    "usage beyond belief": _usage(prompt_tokens=10**30, completion_tokens=1.5),
    "2,000 calls": Say(calls=(Call(name="create_alert"),) * 2000),
    "broken arguments": Say(calls=(Call(name="create_alert", arguments='{"a": '), Call(name="", arguments="[]"))),
    "odd numbers": Say(
        calls=(
            Call(
                name="create_alert",
                arguments='{"commodity_code": "CORN", "condition": "below", "threshold_price": 1e999, "notes": ""}',
            ),
        )
    ),
    "dots": Say(text="Risk of loss. a" + "." * 100_000),
    "odd signs": Say(text="\x00\x1b]0;x\x07\u202e\ufeff=1+1\u2028"),
}
When = Callable[[int], bool]
WHENS: Mapping[str, When] = {
    "at first": lambda n: n == 1,
    "first three": lambda n: n <= 3,
    "every other": lambda n: n % 2 == 0,
    "from the fourth": lambda n: n > 3,
    "always": lambda _: True,
}
SCRIPTS: Sequence[tuple[str, str, str]] = [
    *((fault, "", when) for fault, when in itertools.product(FAULTS, WHENS)),
    *((one, other, "every other") for one, other in itertools.pairwise([*FAULTS, *list(FAULTS)[::2]])),
]


class _Script:
    def __init__(self, one: str, other: str, when: str) -> None:
        self._wrong = [FAULTS[name] for name in (one, other) if name]
        self._when = WHENS[when]
        self._asked = 0

    def __call__(self, body: dict[str, Any], protocol: Protocol) -> Action:
        self._asked += 1
        return self._wrong[self._asked % len(self._wrong)] if self._when(self._asked) else analyst(body, protocol)


def faulty(folder: Path, script: tuple[str, str, str]) -> list[str]:
    """What must not happen and did, in a run against a server with this script."""
    folder.mkdir(parents=True)

    def serve() -> Sequence[str]:
        return ["--api-base", Server(_Script(*script)).__enter__().openai_base]

    flags = (
        "--model",
        "openai/subject",
        "--judge",
        "rules",
        "--ids",
        "S01,S02,S03,S04,S05",
        "--timeout",
        "1",
        "--retries",
        "2",
    )
    done = run(folder, "run", "commodity", *flags, "--max-concurrency", "2", first=serve)
    faults = [done.fault] if done.fault else []
    for path in (folder / "eval_results").glob("*.trial"):
        with closing(sqlite3.connect(path)) as db:
            if db.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                faults.append("the run file is broken")
            of_errors = (
                "SELECT DISTINCT outcome FROM verdicts v JOIN trials t ON t.id = v.trial_id WHERE error IS NOT NULL"
            )
            if not {outcome for (outcome,) in db.execute(of_errors)} <= {"error"}:
                faults.append("an error counts as a verdict")
    shutil.rmtree(folder)
    return [f"{' + '.join(filter(None, script))}: {fault}" for fault in faults]
