"""The same cases and the same subject before another user."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from trialkit.errors import InputError
from trialkit.settings import RARE, OfUser, Section, marked

from .interrupt import blocking
from .ready import read_settings
from .rerun import Rerun
from .session import Finished, OpenScreen, start


class UserBridge:
    def __init__(self, path: Path) -> None:
        """InputError where no model played the user."""
        self._again = Rerun.of(path)
        self._of_user = marked(self._again.suite.settings, OfUser).keys()
        self._user = next((model.name for model in self._again.models if model.role == OfUser.role), "")
        name = self._again.suite.name
        if not self._of_user or not self._user:
            why = "no model played its user" if self._of_user else f"{name} has no user that a model plays"
            raise InputError(f"{path}: {why}, so there is no other to put in its place")

    def run(self, changes: Mapping[str, object], open_screen: OpenScreen) -> Finished:
        """How the user is played, and its prompt, stay unless they are changed. What is rarely said of its model is as
        it is by default: it was meant for another.
        """
        again = self._again
        rare = {name for name, mark in marked(again.suite.settings, Section).items() if mark is RARE}
        kept = again.settings(*rare.intersection(self._of_user))
        settings = read_settings(again.suite, again.path, {**kept, "use_cache": False, **changes})
        before = read_settings(again.suite, again.path, again.settings())
        if all(getattr(settings, name) == getattr(before, name) for name in self._of_user):
            raise InputError(f"{again.path}: its user is {self._user}; name another with --user-model")
        others = [model for model in again.models if model.role != OfUser.role]
        return blocking(start(again.suite, settings, open_screen, again=replace(again, models=others)))
