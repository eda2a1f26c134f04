"""The settings with a project's defaults: those of its file, and `TRIALKIT_MODEL`."""

import os
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args

from pydantic import BaseModel, Field, create_model

from trialkit.errors import InputError
from trialkit.settings import JudgeSettings, RunSettings, SetBy, flags_of
from trialkit.suites import every_suite

from .project import Default, in_project, project_defaults

S = TypeVar("S", bound=BaseModel)


def with_defaults(settings: type[S]) -> type[S]:
    """The same settings with the project's defaults in place of their own. InputError if a name is no setting's."""
    known = {flag: (name, value) for name in settings.model_fields for flag, value in _spellings(settings, name)}
    found = {}
    for spelling, default in project_defaults().items():
        if spelling in known:
            name, means = known[spelling]
            found[name] = Default(value=means(default.value), by=default.by)
        else:
            _check_known(spelling, default.by)
    if model := os.environ.get("TRIALKIT_MODEL"):
        found["model"] = Default(value=model, by="TRIALKIT_MODEL")
    fields: dict[str, Any] = {
        name: _changed(settings, name, default) for name, default in found.items() if name in settings.model_fields
    }
    return create_model(settings.__name__, __base__=settings, **fields) if fields else settings


def _changed(settings: type[BaseModel], name: str, default: Default) -> tuple[Any, Any]:
    field = settings.model_fields[name]
    value = in_project(default.value, default.by) if _is_path(field.annotation) else default.value
    marks = (*field.metadata, SetBy(default.by))
    return Annotated[(field.annotation, *marks)], Field(value, description=field.description, validate_default=True)


def _is_path(annotation: object) -> bool:
    return annotation is Path or Path in get_args(annotation)


def _spellings(settings: type[BaseModel], name: str) -> list[tuple[str, Callable[[Any], Any]]]:
    """`max_concurrency`, `max-concurrency`, and `no-cache = true` as its flag is."""
    flags = [part for flag in flags_of(settings, name) for part in flag.split("/") if part.startswith("--")]
    off = [flag for flag in flags if flag.startswith("--no-")]
    same = {name.replace("_", "-"), *(flag.removeprefix("--") for flag in flags if flag not in off)}
    return [*((one, lambda value: value) for one in same), *((flag.removeprefix("--"), _turned) for flag in off)]


def _turned(value: object) -> object:
    return not value if isinstance(value, bool) else value


def _check_known(spelling: str, by: str) -> None:
    """It may be a setting of another suite."""
    told = every_suite(lambda suite: suite.settings)
    all_settings: list[type[BaseModel]] = [RunSettings, JudgeSettings, *told.values()]
    known = {flag for one in all_settings for name in one.model_fields for flag, _ in _spellings(one, name)}
    if spelling not in known:
        close = get_close_matches(spelling, known, n=1)
        hint = f"did you mean {close[0]}? " if close else ""
        raise InputError(f"{by}: no setting is called {spelling!r}; {hint}`trialkit run SUITE --help` has them")
