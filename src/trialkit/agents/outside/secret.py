"""Keeps secrets out of an agent's name: the command or address stands in the run file, and in every report of it."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from urllib.parse import parse_qsl, urlsplit

from trialkit.errors import InputError
from trialkit.models import Secrets, keys_in_address, shows_secret

_NAME = re.compile(
    r"-*(?:(?:\w[\w.-]*[-_])?(?:api[-_]?key|(?:access|secret|private)[-_]?key|token|secret|password|credentials)|key)",
    re.IGNORECASE,
)
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*_(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)")
_SHORTEST = 6
#: A variable, a file or another option is no secret.
_HARMLESS = ("$", "/", "./", "~", "-")


#: What to do instead of naming it for an agent.
_FOR_AGENTS = "--agent-env NAME gives it to a program; for an address, put it into TRIALKIT_AGENT_TOKEN"


def refuse_secrets(name: str, parts: Sequence[str], option: str = "--agent", fix: str = _FOR_AGENTS) -> None:
    """`parts`: the words of a command, or what a URL holds as `name=value`."""
    if Secrets.of_environment().hide(name) != name:
        raise refusal(option, "the value of an environment variable that is named like a secret", fix)
    if any(map(shows_secret, parts)):
        raise refusal(option, "a word that looks like a key, or an address with a password", fix)
    for label, value in _labelled(parts):
        is_secret = _NAME.fullmatch(label) or _VARIABLE.fullmatch(label)
        if is_secret and len(value) >= _SHORTEST and not value.startswith(_HARMLESS):
            raise refusal(option, label, fix)


def refuse_secrets_in_address(url: str) -> None:
    query = [f"{name}={value}" for name, value in parse_qsl(urlsplit(url).query)]
    refuse_secrets(url, [*query, *(f"key={part}" for part in keys_in_address(url))])


def _labelled(parts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """`--key=value` and `KEY=value` in one word, `--key value` in two."""
    for part in parts:
        label, equals, value = part.partition("=")
        if equals:
            yield label, value
    for label, value in pairwise(parts):
        if label.startswith("-") and "=" not in label:
            yield label, value


def refusal(option: str, what: str, fix: str = _FOR_AGENTS) -> InputError:
    told = f"{option} must not hold a secret ({what}): it would stand in the run file"
    return InputError(f"{told}. Export it, and name the variable: {fix}")
