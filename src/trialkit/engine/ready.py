"""What is seen to before a session asks anybody."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from trialkit.errors import InputError
from trialkit.runfile import ModelInUse
from trialkit.settings import Hidden, RunSettings, marked
from trialkit.suites import Peer, Suite

from .store import store_fault

S = TypeVar("S", bound=RunSettings)


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
        hidden = where in marked(suite.settings, Hidden) or fault["type"] == "missing"  # then the input is all settings
        value = "" if hidden else f" = {fault['input']!r}"
        raise InputError(f"{whose}: setting {where}{value}: {fault['msg']}") from None


def without_store(settings: S, peers: Mapping[str, Peer], notices: list[str]) -> S:
    """Settings with which the run can go on where replies cannot be stored."""
    fault = store_fault() if settings.use_cache and peers else ""
    if not fault:
        return settings
    notices.append(f"replies cannot be stored ({fault}); going on without")
    return settings.model_copy(update={"use_cache": False})
