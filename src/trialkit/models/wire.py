"""A request as it is sent: what a model's protocol makes of it."""

from .protocols import ModelAddress, get_protocol, protocol_names
from .protocols.openai import OPENAI
from .text_tools import in_text
from .types import Request


def body_of(request: Request, key: str) -> str:
    """As JSON. `key` is the model's, as a run records it; what no protocol of ours is sent with stands as OpenAI's."""
    name, _, rest = key.partition(" ")
    protocol = get_protocol(name) if name in protocol_names() else OPENAI
    base, _, model = rest.partition(" ")
    return protocol.body(protocol.fitted(in_text(request)), ModelAddress(base=base, model=model or name))
