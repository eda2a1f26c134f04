"""Which batches a run has under way: a file beside the run file, so that whoever goes on with the run finds them."""

import hashlib
import os
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from trialkit.errors import InputError, ModelError
from trialkit.text.json import dump, items, members, read_json, word


@dataclass(frozen=True, kw_only=True, slots=True)
class Noted:
    """A batch, and what of it was not given to anybody yet."""

    id: str  # none: it is being submitted; in another session's note nobody knows whether it was
    model: str  # the key of the connection that submits it
    requests: frozenset[str]
    at: float = 0.0  # when it was to be submitted, in seconds since 1970

    @property
    def mark(self) -> str:
        """By which it is found among the provider's batches, as long as nothing of it was given to anybody."""
        return hashlib.sha256("\n".join(sorted(self.requests)).encode()).hexdigest()


class Notes:
    def __init__(self, run: Path) -> None:
        self._file = _file_of(run)
        self.batches = _read(self._file)

    def add(self, batch: Noted) -> None:
        """On the disk when it returns. Raises `ModelError`."""
        self._keep([*(one for one in self.batches if one != batch), batch])

    def settle(self, noted: Noted, batch: str) -> None:
        """It was submitted, and is called so; empty: it was not."""
        others = [one for one in self.batches if one != noted]
        with suppress(ModelError):  # then what is noted still is looked for
            self._keep([*others, replace(noted, id=batch)] if batch else others)

    def drop(self, requests: Collection[str]) -> None:
        """These were given to whoever asked for them, and stand in the run file."""
        left = [replace(one, requests=one.requests.difference(requests)) for one in self.batches]
        with suppress(ModelError):  # what is noted too much is looked for in vain, no more
            self._keep([one for one in left if one.requests])

    def _keep(self, batches: list[Noted]) -> None:
        self.batches = batches
        try:
            self._write()
        except OSError as error:
            raise ModelError("server", f"{self._file}: cannot be written: {error.strerror}") from None

    def _write(self) -> None:
        if not self.batches:
            self._file.unlink(missing_ok=True)
            return
        data = [
            {"id": one.id, "model": one.model, "requests": sorted(one.requests), "at": one.at} for one in self.batches
        ]
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
        Noted(
            id=word(one.get("id")),
            model=word(one.get("model")),
            requests=frozenset(map(word, one["requests"])),
            at=at if isinstance(at := one.get("at"), float) else 0.0,
        )
        for one in told
        if isinstance(one.get("requests"), list)
    ]
