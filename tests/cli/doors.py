"""Conversations with a planted mistake: doors are to be opened in order, and a wrong one spoils all that follows."""

import json
import random
from pathlib import Path

from trialkit.models import Reply, Request, ToolCall

SUITE = """\
system: {system}
environment: doors.py:Doors
greeting: Hello.
user: {{goal: "You want all doors opened."}}
judges:
  open: {{state: {{after: "{{{{ calls }}}}"}}}}
max_steps: 60
cases:
{cases}
"""
DOORS = """\
class Doors:
    opened = []
    spoilt = []

    def open_door(self, number: int) -> str:
        \"\"\"Opens a door.\"\"\"
        made = len(self.opened) + len(self.spoilt)
        (self.opened if number == made + 1 else self.spoilt).append(number)
        return f"door {number}"
"""
WRONG = 99


def write_suite(folder: Path, doors: dict[str, int], system: str = "Open the doors in order.") -> Path:
    """A case for each name, with so many doors."""
    (folder / "doors.py").write_text(DOORS)
    calls = {name: json.dumps([{"open_door": {"number": n + 1}} for n in range(many)]) for name, many in doors.items()}
    cases = [f"  - {{id: {name}, many: {many}, calls: {calls[name]}}}" for name, many in doors.items()]
    path = folder / "doors.yaml"
    path.write_text(SUITE.format(system=system, cases="\n".join(cases)))
    return path


class Opener:
    """The agent: it makes the `planted` mistake while there is one, and later one in so many moves."""

    def __init__(self, many: int, planted: int | None = None, errs: float = 0.0, seed: int = 0) -> None:
        self.many = many
        self.planted = planted
        self._errs = errs
        self._draws = random.Random(seed)

    def __call__(self, request: Request) -> Reply:
        made = sum(message.role == "tool" for message in request.messages)
        if made == self.many:
            return Reply(text="All are open.")
        wrong = made + 1 == self.planted if self.planted else self._draws.random() < self._errs
        arguments = json.dumps({"number": WRONG if wrong else made + 1})
        return Reply(tool_calls=(ToolCall(id=f"call_{made}", name="open_door", arguments=arguments),))


def customer(request: Request) -> str:
    heard = sum(message.role == "user" for message in request.messages)
    return "Open the doors, please." if heard == 1 else "Thank you. ###STOP###"
