"""Command-line options made from settings: one field, one flag."""

from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import click
from click.core import ParameterSource
from pydantic import ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from trialkit.errors import InputError
from trialkit.settings import Flags, Hidden, RunSettings, marked


class SettingOption(click.Option):
    """An option that belongs to a section of the help."""

    section = ""


def options_for(settings: type[RunSettings]) -> list[click.Parameter]:
    return [_option(name, field) for name, field in settings.model_fields.items()]


def marked_options(settings: type[RunSettings], mark: type) -> list[click.Parameter]:
    return [_option(name, settings.model_fields[name]) for name in marked(settings, mark)]


def given(ctx: click.Context) -> dict[str, Any]:
    """The settings that stand on the command line."""
    return {
        name: value
        for name, value in ctx.params.items()
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }


def build(settings: type[RunSettings], values: Mapping[str, object]) -> RunSettings:
    try:
        return settings.model_validate(values)
    except ValidationError as error:
        raise InputError("\n".join(_fault(settings, fault) for fault in error.errors())) from None


def _fault(settings: type[RunSettings], fault: ErrorDetails) -> str:
    name, value = str(fault["loc"][0]), fault["input"]
    shown = (
        ""
        if name in marked(settings, Hidden)
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


def flag_of(settings: type[RunSettings], name: str) -> str:
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
