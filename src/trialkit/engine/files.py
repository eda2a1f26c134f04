"""The files of a run: the run file's name, and what is written beside it."""

import hashlib
import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from trialkit.errors import InputError, TrialkitError
from trialkit.runfile import RunFile, note_exports, stamp_of
from trialkit.suites import Format, find_format, suite_in, written
from trialkit.text.files import read_file
from trialkit.vocabulary import CONTENT


def beside(run: RunFile) -> dict[str, bytes]:
    """The formats that the suite wants beside the run file, by suffix."""
    return {form.suffix: _written(form, run) for form in _wanted(run)}


def _wanted(run: RunFile) -> list[Format]:
    return [find_format(run, name) for name in suite_in(run.info()).beside]


def _written(form: Format, run: RunFile) -> bytes:
    text = written(run, form)
    return text.encode() if isinstance(text, str) else text


def edited_beside(run: RunFile) -> frozenset[Path]:
    """Files that are not as they were written: somebody worked on them, wrote labels in them perhaps."""
    known = run.exported()
    return frozenset(
        file
        for form in _wanted(run)
        if (file := run.path.with_suffix(form.suffix)).exists()
        and _hash(content := read_file(file)) not in known
        and content != _written(form, run)
    )


def is_beside(run: RunFile) -> bool:
    """Whether all that is to stand beside it does so, as of now."""
    current = run.exported(of_now=True)
    files = [run.path.with_suffix(form.suffix) for form in _wanted(run)]
    return all(file.exists() and _hash(read_file(file)) in current for file in files)


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def write_beside(path: Path, contents: Mapping[str, bytes], keep: Collection[Path] = ()) -> tuple[Path, ...]:
    """By suffix, whole or not at all; where a file is to be kept, under the next free name."""
    note_exports(path, [_hash(content) for content in contents.values()])
    written = []
    for suffix, content in contents.items():
        wanted = path.with_suffix(suffix)
        file = _free(wanted) if wanted in keep else wanted
        partial = file.with_name(f"{file.name}.partial")
        try:
            partial.write_bytes(content)
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


def new_path(folder: Path, suite: str, versions: Mapping[str, str], *called: str) -> Path:
    """`<utc>-<suite>-<called>.trial`, never one that exists; after the suite the version of its content."""
    version = versions.get(CONTENT, "").rpartition("@")[2]
    stamp = stamp_of(datetime.now(UTC))  # names sort as the runs began
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", "-".join(filter(None, [stamp, suite, version, *called]))).strip("-.")[:120]
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
