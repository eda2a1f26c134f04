"""Runs whose users were played by different models: their difference may be the users'."""

import shlex
from collections.abc import Sequence
from itertools import combinations

from trialkit.errors import InputError
from trialkit.settings import OfUser

from .loaded import LoadedRun


def users_differ(before: LoadedRun, after: LoadedRun) -> bool:
    """Where one of them does not tell its user, there is no knowing."""
    return bool(before.user and after.user) and before.user != after.user


def is_bridge(before: LoadedRun, after: LoadedRun) -> bool:
    """Whether the same subject stood before another user, so that the difference is the user's."""
    return users_differ(before, after) and _on_trial(before) == _on_trial(after)


def refuse_other_users(runs: Sequence[LoadedRun]) -> None:
    for one, other in combinations(runs, 2):
        if users_differ(one, other) and not is_bridge(one, other):
            command = shlex.join(["trialkit", "bridge", str(one.path), "--user-model", other.user])
            raise InputError(
                f"{one.path} was made with the user {one.user}, {other.path} with {other.user}, so a difference may be"
                f" the users'; give the one the user of the other, and compare that run: {command};"
                " or compare them all the same: --force"
            )


def warning(before: LoadedRun, after: LoadedRun) -> str:
    """Empty: they have the same user."""
    if not users_differ(before, after):
        return ""
    told = f"DIFFERENT USERS: {before.user} in A, {after.user} in B."
    if is_bridge(before, after):
        return f"{told} The subject is the same, so the difference is theirs."
    return f"{told} The difference may be theirs. Give one the user of the other: trialkit bridge."


def _on_trial(run: LoadedRun) -> tuple[object, ...]:
    prompts = {role: version for role, version in run.prompts.items() if role.partition(" ")[0] != OfUser.role}
    return run.subject, run.settings.get("model"), prompts
