"""The flags of `trialkit run` for a suite in a file."""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from functools import cache
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationError, create_model

from trialkit.errors import InputError
from trialkit.models import refuse_kept_secret
from trialkit.settings import (
    RARE,
    JudgeSettings,
    OfUser,
    PromptOf,
    UserExtra,
    UserMaxTokens,
    UserReasoning,
    UserToolsAs,
)
from trialkit.suites.agent_settings import AgentSettings

from .asking import is_file
from .document import Document, KeyFault, problems_of

BASELINE = "baseline"


def _split(value: Any) -> Any:
    """`--ids A,B --ids C`: both ways of giving several."""
    parts = value if isinstance(value, list | tuple) else [value]
    return tuple(item.strip() for part in parts for item in str(part).split(",") if item.strip())


class FileSettings(AgentSettings):
    ids: Annotated[tuple[str, ...], BeforeValidator(_split)] = Field((), description="Only these cases: 3,17.")
    first: int | None = Field(None, ge=1, description="Only so many cases, from the first one.")


class _JudgedSettings(JudgeSettings, FileSettings):
    pass


class _PromptSettings(FileSettings):
    prompt: Annotated[str | None, PromptOf("prompt")] = Field(
        None, description="Another version of the prompt: v2, which stands beside the suite's own, or FILE."
    )


class _SystemSettings(FileSettings):
    system: Annotated[str | None, PromptOf("system")] = Field(
        None, description="Another version of the system message: v2, which stands beside the suite's own, or FILE."
    )


class TalkSettings(FileSettings):
    user_prompt: Annotated[str, PromptOf("user"), OfUser()] = Field("v1", description="Version of the user's prompt.")
    user_model: Annotated[str | None, OfUser()] = Field(
        None, description="Model that plays the user [default: --model]."
    )
    user_api_base: Annotated[str | None, OfUser(), RARE] = Field(
        None, description="The user's server [default: --api-base if the user model is of the same provider]."
    )
    user_reasoning: UserReasoning = None
    user_max_tokens: UserMaxTokens = None
    user_extra: UserExtra = None
    user_tools_as: UserToolsAs = None


@cache
def all_settings() -> type[FileSettings]:
    """Those that any suite in a file has."""
    return create_model("SuiteSettings", __base__=(_JudgedSettings, _PromptSettings, _SystemSettings, TalkSettings))


def settings_of(document: Document, *, judged: bool) -> tuple[type[FileSettings], list[KeyFault]]:
    """With the file's own defaults. Whether a model judges, and which prompts are files, decides about the flags."""
    wanted: dict[type[FileSettings], bool] = {
        _JudgedSettings: judged,
        TalkSettings: document.user is not None and document.user.says is None,
        _PromptSettings: is_file(document.prompt or ""),
        _SystemSettings: is_file(document.system or ""),
    }
    kind = _made_of(tuple(base for base, there in wanted.items() if there))
    problems = problems_in(document.settings, document.matrix, kind)
    if problems or not document.settings:
        return kind, problems
    fields: Any = {name: _field(kind, name, value) for name, value in document.settings.items()}
    return create_model("SuiteSettings", __base__=kind, **fields), []


@cache
def _made_of(bases: tuple[type[FileSettings], ...]) -> type[FileSettings]:
    return create_model("SuiteSettings", __base__=bases or (FileSettings,))


def problems_in(
    settings: Mapping[str, Any], matrix: Mapping[str, Sequence[Any]], kind: type[FileSettings]
) -> list[KeyFault]:
    found = list[KeyFault]()
    sets: list[tuple[tuple[str, ...], Mapping[str, Any]]] = [(("settings",), settings)]
    sets += [(("matrix", name), {name: value}) for name, values in matrix.items() for value in values]
    for steps, values in sets:
        found += _secrets_in(steps, values)
        try:
            kind.model_validate(dict(values))
        except ValidationError as error:
            found += [
                (steps if steps[0] == "matrix" else (*steps, *path), told) for path, told in problems_of(error, kind)
            ]
    return found


def _secrets_in(steps: tuple[str, ...], values: Mapping[str, Any]) -> Iterator[KeyFault]:
    for name, value in values.items():
        try:
            refuse_kept_secret(value, f"`{name}:`")
        except InputError as error:
            yield (steps if steps[0] == "matrix" else (*steps, name)), str(error)


def _field(kind: type[FileSettings], name: str, value: Any) -> Any:
    """As it is, but for its default."""
    field = copy(kind.model_fields[name])
    field.default = getattr(kind.model_validate({name: value}), name)
    return field.annotation, field
