"""Dialogue: an agent and a user take turns over an environment of tools and state, until the rules end it."""

from .conversation import Conversation, Environment
from .model_party import ModelParty
from .opening import Opening
from .party import Agent, By, Move, ToolResult, User, read_arguments
from .record import RESPOND, Action, Log, Output, Record, WrittenCall, WrittenMessage, WrittenNote
from .rules import End, Rules
from .users import ScriptedUser, SimulatedUser

__all__ = [
    "RESPOND",
    "Action",
    "Agent",
    "By",
    "Conversation",
    "End",
    "Environment",
    "Log",
    "ModelParty",
    "Move",
    "Opening",
    "Output",
    "Record",
    "Rules",
    "ScriptedUser",
    "SimulatedUser",
    "ToolResult",
    "User",
    "WrittenCall",
    "WrittenMessage",
    "WrittenNote",
    "read_arguments",
]
