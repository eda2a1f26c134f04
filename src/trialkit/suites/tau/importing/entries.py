"""What a results file holds, in our own terms, whichever benchmark wrote it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from trialkit.dialogue import Output
from trialkit.runfile import Prompt
from trialkit.suites.tau.common.tasks import Task
from trialkit.text.json import JsonObject


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One recorded trial."""

    where: str  # its place in the file, for messages
    task_id: str
    number: int  # from 1
    output: Output | None  # as a trial leaves it; None: there is no conversation
    reward: float | None  # None: the file has none
    parts: Mapping[str, float | None] = field(default_factory=dict)  # what the reward is made of
    error: str | None = None  # it crashed; whatever reward was recorded then means nothing
    traceback: str | None = None
    costs: Mapping[str, float] = field(default_factory=dict)  # by role, in US dollars
    assertions: Mapping[str, bool] = field(default_factory=dict)  # in plain language → whether a judge found it met
    source: Mapping[str, object] = field(default_factory=dict)  # the rest of the entry, for the export


@dataclass(frozen=True, kw_only=True, slots=True)
class Results:
    suite: str
    subject: str
    entries: tuple[Entry, ...]
    tasks: Mapping[str, "RecordedTask"]  # by id
    prompts: tuple[Prompt, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedTask:
    read: Task
    task: JsonObject  # in the format's own words
