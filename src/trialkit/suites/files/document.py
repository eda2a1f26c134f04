"""What may stand in a suite's YAML file, and its faults as sentences."""

import inspect
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, Tag, ValidationError
from pydantic_core import ErrorDetails

from trialkit.dialogue import Rules
from trialkit.text.json import JsonObject
from trialkit.text.short import near_or, shown

from .cases import Naming
from .persona import WrittenUser
from .unions import one_of


def _keys_or_text(value: Any) -> Any:
    if not isinstance(value, str | dict):
        raise ValueError("must be a goal, or a mapping with `goal:`, `persona:` and more")  # noqa: TRY004 - as pydantic wants
    return value


def _judge(value: Any) -> Any:
    if not isinstance(value, dict):
        raise ValueError("must name a kind of judge, such as {equals: '{{ column }}'}")  # noqa: TRY004 - as above
    return value


def _is_model(kind: Any) -> bool:
    return inspect.isclass(kind) and issubclass(kind, BaseModel)


class _Written(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, populate_by_name=True)


class WrittenTurn(_Written):
    """A message of a conversation that the model is to go on with."""

    role: Literal["system", "user", "assistant"] = Field(description="who says it: system, user or assistant")
    content: str = Field(description="what is said, with columns of the case in it")


_Text = Annotated[str, Tag("[text]")]
_Keys = Annotated[JsonObject, Tag("[keys]")]
_Listed = Annotated[list[Mapping[str, Any]], Tag("[list]")]
_Cases = Annotated[_Text | _Listed, one_of("a file, a folder, or a list of cases")]
_Tool = Annotated[_Text | _Keys, one_of("FILE.py:NAME, or a schema with `name:` and `parameters:`")]
_ListedTools = Annotated[list[_Tool], Tag("[list]")]
_Tools = Annotated[_Text | _ListedTools, one_of("a Python file, a JSON file, or a list of tools")]
_Schema = Annotated[_Text | _Keys, one_of("a JSON schema, or a file with one")]
_User = Annotated[WrittenUser, BeforeValidator(_keys_or_text, json_schema_input_type=str | WrittenUser)]
_Judge = Annotated[JsonObject, BeforeValidator(_judge, json_schema_input_type=JsonObject)]


class Document(_Written):
    """The order is that of the table in docs/own-cases.md."""

    cases: _Cases = Field(description="a file (CSV, TSV, JSON, JSONL, Parquet), a folder of texts, or a list of cases")
    id: str | None = Field(None, description="the column with each case's id")
    group: str | None = Field(None, description="the column that the report breaks figures down by")
    title: str | None = Field(None, description="the column that reports show of a case")
    tags: str | None = Field(None, description="the column with what comparisons break down by: `long, german`")
    prompt: str | None = Field(None, description="what is asked of the model, or a .txt or .md file with it")
    system: str | None = Field(None, description="the system message, or a .txt or .md file with it")
    messages: list[WrittenTurn] | None = Field(None, description="in place of `prompt`: a conversation to go on with")
    user: _User | None = Field(None, description="a conversation: whom a simulated user plays, and what it wants")
    environment: str | None = Field(None, description="FILE.py:CLASS, whose methods are tools over a state of its own")
    greeting: str = Field(Rules().greeting, description="in a conversation: what the agent is taken to have said first")
    tools: _Tools | None = Field(
        None, description="what the model may call: a Python file, a JSON file, mcp:SERVER or a list"
    )
    max_steps: int = Field(20, ge=1, description="with tools: how many moves the model has")
    output: _Schema | None = Field(None, description="the JSON schema of the answer, or a file with it")
    baseline: str | None = Field(None, description="FILE.py:NAME, a function that answers for `--model baseline`")
    judges: dict[str, _Judge] = Field(min_length=1, description="who judges: a name, and a kind of judge under it")
    headline: str | None = Field(None, description="the judge that decides; the first, where none is named")
    name: str | None = Field(None, description="what the suite is called; the file's name, where nothing is said")
    summary: str = Field("", description="what it is about, in a sentence")
    settings: JsonObject = Field({}, description="other defaults for the flags of `trialkit run`, such as `trials: 3`")
    matrix: dict[str, list[Any]] = Field({}, description="settings with several values: a run for each combination")

    @property
    def naming(self) -> Naming:
        return Naming(id=self.id, group=self.group, title=self.title, tags=self.tags)


#: What is wrong, and the keys that lead to it.
KeyFault = tuple[tuple[str | int, ...], str]


