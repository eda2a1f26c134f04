"""An agent in Python as a program of its own: the protocol over stdin and stdout."""

import asyncio
import os
import sys
from typing import IO, Any

from trialkit.text.json import dump, parse

from .bridge import Bridge


def serve(agent: Any, *, name: str = "", version: str = "") -> None:
    """For the end of a program that `--agent "stdio:python PROGRAM.py"` starts: puts `agent` on trial.

    `agent` is a class or a function, as for `--agent python:FILE:NAME`. `name` and `version` stand in reports.
    """
    if sys.stdin.isatty():
        sys.exit(f'trialkit talks to this program: trialkit run SUITE --agent "stdio:python {sys.argv[0]}"')
    told, answers = _own_streams()
    asyncio.run(_serve(agent, name or getattr(agent, "__name__", ""), version, told, answers))


def _own_streams() -> tuple[IO[str], IO[str]]:
    """stdout is the protocol's alone: what anybody else prints goes to stderr, which is kept as well."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return os.fdopen(os.dup(0), encoding="utf-8"), answers


async def _serve(agent: object, name: str, version: str, told: IO[str], answers: IO[str]) -> None:
    bridge = None
    while line := await asyncio.to_thread(told.readline):
        message = parse(line)
        if message["type"] == "start" or bridge is None:
            bridge = Bridge(agent, name, version, sys.stderr.write)
        answer = await bridge.answer(message)
        sys.stderr.flush()  # what belongs to an answer comes before it
        print(dump(answer), file=answers, flush=True)
