"""Which run files there are in a folder."""

import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from trialkit.errors import InputError

#: How our names begin; a run file that somebody gave another name counts from when it was last written to.
_STAMP = re.compile(r"\d{8}T\d{6}\.\d{3}Z")


def run_files(folder: Path) -> list[Path]:
    """Those in it and in the folders below, the newest first. Hidden folders are not looked into."""
    return sorted(_walk(folder), key=_begun, reverse=True)


def newest_run(folder: Path) -> Path:
    """InputError if there is none."""
    for path in run_files(folder):
        if path.stat().st_size:  # else it was killed before it began
            return path
    what = "no run in it or in the folders below" if folder.is_dir() else "no such folder"
    raise InputError(f"{folder}: {what}; `trialkit run` writes run files to --output-dir, by default eval_results")


def stamp_of(moment: datetime) -> str:
    """Sorts as the moments do."""
    return moment.strftime("%Y%m%dT%H%M%S.%f")[:-3] + "Z"


def _walk(folder: Path) -> Iterator[Path]:
    for here, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(here, name) for name in names if name.endswith(".trial") and not name.startswith("."))


def _begun(path: Path) -> tuple[str, str]:
    stamp = _STAMP.match(path.name)
    try:
        begun = stamp[0] if stamp else stamp_of(datetime.fromtimestamp(path.stat().st_mtime, UTC))
    except OSError:  # a link that leads nowhere, say
        begun = ""
    return begun, path.name