def read_document(data: Any, settings: Collection[str] = ()) -> tuple[Document | None, list[KeyFault]]:
    """What can be had of it: None where something is wrong. `settings`: keys that belong a level deeper."""
    if not isinstance(data, dict):
        return None, [((), f"a suite has keys, such as `cases:`, `prompt:` and `judges:`; found {shown(data, 30)}")]
    try:
        return Document.model_validate(data), []
    except ValidationError as error:
        return None, problems_of(error, Document, settings=settings)


#: Without one of these nothing else is wrong that was right.
_SPARE = {"id", "group", "title", "tags", "greeting", "max_steps", "output", "headline", "name", "summary"}
_SPARE |= {"settings", "matrix"}


def rest_of(data: Any, problems: Sequence[KeyFault]) -> Document | None:
    """Without the keys that are wrong, to find what else is; None where that would be told of what is not there."""
    wrong = {steps[0] if steps else "" for steps, _ in problems}
    if "" in wrong or wrong & Document.model_fields.keys() - _SPARE:
        return None
    return Document.model_validate({key: value for key, value in data.items() if key not in wrong})


def problems_of(error: ValidationError, model: type[BaseModel], *, settings: Collection[str] = ()) -> list[KeyFault]:
    """As sentences with a fix."""
    return [(_steps(one), _told(one, model, settings)) for one in error.errors(include_url=False)]


def _steps(fault: ErrorDetails) -> tuple[str | int, ...]:
    """Without what pydantic adds of unions' parts, which no path in the file has."""
    return tuple(step for step in fault["loc"] if isinstance(step, int) or "[" not in step)


def _told(fault: ErrorDetails, model: type[BaseModel], settings: Collection[str]) -> str:
    *outer, last = _steps(fault) or ("",)
    inside = _model_at(model, outer)
    if fault["type"] == "missing":
        return f"there is no `{last}:`; add it: {_about(inside, last) or 'it is needed'}"
    if fault["type"] == "extra_forbidden":
        return unknown_key(str(last), _known(inside), () if outer else settings)
    wanted = fault["msg"].removeprefix("Value error, ").replace("Input should be", "must be", 1)
    about = "" if fault["type"] == "kind" else _about(inside, last).rstrip(".")
    return f"{_what(outer, last)} {_plain(wanted)}, not {shown(fault['input'])}{about and f' ({about})'}"


def _what(outer: Sequence[str | int], last: str | int) -> str:
    if isinstance(last, str):
        return f"`{last}:`"
    return f"item {last + 1} of `{next((step for step in reversed(outer) if isinstance(step, str)), '')}:`"


def unknown_key(name: str, known: Sequence[str], settings: Collection[str] = ()) -> str:
    """`settings`: names that would be known under `settings:`."""
    if name in settings:
        return f"`{name}:` is a setting of runs; put it under `settings:`"

    def form(near: str) -> str:
        return f"`{near}:`" if near in known else f"`{near}:` under `settings:`"

    rest = f"known: {', '.join(known)}" if known else "remove it"
    return f"there is no key {shown(name)} here; {near_or(name, [*known, *settings], rest, form)}"


def _known(model: type[BaseModel] | None) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()] if model else []


def _model_at(model: type[BaseModel], steps: Sequence[str | int]) -> type[BaseModel] | None:
    """What the keys that stand there are of; None where they may be any."""
    for step in (one for one in steps if isinstance(one, str)):
        field = model.model_fields.get(step)
        inside = next(filter(_is_model, _parts(field.annotation) if field else ()), None)
        if inside is None:
            return None
        model = inside
    return model


def _parts(annotation: Any) -> Iterator[Any]:
    """The types that a union or a list is made of."""
    inside = [part for one in get_args(annotation) for part in _parts(one)]
    yield from inside or [annotation]


def _about(model: type[BaseModel] | None, name: str | int) -> str:
    fields = model.model_fields if model else {}
    found = next((field for key, field in fields.items() if name in (key, field.alias)), None)
    return (found.description if found else None) or ""


_WORDS: Mapping[str, str] = {
    "valid string": "text",
    "valid dictionary": "a mapping of keys",
    "valid list": "a list",
    "valid integer": "a whole number",
    "valid number": "a number",
    "valid boolean": "true or false",
    "greater than or equal to": "at least",
    "less than or equal to": "at most",
    ", unable to parse string as a number": "",
    ", unable to parse string as an integer": "",
}


def _plain(message: str) -> str:
    for theirs, ours in _WORDS.items():
        message = message.replace(f"a {theirs}", ours).replace(theirs, ours)
    return message
