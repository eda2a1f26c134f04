"""What a suite may bring besides its runs: estimates, content to fetch, files to begin with or import, reviews."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from trialkit.doors import loaded
from trialkit.pages import Table
from trialkit.runfile import Header, PlannedTrial, Prompt, RecordedTrial, RunFile
from trialkit.vocabulary import Case

if TYPE_CHECKING:
    from .import_settings import ImportSettings


@dataclass(frozen=True, kw_only=True, slots=True)
class Usual:
    """What a role usually takes: model calls in a trial, and the tokens and seconds of each call."""

    calls: float
    input_tokens: float
    output_tokens: float
    seconds: float = 4.0  # assumed: no measurement is ours to give


#: Told how far something is.
Progress = Callable[[str], None]


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """Content that suites need and trialkit does not bring."""

    name: str
    title: str
    version: str
    licence: str
    size: str
    checksums: Callable[[], Mapping[str, str]]  # what is checked → its SHA-256
    origin: str
    variable: str  # of the environment, that names a folder with it; empty: it is asked for by its name alone
    locate: Callable[[Path | None], Path]  # in the folder that is given or the usual places; InputError if it is not
    faults: Callable[[], Iterable[str]]  # what of it in the cache is missing, or is not what was fetched
    fetch: Callable[[Progress, str | None, str | None], object]  # into the cache; from another URL, another commit

    @property
    def checksum(self) -> str:
        """One for all: over the lines `checksum  name`, sorted by name, as sha256sum writes them."""
        lines = "".join(f"{checksum}  {name}\n" for name, checksum in sorted(self.checksums().items()))
        return hashlib.sha256(lines.encode()).hexdigest()


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """What is off in a task, which may stand in several splits."""

    splits: tuple[str, ...]
    task: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckedContent:
    """A suite's tasks, and those in which something is off."""

    tasks: int
    splits: tuple[str, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Starter:
    """Files to begin with, by name, and the command that runs them."""

    files: Mapping[str, str]
    command: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ImportedRun:
    """A run that took place elsewhere, with every trial ended."""

    header: Header
    cases: Sequence[Case]
    trials: Sequence[PlannedTrial]
    notices: Sequence[str] = ()  # what is off in the file
    told: Sequence[str] = ()  # what else was found out, to be shown below the report


class Importer(ABC):
    """Makes a run of a file that another program wrote."""

    name: ClassVar[str]
    summary: ClassVar[str] = ""  # whose files it reads, for the help
    settings: "ClassVar[type[ImportSettings]]" = loaded("trialkit.suites.import_settings:ImportSettings")

    @abstractmethod
    def reads(self, path: Path) -> bool:
        """Whether the file looks like one of its own."""

    @abstractmethod
    def read(self, path: Path, subject: str | None, settings: Any) -> ImportedRun:
        """`subject`: who was on trial, where the file does not tell. InputError where it is no such file."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Review:
    """A question about trials that ended. What a model says to it is a remark on the trial, never its verdict."""

    kind: str  # of the remarks
    role: str  # who is asked
    prompt: Callable[[str], Prompt]  # by its version
    concerns: Callable[[RecordedTrial], bool]
    ask: Callable[[Any, RecordedTrial, Prompt], Awaitable[Mapping[str, Any]]]  # a `Trial` to ask in; the remark's data
    tables: Callable[[RunFile, str], Sequence[Table]] = field(default=lambda _run, _author: ())  # of all that was said
