"""Models: one request to one model, whoever serves it, with its usage, its cost and its faults."""

from typing import TYPE_CHECKING

from trialkit.doors import door
from trialkit.vocabulary import Usage

if TYPE_CHECKING:
    from .connection import Connection, Sent
    from .files import File
    from .limiter import Limiter, Traffic, Wait
    from .listing import KnownModel, ModelFacts, endings, find_models
    from .local import LOCAL
    from .names import ModelSpec, checked_url
    from .open import open_model
    from .options import Options
    from .prices import TokenPrice, known_models, listed_on, price_of, provider_of
    from .protocols import NothingUsableError
    from .proxy import proxy_for
    from .reply import LONGEST_BODY, MOST_CALLS
    from .scripted import SCRIPTED, ScriptedModel
    from .secret_values import is_secret_name, keys_in_address, shows_secret
    from .secrets import Secrets, refuse_kept_secret, showable
    from .servers import named_keys, named_servers, server_at, server_fault
    from .service import open_service
    from .types import Message, Reasoning, Reply, Request, StopReason, Tool, ToolCall
    from .wire import body_of

__all__ = [
    "LOCAL",
    "LONGEST_BODY",
    "MOST_CALLS",
    "SCRIPTED",
    "Connection",
    "File",
    "KnownModel",
    "Limiter",
    "Message",
    "ModelFacts",
    "ModelSpec",
    "NothingUsableError",
    "Options",
    "Reasoning",
    "Reply",
    "Request",
    "ScriptedModel",
    "Secrets",
    "Sent",
    "StopReason",
    "TokenPrice",
    "Tool",
    "ToolCall",
    "Traffic",
    "Usage",
    "Wait",
    "body_of",
    "checked_url",
    "endings",
    "find_models",
    "is_secret_name",
    "keys_in_address",
    "known_models",
    "listed_on",
    "named_keys",
    "named_servers",
    "open_model",
    "open_service",
    "price_of",
    "provider_of",
    "proxy_for",
    "refuse_kept_secret",
    "server_at",
    "server_fault",
    "showable",
    "shows_secret",
]

if not TYPE_CHECKING:
    __getattr__ = door(
        __name__,
        {
            "connection": "Connection Sent",
            "files": "File",
            "limiter": "Limiter Traffic Wait",
            "listing": "KnownModel ModelFacts endings find_models",
            "local": "LOCAL",
            "names": "ModelSpec checked_url",
            "open": "open_model",
            "options": "Options",
            "prices": "TokenPrice known_models listed_on price_of provider_of",
            "protocols": "NothingUsableError",
            "proxy": "proxy_for",
            "reply": "LONGEST_BODY MOST_CALLS",
            "scripted": "SCRIPTED ScriptedModel",
            "secret_values": "is_secret_name keys_in_address shows_secret",
            "secrets": "Secrets refuse_kept_secret showable",
            "servers": "named_keys named_servers server_at server_fault",
            "service": "open_service",
            "types": "Message Reasoning Reply Request StopReason Tool ToolCall",
            "wire": "body_of",
        },
    )
