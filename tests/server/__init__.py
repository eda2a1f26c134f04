"""A real HTTP server that speaks five wire protocols and misbehaves on demand.

In a test: `with Server(Say(text="hello")) as server:` then `server.url`, `server.requests`.
As a program: `python -m tests.server --port 0 --latency 0.2`, which prints its URL as its first line.
"""

from tests.server.actions import Action, Call, Cut, Drop, Endless, Fault, Hang, Protocol, Raw, Respond, Say
from tests.server.behaviours import AtOnce, Thinker, TokenBucket, analyst, in_turn
from tests.server.judges import PlantedJudges
from tests.server.protocols import tool_names
from tests.server.reasoner import Reasoner
from tests.server.server import Seen, Server

__all__ = [
    "Action",
    "AtOnce",
    "Call",
    "Cut",
    "Drop",
    "Endless",
    "Fault",
    "Hang",
    "PlantedJudges",
    "Protocol",
    "Raw",
    "Reasoner",
    "Respond",
    "Say",
    "Seen",
    "Server",
    "Thinker",
    "TokenBucket",
    "analyst",
    "in_turn",
    "tool_names",
]
