"""Where a command's text goes, and how a short command spends its time."""

import gc
import os
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from shutil import get_terminal_size
from typing import Any, TextIO

import click

from trialkit.errors import InputError


def write(text: str | bytes, output: str | None) -> None:
    """To the terminal, or to the file that --output names."""
    if output is None:
        if isinstance(text, str):
            sys.stdout.write(text)
        else:
            sys.stdout.buffer.write(text)
        return
    try:
        Path(output).write_bytes(text.encode() if isinstance(text, str) else text)
    except OSError as error:
        raise InputError(f"{output}: cannot be written: {error.strerror}") from None


def summaries(names: Iterable[str], get: Callable[[str], Any]) -> dict[str, str]:
    """Of suites or agents; of one that is broken, why: another's package must not hide the others."""
    found = {}
    for name in names:
        try:
            found[name] = get(name).summary
        except InputError as error:
            found[name] = str(error)
    return found


def list_names(described: Mapping[str, str], indent: str = "") -> str:
    """A line for each name; in a terminal what does not fit goes on under its beginning."""
    room = max(map(len, described)) + 2
    width = get_terminal_size().columns if sys.stdout.isatty() else sys.maxsize
    hanging = f"{indent}{'':{room}}"
    return "\n".join(
        textwrap.fill(
            text,
            width,
            initial_indent=f"{indent}{name:<{room}}",
            subsequent_indent=hanging,
            break_long_words=False,
            break_on_hyphens=False,
        )
        or f"{indent}{name}"  # without a summary
        for name, text in described.items()
    )


def tell(text: str, *, err: bool = False) -> None:
    """For what a run says: that nobody reads it any more is no reason to end the run, or to end it otherwise."""
    with heard_or_not(sys.stderr if err else sys.stdout):
        click.echo(text, err=err)


@contextmanager
def heard_or_not(stream: TextIO) -> Iterator[None]:
    """A pipe without a reader, a terminal that was closed, a log on a full disk: from then on it leads nowhere."""
    try:
        yield
    except OSError:
        unheard(stream)


def unheard(stream: TextIO) -> None:
    """From here on the stream leads nowhere, so that nothing fails at it again, not even at Python's own end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def hurry() -> None:
    """For a command that reads much and ends soon: of 4.5 s on 80,000 trials, 1.5 went into looking for garbage."""
    gc.disable()
