"""Suites: what a benchmark must offer, and how one is found.

A package adds a suite by an entry point in the group `trialkit.suites` that names a `Suite` object; so do we.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from trialkit.models import Connection, Reply, Request, Sent, Traffic
from trialkit.plugins import load_plugin, plugin_names
from trialkit.runfile import PlannedTrial, Prompt, RecordedTrial, RunFile
from trialkit.settings import RunSettings
from trialkit.vocabulary import Case, Verdict


@dataclass(frozen=True, kw_only=True, slots=True)
class Material:
    """What a run is made of before it starts."""

    subject: str  # who is on trial, for people and file names
    cases: Sequence[Case]
    trials: Sequence[PlannedTrial]
    prompts: Sequence[Prompt]
    versions: Mapping[str, str]  # of the data, so that two runs can be told apart by it
    notices: Sequence[str] = ()  # what the user should know before money is spent


class Trial(Protocol):
    """What a suite is given to run one trial with."""

    case: Case
    number: int
    seed: int | None

    async def ask(self, role: str, request: Request) -> Reply:
        """Call the model that plays this role. What it says is recorded; `ModelError` ends the trial in error."""

    async def exchange(self, role: str, said: str, send: Callable[[], Awaitable[Sent]]) -> Reply:
        """A call that is not a model request, such as to an agent's process, which remembers what it was told before.

        It is recorded, paid and replayed like a model call; but a resumed trial makes it again. `said` tells it apart.
        """

    def note(self, kind: str, **data: Any) -> None:
        """Add to the transcript."""


class Bench(Protocol):
    """A suite with its settings and prompts in place: runs trials and judges them."""

    judges: Sequence[str]  # the first decides; none: nobody judges

    def connect(self, traffic: Traffic, *, judging: bool = False) -> Mapping[str, Connection]:
        """The models, by role. Raises `InputError` where one cannot be had: nothing is spent yet.

        `judging`: only those that judge; recorded answers are to be judged again, and nobody is put on trial.
        """

    async def attempt(self, trial: Trial) -> Mapping[str, Any]:
        """Run the trial; the output is what the judges see, as JSON data."""

    async def judge(self, trial: Trial, output: Mapping[str, Any]) -> Sequence[Verdict]:
        """One verdict for each of `judges`, in that order; a judge that failed gives `error`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Section:
    """A table that a suite adds to the reports."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Details:
    """What a suite adds to the figures that every run has."""

    metrics: Mapping[str, Any] = field(default_factory=dict)  # JSON: each figure as value, low, high, n
    sections: tuple[Section, ...] = ()


class Suite(Protocol):
    name: str
    summary: str
    settings: type[RunSettings]
    beside: Sequence[str]  # formats of the report that are written beside the run file

    def load(self, settings: Any) -> Material:
        """Read and check everything that the run needs; `InputError` tells of all that is wrong."""

    def bench(self, settings: Any, prompts: Mapping[str, Prompt]) -> Bench:
        """The same for a new run and for one that goes on: prompts come from the run file then."""

    def facts(self, trial: RecordedTrial) -> Mapping[str, Any]:
        """What is particular to a trial of this suite: columns of the console table, and JSON data."""

    def details(self, run: RunFile) -> Details:
        """The suite's own figures."""

    def exports(self, run: RunFile) -> Mapping[str, str]:
        """The suite's own files beside the run file: suffix → text. A replay must give the same."""


_GROUP = "trialkit.suites"
_PARTS = ("name", "summary", "settings", "beside", "load", "bench", "facts", "details", "exports")


def suite_names() -> list[str]:
    return plugin_names(_GROUP)


def get_suite(name: str) -> Suite:
    suite: Suite = load_plugin(_GROUP, name, "suite", _PARTS)
    return suite
