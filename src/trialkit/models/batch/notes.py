"""Which batches a run has under way: a file beside the run file, so that whoever goes on with the run finds them."""

import os
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from trialkit.errors import InputError, ModelError
from trialkit.text.json import dump, items, members, read_json, word


@dataclass(frozen=True, kw_only=True, slots=True)
class Noted:
    """A batch, and what of it was not given to anybody yet."""

    id: str
    model: str  # the key of the connection that submitted it
    requests: frozenset[str]


class Notes:
    def __init__(self, run: Path) -> None:
        self._file = _file_of(run)
        self.batches = _read(self._file)

    def add(self, batch: Noted) -> None:
        """On the disk when it returns. Raises `ModelError`."""
        self.batches = [*self.batches, batch]
        try:
            self._write()
        except OSError as error:
            raise ModelError("server", f"{self._file}: cannot be written: {error.strerror}") from None

    def drop(self, requests: Collection[str]) -> None:
        """These were given to whoever asked for them, and stand in the run file."""
        left = [Noted(id=one.id, model=one.model, requests=one.requests.difference(requests)) for one in self.batches]
        self.batches = [one for one in left if one.requests]
        with suppress(OSError):  # what is noted too much is looked for in vain, no more
            self._write()

    def _write(self) -> None:
        if not self.batches:
            self._file.unlink(missing_ok=True)
            return
        data = [{"id": one.id, "model": one.model, "requests": sorted(one.requests)} for one in self.batches]
        new = self._file.with_name(f"{self._file.name}.new")
        with new.open("w", encoding="utf-8") as file:
            file.write(dump({"batches": data}))
            file.flush()
            os.fsync(file.fileno())
        new.replace(self._file)


def pending_batches(run: Path) -> int:
    """How many are under way, or read in part."""
    with suppress(InputError):
        return len(_read(_file_of(run)))
    return 0


def _file_of(run: Path) -> Path:
    return run.with_suffix(".batches")


def _read(file: Path) -> list[Noted]:
    if not file.exists():
        return []
    told = items(members(read_json(file, "it names the batches of the run beside it")).get("batches"))
    return [
        Noted(id=word(one.get("id")), model=word(one.get("model")), requests=frozenset(map(word, one["requests"])))
        for one in told
        if isinstance(one.get("requests"), list)
    ]
