"""Command-line options made from settings: one field, one flag."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

import click
from click.core import ParameterSource
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from trialkit.engine import may_vary
from trialkit.errors import InputError
from trialkit.models import showable
from trialkit.runfile import RunFile
from trialkit.settings import Hidden, NamesRun, RunSettings, Section, flags_of, marked, origin_of
from trialkit.suites import suite_of_run

from .groups import PlacedOption
from .places import RUN

S = TypeVar("S", bound=BaseModel)


class SettingOption(PlacedOption):
    """An option that is a setting."""

    listed = False  # its values are one setting


def options_for(settings: type[BaseModel], *, several: bool = False) -> list[click.Parameter]:
    """With `several`, what may vary can be given several times."""
    return [_option(settings, name, several=several and may_vary(settings, name)) for name in settings.model_fields]


def marked_options(settings: type[RunSettings], mark: type) -> list[click.Parameter]:
    return [_option(settings, name) for name in marked(settings, mark)]


def as_recorded(settings: type[RunSettings], names: Sequence[str]) -> list[click.Parameter]:
    """Of a command about a run that there is: what is not given is as it was there."""
    options = [_option(settings, name) for name in names]
    for option in options:
        option.help = re.sub(r" \[default: [^]]*\]", "", option.help or "")
        option.section = "In place of what was on trial"
    return list(options)


def session_options() -> list[click.Parameter]:
    """Of a command that adds to a run: how it may ask, and what it may spend."""
    names = ("max_concurrency", "rpm", "tpm", "max_cost", "retries", "timeout", "timeout_in_all")
    return [_option(RunSettings, name) for name in names]


def given(ctx: click.Context, settings: type[BaseModel]) -> dict[str, Any]:
    """The settings that stand on the command line."""
    return {
        name: value
        for name, value in ctx.params.items()
        if name in settings.model_fields and ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }


def changes_of(ctx: click.Context, run: Path, *marks: type) -> dict[str, Any]:
    """The settings given for a run that there is; those of its suite with such marks are options among the `rest`."""
    with RunFile(run) as file:
        settings = suite_of_run(file.info()).settings
    own = click.Command(ctx.info_name, params=[one for mark in marks for one in marked_options(settings, mark)])
    with own.make_context(ctx.info_name, list(ctx.params["rest"]), parent=ctx.parent) as suite_ctx:
        return {**given(ctx, settings), **given(suite_ctx, settings)}


def build(settings: type[S], values: Mapping[str, object]) -> S:
    try:
        return settings.model_validate(values)
    except ValidationError as error:
        raise InputError("\n".join(_fault(settings, values, fault) for fault in error.errors())) from None


def _fault(settings: type[BaseModel], values: Mapping[str, object], fault: ErrorDetails) -> str:
    name = str(fault["loc"][0])
    by = "" if name in values else origin_of(settings, name)
    missing = fault["type"] == "missing"  # the input is all of the settings then
    shown = "" if missing else shown_value(settings, name, fault["input"])
    return f"{by and f'{by}: '}{f'{flags_of(settings, name)[0]} {shown}'.strip()}: {_wrong(fault)}"


def shown_value(settings: type[BaseModel], name: str, value: Any) -> str:
    if name in marked(settings, Hidden):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(map(_typed, value)) if isinstance(value, tuple | list) else _typed(value)


def _typed(value: Any) -> str:
    """`90` for 90.0, as it was most likely typed."""
    return f"{value:g}" if isinstance(value, float) else showable(str(value))


def _wrong(fault: ErrorDetails) -> str:
    message = fault["msg"].removeprefix("Value error, ").replace("Input should be", "must be", 1)
    return message.replace("greater than or equal to", "at least").replace("less than or equal to", "at most")


def _option(settings: type[BaseModel], name: str, *, several: bool = False) -> SettingOption:
    field, origin = settings.model_fields[name], origin_of(settings, name)
    kind = RUN if any(isinstance(mark, NamesRun) for mark in field.metadata) else _kind(field.annotation)
    names = flags_of(settings, name)
    help_text = field.description or ""
    attributes: dict[str, Any] = {"type": kind, "multiple": several}
    if kind is bool:
        attributes = {"is_flag": True, "flag_value": not names[0].startswith("--no-"), "default": field.default}
    elif get_origin(field.annotation) is tuple:
        attributes = {"type": str, "multiple": True}
    elif field.default is not None and not origin:
        help_text = f"{help_text[:-1]} [default: {_typed(field.default)}]."
    if origin:
        own = re.sub(r" \[default: [^]]*\]", "", help_text)
        said = "set" if kind is bool else f"default: {shown_value(settings, name, field.default)},"
        help_text = f"{own[:-1]} [{said} by {origin}]."
    option = SettingOption([*names, name], help=help_text, **attributes)
    moved = next((mark.title for mark in field.metadata if isinstance(mark, Section)), None)
    option.listed = get_origin(field.annotation) is tuple
    option.section = moved or ("Every run" if name in RunSettings.model_fields else "This suite")
    return option


def _kind(annotation: Any) -> Any:
    """What click should read: the type itself, a choice, or text that the settings check."""
    if get_origin(annotation) in {Union, UnionType}:
        first, *others = (part for part in get_args(annotation) if part is not NoneType)
        annotation = str if others else first
    if get_origin(annotation) is Literal:
        return click.Choice(get_args(annotation))
    return annotation if annotation in {bool, int, float} else str
