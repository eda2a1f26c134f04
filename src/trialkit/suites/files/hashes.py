"""Files that a suite is made of and that its run file does not hold: whether they are as they were."""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from trialkit.errors import InputError
from trialkit.text.files import read_file


def hashes_of(folder: Path, files: Iterable[str]) -> dict[str, str]:
    """By their whole paths."""
    places = {(folder / file).resolve() for file in files}
    return {str(place): _hash(place) for place in sorted(places)}


def changes_since(hashes: Mapping[str, str]) -> list[str]:
    """Of each file that is not as it was, a line that says so."""
    return [told for file, before in hashes.items() if (told := _change(Path(file), before))]


def _change(file: Path, before: str) -> str:
    try:
        return "" if _hash(file) == before else f"{file} was changed since this run began; it is used as it is now"
    except InputError as error:
        return f"{error}, which this run began with"


def _hash(file: Path) -> str:
    return hashlib.sha256(read_file(file)).hexdigest()
