"""Command-line options made from settings: one field, one flag."""

from collections.abc import Mapping
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

import click
from click.core import ParameterSource
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from trialkit.errors import InputError
from trialkit.runfile import RunFile
from trialkit.settings import Flags, Hidden, RunSettings, marked
from trialkit.suites import get_suite

S = TypeVar("S", bound=BaseModel)


class SettingOption(click.Option):
    """An option that belongs to a section of the help."""

    section = ""


def options_for(settings: type[BaseModel]) -> list[click.Parameter]:
    return [_option(name, field) for name, field in settings.model_fields.items()]


def marked_options(settings: type[RunSettings], mark: type) -> list[click.Parameter]:
    return [_option(name, settings.model_fields[name]) for name in marked(settings, mark)]


def session_options() -> list[click.Parameter]:
    """Of a command that adds to a run: how it may ask, and what it may spend."""
    names = ("max_concurrency", "max_cost", "retries", "timeout")
    return [_option(name, RunSettings.model_fields[name]) for name in names]


def given(ctx: click.Context, settings: type[BaseModel]) -> dict[str, Any]:
    """The settings that stand on the command line."""
    return {
        name: value
        for name, value in ctx.params.items()
        if name in settings.model_fields and ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }


def changes_of(ctx: click.Context, run: Path, mark: type) -> dict[str, Any]:
    """The settings given for a run that there is; those of its suite with such a mark are options among the `rest`."""
    with RunFile(run) as file:
        settings = get_suite(file.info().suite).settings
    own = click.Command(ctx.info_name, params=marked_options(settings, mark))
    with own.make_context(ctx.info_name, list(ctx.params["rest"]), parent=ctx.parent) as suite_ctx:
        return {**given(ctx, settings), **given(suite_ctx, settings)}


def build(settings: type[S], values: Mapping[str, object]) -> S:
    try:
        return settings.model_validate(values)
    except ValidationError as error:
        raise InputError("\n".join(_fault(settings, fault) for fault in error.errors())) from None


def _fault(settings: type[BaseModel], fault: ErrorDetails) -> str:
    name, value = str(fault["loc"][0]), fault["input"]
    shown = (
        ""
        if name in marked(settings, Hidden) or fault["type"] == "missing"  # the input is all of the settings then
        else " ".join(map(str, value))
        if isinstance(value, tuple)
        else _typed(value)
    )
    return f"{f'{flag_of(settings, name)} {shown}'.strip()}: {_wrong(fault)}"


def _typed(value: Any) -> str:
    """`90` for 90.0, as it was most likely typed."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def _wrong(fault: ErrorDetails) -> str:
    message = fault["msg"].removeprefix("Value error, ").replace("Input should be", "must be", 1)
    return message.replace("greater than or equal to", "at least").replace("less than or equal to", "at most")


def flag_of(settings: type[BaseModel], name: str) -> str:
    return _names(name, settings.model_fields[name])[0]


def _option(name: str, field: FieldInfo) -> SettingOption:
    kind = _kind(field.annotation)
    names = _names(name, field)
    help_text = field.description or ""
    attributes: dict[str, Any] = {"type": kind}
    if kind is bool:
        attributes = {"is_flag": True, "flag_value": not names[0].startswith("--no-"), "default": field.default}
    elif get_origin(field.annotation) is tuple:
        attributes = {"type": str, "multiple": True}
    elif field.default is not None:
        help_text = f"{help_text[:-1]} [default: {_typed(field.default)}]."
    option = SettingOption([*names, name], help=help_text, **attributes)
    option.section = "Every run" if name in RunSettings.model_fields else "This suite"
    return option


def _names(name: str, field: FieldInfo) -> tuple[str, ...]:
    own = next((mark for mark in field.metadata if isinstance(mark, Flags)), None)
    return own.names if own else (f"--{name.replace('_', '-')}",)


def _kind(annotation: Any) -> Any:
    """What click should read: the type itself, a choice, or text that the settings check."""
    if get_origin(annotation) in {Union, UnionType}:
        annotation = next(part for part in get_args(annotation) if part is not NoneType)
    if get_origin(annotation) is Literal:
        return click.Choice(get_args(annotation))
    return annotation if annotation in {bool, int, float} else str
