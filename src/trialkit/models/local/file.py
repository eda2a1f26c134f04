"""The file of a local model: it is known by what is in it, in whatever folder it lies."""

import functools
import hashlib
from dataclasses import dataclass
from pathlib import Path

from trialkit.errors import InputError
from trialkit.text.files import kind_of

_MAGIC = b"GGUF"


@dataclass(frozen=True, slots=True)
class ModelFile:
    path: Path
    digest: str  # SHA-256, as model hubs tell it


def model_file(given: str) -> ModelFile:
    """Raises `InputError`."""
    path = Path(given).expanduser()
    try:
        kind = kind_of(path)
        if kind:
            raise InputError(f"{path}: {kind}, not a file; give a model's file: local:FILE.gguf")
        told = path.stat()
        return ModelFile(path.resolve(), _digest(path, told.st_size, told.st_mtime_ns))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}; give a model's file: local:FILE.gguf") from None


@functools.lru_cache
def _digest(path: Path, size: int, changed: int) -> str:  # noqa: ARG001 - what tells whether it is the same file
    """Gigabytes take a while, and a model is opened more than once for a run."""
    with path.open("rb") as file:
        begins = file.read(len(_MAGIC))
        if begins != _MAGIC:
            raise InputError(f"{path}: no GGUF file: it begins with {begins!r}; llama.cpp loads models in GGUF only")
        file.seek(0)
        return hashlib.file_digest(file, "sha256").hexdigest()
