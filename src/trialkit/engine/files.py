"""The files of a run: the run file's name, and the suite's exports beside it."""

import hashlib
import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from trialkit.errors import InputError, TrialkitError
from trialkit.runfile import RunFile, note_exports
from trialkit.suites import Suite


def edited_exports(suite: Suite, run: RunFile) -> frozenset[Path]:
    return edited_beside(run, suite.exports(run))


def edited_beside(run: RunFile, texts: Mapping[str, str]) -> frozenset[Path]:
    """Files that are not as they were written: somebody worked on them, wrote labels in them perhaps."""
    written = run.exported()
    return frozenset(
        file
        for suffix, text in texts.items()
        if (file := run.path.with_suffix(suffix)).exists()
        and _hash(content := file.read_bytes()) not in written
        and content != text.encode()
    )


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def write_exports(suite: Suite, path: Path, keep: Collection[Path] = ()) -> tuple[Path, ...]:
    with RunFile(path) as run:
        texts = suite.exports(run)
    return write_beside(path, texts, keep)


def write_beside(path: Path, texts: Mapping[str, str], keep: Collection[Path] = ()) -> tuple[Path, ...]:
    """By suffix, beside the run file, whole or not at all; where a file is to be kept, under the next free name."""
    note_exports(path, [_hash(text.encode()) for text in texts.values()])
    written = []
    for suffix, text in texts.items():
        wanted = path.with_suffix(suffix)
        file = _free(wanted) if wanted in keep else wanted
        partial = file.with_name(f"{file.name}.partial")
        try:
            partial.write_text(text, encoding="utf-8", newline="")
            partial.replace(file)
        except OSError as error:
            again = f"the run is safe in {path}: trialkit resume writes it again"
            raise TrialkitError(f"cannot write {file}: {error.strerror}; {again}") from None
        written.append(file)
    return tuple(written)


def _free(file: Path) -> Path:
    return next(
        other for number in count(2) if not (other := file.with_name(f"{file.stem}-{number}{file.suffix}")).exists()
    )


def new_path(folder: Path, suite: str, subject: str) -> Path:
    """`<utc>-<suite>-<subject>.trial`, never one that exists."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%f")[:-3] + "Z"  # names sort as the runs began
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", f"{stamp}-{suite}-{subject}").strip("-.")[:120]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number in count(1):
            path = folder / (f"{name}.trial" if number == 1 else f"{name}-{number}.trial")
            with suppress(FileExistsError):
                path.touch(exist_ok=False)
                break
    except OSError as error:
        raise InputError(f"{folder}: cannot be written to as the output folder: {error.strerror}") from None
    return path
