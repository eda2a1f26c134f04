"""What a way to write a run is."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from trialkit.runfile import RunFile


@dataclass(frozen=True, kw_only=True, slots=True)
class Format:
    """A way to write a run. Its name is the key under which a suite offers it, or that of the entry point."""

    suffix: str  # of a file that holds it, such as `.csv`
    #: The run file is open; `trialkit.analysis.summarize(run)` has the figures that every report shows.
    #: A long text may be had piece by piece.
    write: Callable[[RunFile], str | bytes | Iterator[str]]
    lacking: Callable[[RunFile], Sequence[str]] | None = None  # what keeps it from being taken where it goes
    suites: tuple[str, ...] = ("*",)  # whose runs it can hold, as patterns: `tau2/*`
