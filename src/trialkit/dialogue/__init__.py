"""Dialogue: an agent and a user take turns over an environment of tools and state, until the rules end it."""

from typing import TYPE_CHECKING

from trialkit.doors import door

if TYPE_CHECKING:
    from .conversation import Conversation, Environment
    from .faults import USER_FAULTS, WEAK_USER_FAULTS, FaultKind, UserFault, agrees_to, find_user_faults
    from .model_party import ModelParty
    from .opening import Opening
    from .party import Agent, By, Move, ToolResult, User, read_arguments
    from .record import RESPOND, Action, Log, Output, Record, WrittenCall, WrittenMessage, WrittenNote
    from .rules import End, Rules
    from .users import ScriptedUser, SimulatedUser

__all__ = [
    "RESPOND",
    "USER_FAULTS",
    "WEAK_USER_FAULTS",
    "Action",
    "Agent",
    "By",
    "Conversation",
    "End",
    "Environment",
    "FaultKind",
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
    "UserFault",
    "WrittenCall",
    "WrittenMessage",
    "WrittenNote",
    "agrees_to",
    "find_user_faults",
    "read_arguments",
]

if not TYPE_CHECKING:
    __getattr__ = door(
        __name__,
        {
            "conversation": "Conversation Environment",
            "faults": "USER_FAULTS WEAK_USER_FAULTS FaultKind UserFault agrees_to find_user_faults",
            "model_party": "ModelParty",
            "opening": "Opening",
            "party": "Agent By Move ToolResult User read_arguments",
            "record": "RESPOND Action Log Output Record WrittenCall WrittenMessage WrittenNote",
            "rules": "End Rules",
            "users": "ScriptedUser SimulatedUser",
        },
    )
