"""A running Ollama, which speaks as OpenAI does."""

import os
from urllib.parse import urlsplit

from trialkit.errors import InputError, ModelErrorKind

from .base import ModelAddress
from .openai import OpenAI

_VARIABLE = "OLLAMA_HOST"
_USUAL_PORT = 11434
_PORTS = {"http": 80, "https": 443}
_HERE = "127.0.0.1"


class Ollama(OpenAI):
    name = "ollama"
    base_variable = ""  # OLLAMA_HOST need not be a URL
    key_variable = ""

    @property
    def base(self) -> str:  # type: ignore[override]  # it may change from run to run
        return f"{_server(os.environ.get(_VARIABLE, ''))}/v1"

    def hint(self, kind: ModelErrorKind, said: str, to: ModelAddress) -> str:
        if kind == "unreachable":
            return f" ({_VARIABLE}, if it is not there; `ollama serve` starts it)"
        if kind == "not_found":
            return f" (`ollama pull {to.model}` brings a model, `ollama list` tells those that are there)"
        return super().hint(kind, said, to)


def _server(given: str) -> str:
    """`0.0.0.0`, `:11434`, `gpu-box` or a URL, as Ollama itself takes them."""
    scheme, _, rest = given.strip().rpartition("://")
    try:
        parts = urlsplit(f"{scheme or 'http'}://{rest}")
        host, port = parts.hostname or _HERE, parts.port or _PORTS.get(scheme, _USUAL_PORT)
    except ValueError as error:
        raise InputError(f"{_VARIABLE} is no address ({error}); write it like {_HERE}:{_USUAL_PORT}") from None
    if parts.scheme not in _PORTS or "@" in parts.netloc:
        raise InputError(f"{_VARIABLE} is no address; write it like {_HERE}:{_USUAL_PORT}")
    host = _HERE if host in {"0.0.0.0", "::"} else host  # noqa: S104 - there it listens
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}:{port}{parts.path.rstrip('/')}"


OLLAMA = Ollama()
