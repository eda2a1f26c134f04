"""The ground truth as agent and user play it: each makes its own calls, in the order of the whole."""

import json
from collections.abc import Sequence

from trialkit.dialogue import RESPOND, Action, Move, Rules
from trialkit.models import ToolCall

from .common.tasks import Task

_YOUR_TURN = "Please do your part."
_DONE = "That is done."

Lines = list[str | Move]


def play(task: Task, rules: Rules, said: Sequence[str]) -> tuple[Lines, Lines]:
    """What the agent does, of which the last is repeated, and what the user does, who begins with what it has to say.

    Whoever's call is not the next hands over with a word.
    """
    first, *rest = said
    agent: Lines = []
    user: Lines = [first]
    turn = agent
    for number, action in enumerate(_calls(task, rules)):
        whose = user if action.get("by") == "user" else agent
        if whose is not turn:
            turn.append(_YOUR_TURN if turn is agent else _DONE)
        turn = whose
        turn.append(_move(action, number))
    if turn is user:
        user.append(_DONE)
    says = [action["kwargs"]["content"] for action in task.actions if action["name"] == RESPOND]
    agent.append(" ".join([_DONE, *says, *task.outputs]))
    return agent, [*user, *rest]


def _calls(task: Task, rules: Rules) -> list[Action]:
    """A tool that ends the conversation comes last, where the ground truth asks for nothing to be said after it."""
    calls = [action for action in task.actions if action["name"] != RESPOND]
    going_on = [call for call in calls if call["name"] not in rules.ending_tools]
    ending = [] if task.outputs else [call for call in calls if call["name"] in rules.ending_tools]
    return going_on + ending


def _move(action: Action, number: int) -> Move:
    return Move(calls=(ToolCall(id=f"truth_{number}", name=action["name"], arguments=json.dumps(action["kwargs"])),))
