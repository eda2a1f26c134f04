"""Settings with several values: one run for each combination."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, get_origin

from pydantic import BaseModel

from trialkit.errors import InputError
from trialkit.settings import Incidental, PerSession, PromptOf, flags_of
from trialkit.suites import Suite
from trialkit.text.json import dump

#: What a run is not called by, since it is told anyway.
_TOLD = {"model"}


def may_vary(settings: type[BaseModel], name: str) -> bool:
    """Whether it is something to be tried in several ways, and not how runs are made or where they go."""
    field = settings.model_fields[name]
    about_the_run = (PerSession, Incidental)
    marks = [mark for mark in field.metadata if isinstance(mark, about_the_run) and not isinstance(mark, PromptOf)]
    return not marks and field.annotation is not bool


def combinations(suite: Suite[Any], settings: type[BaseModel], given: Mapping[str, object]) -> list[dict[str, object]]:
    """The settings of each run. What is given counts before what the suite's own matrix says."""
    axes = {
        **{name: list(values) for name, values in suite.matrix.items() if name not in given},
        **_axes(settings, given),
    }
    for name, values in axes.items():
        if again := [value for n, value in enumerate(values) if value in values[:n]]:
            raise InputError(f"{flags_of(settings, name)[0]} {again[0]}: given twice; `--trials` tries the same again")
    fixed = {name: value for name, value in given.items() if name not in axes}
    fixed |= {name: values[0] for name, values in axes.items() if len(values) == 1}
    varied = {name: values for name, values in axes.items() if len(values) > 1}
    chosen = [dict(zip(varied, values, strict=True)) for values in product(*varied.values())]
    return [{**fixed, **one, **_named(settings, fixed, one)} for one in chosen]


def _axes(settings: type[BaseModel], given: Mapping[str, object]) -> dict[str, list[object]]:
    return {
        name: list(value)
        for name, value in given.items()
        if isinstance(value, list | tuple)
        and name in settings.model_fields
        and may_vary(settings, name)
        and get_origin(settings.model_fields[name].annotation) is not tuple
    }


def _named(settings: type[BaseModel], fixed: Mapping[str, object], chosen: Mapping[str, object]) -> dict[str, object]:
    """What the run is called; nothing where its model says it all, or it is the only one."""
    if not chosen or ("name" not in fixed and chosen.keys() <= _TOLD):
        return {}
    parts = [f"{flags_of(settings, name)[0].removeprefix('--')}={_shown(value)}" for name, value in chosen.items()]
    return {"name": " ".join([*([str(fixed["name"])] if "name" in fixed else []), *parts])}


def _shown(value: object) -> str:
    if value is None or isinstance(value, Mapping):
        return dump(value)
    return ",".join(map(str, value)) if isinstance(value, Sequence) and not isinstance(value, str) else str(value)
