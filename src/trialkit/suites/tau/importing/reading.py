"""A results file as JSON; what in it does not fit is named with the file, the place, the value and a fix."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from trialkit.dialogue import End, Output
from trialkit.errors import InputError
from trialkit.runfile import Prompt
from trialkit.suites.tau.common.tasks import Task
from trialkit.text.checked import checked
from trialkit.text.files import read_file
from trialkit.text.json import Json, JsonObject, decode

F = TypeVar("F", bound="Form")

_SQLITE = b"SQLite format 3\0"

Whole = Annotated[int, Field(ge=0, lt=10**9)]
Reward = Annotated[float, Field(ge=0, le=1)]  # as both benchmarks pay; what lies outside would spoil every mean
#: No conversation costs so much, in US dollars: who says so does not know.
_MOST_COST = 1e6


class Form(BaseModel):
    """A part of a results file, as far as it is read. What else there is stays in `model_extra`, for the export."""

    model_config = ConfigDict(extra="allow", strict=True, frozen=True)

    @property
    def rest(self) -> JsonObject:
        return self.model_extra or {}


def read_results(path: Path) -> Json:
    """The JSON value of the file. What is plainly another kind of file is told so."""
    data = read_file(path)
    if data.startswith(_SQLITE):
        raise InputError(f"{path}: a database; if it is a run file there is nothing to import: trialkit report {path}")
    if path.suffix.lower() == ".csv":
        raise InputError(
            f"{path}: a CSV cannot be made a run, only JSON results of tau-bench and tau2; judge a commodity CSV with "
            f"its answers by: trialkit run commodity --csv {path} --skip-analysis"
        )
    value: Json = decode(data, path, "give the file as tau-bench or tau2 wrote it")
    return value


def read_form(form: type[F], value: object, where: str) -> F:
    """`where` names the file, and which part of it the value is."""
    return checked(TypeAdapter(form), value, where, fix="give the file as it was written")


def an_end(value: object) -> End | None:
    """None: it is none of ours."""
    return next((end for end in get_args(End) if end == value), None)


def costs_of(info: Mapping[str, object]) -> dict[str, float]:
    """By role, as far as told: tau-bench's runner leaves the agent's out, but others write it in the same place."""
    found = {role: info.get(f"{role}_cost") for role in ("agent", "user")}
    return {
        role: float(cost) for role, cost in found.items() if isinstance(cost, int | float) and 0 <= cost < _MOST_COST
    }


def without(value: Mapping[str, Json], *names: str) -> JsonObject:
    """What else there is."""
    return {name: part for name, part in value.items() if name not in names}


#: Task and number.
TrialKey = tuple[str, int]


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
    apart: bool = False  # its calls stand apart from the conversation: when each was made is not told
    contradicts: bool = False  # it was paid, though its own parts say that something was not done
    source: Mapping[str, object] = field(default_factory=dict)  # the rest of the entry, for the export

    @property
    def trial(self) -> TrialKey:
        return self.task_id, self.number


@dataclass(frozen=True, kw_only=True, slots=True)
class Results:
    suite: str
    subject: str
    entries: tuple[Entry, ...]
    tasks: Mapping[str, "RecordedTask"]  # by id
    prompts: tuple[Prompt, ...] = ()
    beside: tuple[Path, ...] = ()  # further files that it was read from


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedTask:
    read: Task
    task: JsonObject  # in the format's own words
