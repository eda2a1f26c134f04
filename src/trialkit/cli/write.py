"""Where a command's text goes, and how a short command spends its time."""

import gc
import os
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from shutil import get_terminal_size
from typing import Any, TextIO

import click

from trialkit.errors import InputError


def write(text: str | Iterable[str | bytes], output: str | None) -> None:
    """To the terminal, or to the file that --output names."""
    pieces = [text] if isinstance(text, str) else text
    if output is None:
        for piece in pieces:
            _show(piece)
        return
    whole = chain([next(rest := iter(pieces))], rest)  # what cannot be made at all leaves the file as it is
    try:
        with Path(output).open("wb") as file:
            file.writelines(piece.encode() if isinstance(piece, str) else piece for piece in whole)
    except OSError as error:
        raise InputError(f"{output}: cannot be written: {error.strerror}") from None


def _show(piece: str | bytes) -> None:
    if isinstance(piece, str):
        sys.stdout.write(piece)
    elif sys.stdout.isatty():
        raise InputError("this format is no text, and no terminal shows it; name a file with -o FILE")
    else:
        sys.stdout.buffer.write(piece)


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
