"""The wire formats that models are asked in: a module each, found by the provider's name. Other packages add theirs."""

from trialkit.errors import InputError
from trialkit.plugins import load_plugin, plugin_names

from .base import ModelAddress, NothingUsableError, Protocol, counted, text_of, tokens, tool_call

__all__ = [
    "ModelAddress",
    "NothingUsableError",
    "Protocol",
    "counted",
    "get_protocol",
    "protocol_names",
    "text_of",
    "tokens",
    "tool_call",
]

_GROUP = "trialkit.models"


def protocol_names() -> list[str]:
    return plugin_names(_GROUP)


def get_protocol(name: str) -> Protocol:
    """Raises `InputError` for a package that does not load."""
    loaded = load_plugin(_GROUP, name, "model", ("name",))
    if not isinstance(loaded, Protocol) or loaded.name != name:
        raise InputError(f"model {name}: {loaded!r} is no Protocol with that name; see docs/models.md")
    return loaded
