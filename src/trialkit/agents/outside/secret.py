"""Keeps secrets out of an agent's name: the command or address stands in the run file, and in every report of it."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from trialkit.errors import InputError
from trialkit.models import Secrets

_NAME = re.compile(
    r"-*(?:(?:\w[\w.-]*[-_])?(?:api[-_]?key|(?:access|secret|private)[-_]?key|token|secret|password|credentials)|key)",
    re.IGNORECASE,
)
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*_(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)")
_SHORTEST = 6
#: A variable, a file or another option is no secret.
_HARMLESS = ("$", "/", "./", "~", "-")


def refuse_secrets(name: str, parts: Sequence[str]) -> None:
    """`parts`: the words of a command, or a URL's query as `name=value`."""
    if Secrets.of_environment().hide(name) != name:
        raise refusal("--agent", "the value of an environment variable that is named like a secret")
    for label, value in _labelled(parts):
        is_secret = _NAME.fullmatch(label) or _VARIABLE.fullmatch(label)
        if is_secret and len(value) >= _SHORTEST and not value.startswith(_HARMLESS):
            raise refusal("--agent", label)


def _labelled(parts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """`--key=value` and `KEY=value` in one word, `--key value` in two."""
    for part in parts:
        label, equals, value = part.partition("=")
        if equals:
            yield label, value
    for label, value in pairwise(parts):
        if label.startswith("-") and "=" not in label:
            yield label, value


def refusal(option: str, what: str) -> InputError:
    return InputError(
        f"{option} must not hold a secret ({what}): it would stand in the run file. Export it, and name the variable: "
        "--agent-env NAME gives it to a program; for an address, put it into TRIALKIT_AGENT_TOKEN"
    )
