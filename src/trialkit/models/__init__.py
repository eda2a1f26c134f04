"""Models: one request to one model, whoever serves it, with its usage, its cost and its faults."""

from trialkit.vocabulary import Usage

from .connection import Connection, Sent
from .limiter import Limiter, Traffic
from .names import ModelSpec, checked_url
from .open import open_model
from .prices import TokenPrice, price_of, provider_of
from .protocols import NothingUsableError
from .proxy import proxy_for
from .reply import MOST_CALLS
from .scripted import ScriptedModel
from .secret_values import keys_in_address
from .secrets import Secrets
from .servers import named_keys, named_servers, server_at, server_fault
from .service import open_service
from .types import Message, Reply, Request, StopReason, Tool, ToolCall

__all__ = [
    "MOST_CALLS",
    "Connection",
    "Limiter",
    "Message",
    "ModelSpec",
    "NothingUsableError",
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
    "checked_url",
    "keys_in_address",
    "named_keys",
    "named_servers",
    "open_model",
    "open_service",
    "price_of",
    "provider_of",
    "proxy_for",
    "server_at",
    "server_fault",
]
