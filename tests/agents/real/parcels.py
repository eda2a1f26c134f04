"""A suite of a YAML file with a tool, and a model that uses it."""

import re
from typing import Any

from tests.e2e.program import Program
from tests.server import Action, Call, Protocol, Say, Server
from trialkit.runfile import RecordedTrial, RunFile

SUITE = """\
cases:
  - {id: one, parcel: P1, place: Bremen}
  - {id: two, parcel: P2, place: Kiel}
system: Look parcels up.
prompt: "Where is {{ parcel }}?"
tools: parcels.py
judges:
  place: {contains: "{{ place }}"}
  looked: {tool_call: [{name: where, arguments: {parcel: "{{ parcel }}"}}]}
"""
TOOLS = '''
def where(parcel: str) -> str:
    """Where a parcel is."""
    return {"P1": "Bremen", "P2": "Kiel"}[parcel]
'''


class Parcels:
    server: Server

    def __init__(self, program: Program) -> None:
        self.program = program
        (program.folder / "parcels.yaml").write_text(SUITE)
        (program.folder / "parcels.py").write_text(TOOLS)

    def __call__(self, body: dict[str, Any], _protocol: Protocol) -> Action:
        last = body["messages"][-1]
        if last["role"] == "tool":
            return Say(text=f"It is in {last['content']}.")
        parcel = re.findall(r"P\d", str(last["content"]))[0]
        return Say(calls=(Call(name="where", arguments={"parcel": parcel}, id="call_1"),))

    def tried(self, agent: str, *options: str) -> list[RecordedTrial]:
        done = self.program("run", "parcels.yaml", "--agent", agent, *options)
        assert done.status == 0, done.text
        with RunFile(self.program.last_run()) as run:
            return run.trials()
