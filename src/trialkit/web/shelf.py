"""The runs that the viewer shows: those of a folder and of the folders below it."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from trialkit.analysis.compare import Comparison, compare_runs
from trialkit.analysis.kinds import kinds_of
from trialkit.analysis.loaded import load_to_compare
from trialkit.analysis.runs import ListedRun, list_run
from trialkit.analysis.summary import Summary, outline
from trialkit.errors import InputError, TrialkitError
from trialkit.runfile import RecordedTrial, RunFile, RunInfo, is_going_on, run_files

#: A file as it was when it was read: its size and time, and those of its write-ahead log.
_Stamp = tuple[int, ...]
#: Trials of the runs that are kept in memory; 5,000 take some 30 MB.
_MOST_TRIALS = 20_000
_MOST_SEARCHES = 20
_MOST_COMPARISONS = 2
_WARMED = 3  # runs, the newest


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenedRun:
    """A run without the answers of its trials."""

    stamp: _Stamp
    change: int  # the last that is in it
    summary: Summary
    kinds: Mapping[int, str]  # by trial id, of a failure or an error


@dataclass(kw_only=True, slots=True)
class Shelf:
    """A file is read again only when it has changed. Used by several threads."""

    folder: Path
    _known: dict[Path, tuple[_Stamp, ListedRun | str]] = field(default_factory=dict)
    _opened: dict[str, OpenedRun] = field(default_factory=dict)  # the last that was asked for comes last
    _searched: dict[tuple[str, str], tuple[_Stamp, frozenset[int]]] = field(default_factory=dict)
    _compared: dict[tuple[str, str], tuple[tuple[_Stamp, _Stamp], Comparison]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)
    _reading: Lock = field(default_factory=Lock)
    _comparing: Lock = field(default_factory=Lock)

    def runs(self) -> tuple[list[ListedRun], list[str]]:
        """The newest first; and what is wrong with files that cannot be read."""
        with self._lock:
            self._known = {path: self._look(path) for path in run_files(self.folder)}
            found = [one for _, one in self._known.values()]
        runs = [one for one in found if isinstance(one, ListedRun)]
        faults = [one for one in found if isinstance(one, str)]
        return sorted(runs, key=lambda run: run.info.created, reverse=True), faults

    def warm(self) -> None:
        """What is most likely asked for first is read before somebody waits for it."""
        for one in self.runs()[0][:_WARMED]:
            if one.counts.total <= _MOST_TRIALS and one.state != "running":
                with suppress(TrialkitError):
                    self.opened(self.name(one.path))

    def opened(self, name: str) -> OpenedRun:
        stamp = file_stamp(self.path(name))
        with self._reading:  # whoever asks for the same meanwhile waits for it
            known = self._opened.pop(name, None)
            if known is None or known.stamp != stamp:
                with self.open(name) as run:
                    known = _opened(run, stamp, known)
            self._opened[name] = known
            while len(self._opened) > 1 and self._kept() > _MOST_TRIALS:
                del self._opened[next(iter(self._opened))]
        return known

    def _kept(self) -> int:
        return sum(one.summary.counts.total for one in self._opened.values())

    def that_say(self, name: str, words: str) -> frozenset[int]:
        """The trials in whose transcripts the words stand: kept, for who looks through them comes again."""
        stamp = file_stamp(self.path(name))
        known = self._searched.get((name, words))
        if known is not None and known[0] == stamp:
            return known[1]
        with self.open(name) as run:
            found = run.that_say(words)
        with self._lock:
            self._searched[name, words] = stamp, found
            if len(self._searched) > _MOST_SEARCHES:
                del self._searched[next(iter(self._searched))]
        return found

    def compared(self, one: str, other: str) -> Comparison:
        """The second held against the first; kept, for who looks at one case that changed looks at the next."""
        stamps = file_stamp(self.path(one)), file_stamp(self.path(other))
        with self._comparing:
            known = self._compared.pop((one, other), None)
            if known is None or known[0] != stamps:
                known = stamps, compare_runs(load_to_compare(self.path(one)), load_to_compare(self.path(other)))
            self._compared[one, other] = known
            if len(self._compared) > _MOST_COMPARISONS:
                del self._compared[next(iter(self._compared))]
        return known[1]

    def name(self, path: Path) -> str:
        """What a run is called in addresses: where it lies below the folder."""
        return path.relative_to(self.folder).as_posix()

    def path(self, name: str) -> Path:
        """InputError if it is no run file in the folder."""
        path = self.folder / name
        if "\0" in name or ".." in Path(name).parts or Path(name).is_absolute() or path.suffix != ".trial":
            raise InputError(f"{name}: no run of this folder")
        return path

    def open(self, name: str) -> RunFile:
        return RunFile(self.path(name))

    def _look(self, path: Path) -> tuple[_Stamp, ListedRun | str]:
        stamp = file_stamp(path)
        known = self._known.get(path)
        if known is not None and known[0] == stamp and not _may_end(known[1]):
            return known
        try:
            return stamp, list_run(path)
        except InputError as error:
            return stamp, str(error)


def _opened(run: RunFile, stamp: _Stamp, before: OpenedRun | None) -> OpenedRun:
    """Of a run that goes on, what has changed is read; what has ended somebody may have replaced by a copy."""
    with run.moment():
        info, change = run.info(), run.change()
        if before is None or not _goes_on(before.summary.info, info) or change < before.change:
            summary = outline(run)
        else:
            known = (trial for one in before.summary.cases for trial in one.trials)
            summary = outline(run, known, since=before.change)
    return OpenedRun(stamp=stamp, change=change, summary=summary, kinds=kinds_of(summary))


def _goes_on(before: RunInfo, now: RunInfo) -> bool:
    return before.state == "running" and before.created == now.created


def _may_end(listed: ListedRun | str) -> bool:
    """Nothing is written to a file when the process that writes it is killed."""
    return isinstance(listed, ListedRun) and listed.state == "running" and not is_going_on(listed.path)


def file_stamp(path: Path) -> _Stamp:
    found: list[int] = []
    for one in (path, path.with_name(f"{path.name}-wal")):
        try:
            status = one.stat()
        except OSError:
            continue
        found += (status.st_mtime_ns, status.st_size, status.st_ino)
    return tuple(found)


def wanted_trial(run: RunFile, case_id: str, number: str) -> RecordedTrial:
    """InputError if there is none."""
    found = next((one for one in run.trials(case_id=case_id) if str(one.number) == number), None)
    if found is None:
        raise InputError(f"{run.path.name} has no trial {number} of a case {case_id}")
    return found
