"""What an agent's process finds in its environment: what all programs need, what --agent-env names, and no key else."""

import os
import re
from collections.abc import Iterable, Sequence

from trialkit.errors import InputError
from trialkit.models import Secrets

from .secret import refusal

_EITHER_CASE = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")
#: To find programs, files and the time, to speak the user's language, and to get out of the house.
_USUAL = frozenset(
    {
        *("PATH", "HOME", "TMPDIR", "TMP", "TEMP", "TZ", "LANG", "LANGUAGE"),
        *("VIRTUAL_ENV", "CONDA_PREFIX", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT"),
        *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"),
        *_EITHER_CASE,
        *map(str.lower, _EITHER_CASE),
    }
)
_USUAL_BEGIN = ("LC_", "PYTHON")
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
#: A variable in a message, such as one of a missing key.
_MENTIONED = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")


class AgentEnvironment:
    """`named`: NAME or NAME=VALUE, as the user gives them; `also`: what is given where there is such a variable."""

    def __init__(self, named: Sequence[str] = (), also: Iterable[str] = ()) -> None:
        kept = _USUAL.union(also)
        self.variables = {
            name: value for name, value in os.environ.items() if name in kept or name.startswith(_USUAL_BEGIN)
        }
        self.variables |= dict(map(_variable, named))

    def hint(self, message: str) -> str:
        """What to do where a message speaks of variables that are set, but not for the agent; else nothing."""
        lacking = sorted({*_MENTIONED.findall(message)} & os.environ.keys() - self.variables.keys())
        options = " ".join(f"--agent-env {name}" for name in lacking)
        return f"; {', '.join(lacking)}: set here, but not given to the agent: add {options}" if lacking else ""


def _variable(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not _NAME.fullmatch(name):
        raise InputError(f"--agent-env {name!r}: that is no name of a variable; write NAME, or NAME=VALUE")
    if not equals:
        if name not in os.environ:
            raise InputError(f"--agent-env {name}: it is not set; export {name}, or write --agent-env {name}=VALUE")
        return name, os.environ[name]
    if Secrets.of_variables({**os.environ, name: value}).hide(value) != value:
        raise refusal("--agent-env", name)
    return name, value
