"""Stopping and resuming a run from its page, as the command line does."""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryFile
from threading import Thread
from time import monotonic, sleep
from typing import IO

from starlette.responses import PlainTextResponse, Response

from trialkit.errors import InputError
from trialkit.runfile import RunFile, refuse_going_on, stop_holder

from .asked import PageRequest

#: How long a resumed run may take to begin before the page no longer waits for it: keys, servers, data are tried first.
_PATIENCE_S = 30
_LOOK_S = 0.05
_MOST_TOLD = 2_000
#: As the command line ends: done, or done with some errors, which the page shows.
_WELL = {0, 3}


def stop_action(asked: PageRequest) -> Response:
    stop_holder(asked.shelf.path(asked.form.get("run", "")))
    return PlainTextResponse("Stopping: the calls on their way are waited for. Once more does not wait.")


def resume_action(asked: PageRequest) -> Response:
    """By a process of its own, which goes on when the viewer ends. What it objects to before it begins is told."""
    form = asked.form
    path = asked.shelf.path(form.get("run", ""))
    refuse_going_on(path)
    more = ["--errors"] if form.get("errors") else []
    more += ["--max-cost", form["max_cost"]] if form.get("max_cost") else []
    with TemporaryFile() as said:
        process = _begin([sys.executable, "-m", "trialkit", "resume", *more, str(path.absolute())], said)
        status = _status(process, path, _change(path))
        if status is not None and status not in _WELL:
            said.seek(0)
            raise InputError(said.read().decode(errors="replace")[-_MOST_TOLD:].strip() or f"it ended with {status}")
    return PlainTextResponse("It goes on." if status is None else "There was nothing left to do.")


def _begin(command: list[str], said: IO[bytes]) -> "subprocess.Popen[bytes]":
    process = subprocess.Popen(  # noqa: S603 - ourselves
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=said,
        env={**os.environ, "NO_COLOR": "1"},
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )
    Thread(target=process.wait, daemon=True).start()  # a process that has ended waits for somebody to notice
    return process


def _status(process: "subprocess.Popen[bytes]", path: Path, before: int) -> int | None:
    """How it ended; None: it goes on."""
    until = monotonic() + _PATIENCE_S
    while monotonic() < until:
        status = process.poll()
        if status is not None or _change(path) > before:
            return status
        sleep(_LOOK_S)
    return None


def _change(path: Path) -> int:
    with RunFile(path) as run:
        return run.change()
