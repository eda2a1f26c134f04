"""Models: one request to one model, whoever serves it, with its usage, its cost and its faults."""

from trialkit.models._connection import Connection, Sent
from trialkit.models._json import NothingUsableError
from trialkit.models._limiter import Limiter, Traffic
from trialkit.models._names import ModelSpec
from trialkit.models._open import open_model
from trialkit.models._proxy import proxy_for
from trialkit.models._secrets import Secrets
from trialkit.models._service import open_service
from trialkit.models._text import whole_text
from trialkit.models._types import Message, Reply, Request, Role, Stop, Tool, ToolCall, Usage
from trialkit.models.prices import Price, price_of, provider_of

__all__ = [
    "Connection",
    "Limiter",
    "Message",
    "ModelSpec",
    "NothingUsableError",
    "Price",
    "Reply",
    "Request",
    "Role",
    "Secrets",
    "Sent",
    "Stop",
    "Tool",
    "ToolCall",
    "Traffic",
    "Usage",
    "open_model",
    "open_service",
    "price_of",
    "provider_of",
    "proxy_for",
    "whole_text",
]
