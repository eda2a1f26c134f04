"""What is seen to before a session asks anybody."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from trialkit.errors import InputError
from trialkit.models import SCRIPTED, ModelSpec, open_model
from trialkit.runfile import ModelInUse
from trialkit.settings import Hidden, JudgeSettings, RunSettings, marked, origin_of
from trialkit.suites import Peer, Role, Suite, subject_spec

from .store import store_fault

S = TypeVar("S", bound=RunSettings)


def as_begun(roles: Mapping[str, Role], recorded: Sequence[ModelInUse]) -> dict[str, Role]:
    """The roles, each asked in the protocol that its run has begun in, whatever is usual for its model by now."""
    spoken = {model.role: model.key.partition(" ")[0] for model in recorded}
    return {
        name: replace(role, spec=replace(role.spec, spoken=spoken.get(name, ""))) if role.spec else role
        for name, role in roles.items()
    }


def check_models(path: Path, recorded: Sequence[ModelInUse], peers: Mapping[str, Peer]) -> None:
    """A run has one model in each role: half of it from elsewhere would be no measurement of either."""
    for model in recorded:
        now = peers.get(model.role)
        if now is not None and now.key != model.key:
            before, after = f"{model.name} at {model.endpoint}", f"{now.name} at {now.endpoint}"
            if before == after:
                before, after = model.key, now.key
            raise InputError(
                f"{path}: the {model.role} of this run is {before}, but now it would be {after}; "
                "set the environment as it was, or start a new run"
            )


def read_settings(suite: Suite, whose: Path | str, values: Mapping[str, object]) -> RunSettings:
    try:
        return suite.settings.model_validate(values)
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"]))
        if fault["type"] == "extra_forbidden":
            near = get_close_matches(where, suite.settings.model_fields, n=1)
            hint = f"did you mean {near[0]}?" if near else f"they are {', '.join(suite.settings.model_fields)}"
            raise InputError(f"{whose}: there is no setting {where!r}; {hint}") from None
        hidden = where in marked(suite.settings, Hidden) or fault["type"] == "missing"  # then the input is all settings
        value = "" if hidden else f" = {fault['input']!r}"
        raise InputError(f"{whose}: setting {where}{value}: {fault['msg']}") from None


def with_judge(suite: Suite[S], settings: S, notices: list[str]) -> S:
    """Settings in which the model on trial judges, where nobody named a judge and the usual one cannot be asked."""
    if not isinstance(settings, JudgeSettings) or "judge_model" in settings.model_fields_set:
        return settings
    if origin_of(type(settings), "judge_model"):  # the project named one
        return settings
    roles, subject = suite.roles(settings, {}).values(), subject_spec(settings)
    judges = [role.spec for role in roles if role.phase == "judge" and role.spec]
    on_trial = [role.spec for role in roles if role.phase == "attempt"]
    lacking = [fault for spec in judges if spec.name == settings.judge_model and (fault := fault_of(spec))]
    if not lacking or subject not in on_trial or subject.name.startswith(SCRIPTED) or fault_of(subject):
        return settings
    notices.append(f"the judge is the model on trial, {settings.model} ({lacking[0]}); --judge-model names another")
    return settings.model_copy(update={"judge_model": settings.model})


def fault_of(spec: ModelSpec) -> str:
    """Why it cannot be asked; empty: it can."""
    try:
        open_model(spec)
    except InputError as error:
        return str(error)
    return ""


def without_store(settings: S, peers: Mapping[str, Peer], notices: list[str]) -> S:
    """Settings with which the run can go on where replies cannot be stored."""
    fault = store_fault() if settings.use_cache and peers else ""
    if not fault:
        return settings
    notices.append(f"replies cannot be stored ({fault}); going on without")
    return settings.model_copy(update={"use_cache": False})
