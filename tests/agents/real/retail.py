"""Two tasks of tau2/retail, and a model that does what their ground truth asks for."""

import json
from pathlib import Path
from typing import Any

from tests.e2e.program import Program
from tests.server import Action, Call, Protocol, Say, Server
from trialkit.runfile import RecordedTrial, RunFile
from trialkit.suites.tau import load_domain

#: The second wants a number to be said.
TASKS = ("5", "33")


class Retail:
    """Answers as a server that speaks OpenAI's chat completions."""

    server: Server

    def __init__(self, home: Path, program: Program) -> None:
        self.home = home
        self.program = program
        self.tasks = [task for task in load_domain("tau2/retail", home).tasks("test") if task.id in TASKS]

    def __call__(self, body: dict[str, Any], _protocol: Protocol) -> Action:
        told = json.dumps(body["messages"])
        (task,) = (task for task in self.tasks if json.dumps(task.instruction)[1:-1] in told)
        done = sum(message["role"] == "tool" for message in body["messages"])
        if done < len(task.actions):
            action = task.actions[done]
            return Say(calls=(Call(name=action["name"], arguments=action["kwargs"], id=f"call_{done}"),))
        return Say(text=f"That is done. {' '.join(task.outputs)}")

    def tried(self, agent: str, *options: str) -> list[RecordedTrial]:
        """The trials of a run of the two tasks with that agent."""
        told = ["--user-strategy", "scripted", "--task-ids", ",".join(TASKS), "--data-dir", str(self.home)]
        done = self.program("run", "tau2/retail", "--agent", agent, *told, *options)
        assert done.status == 0, done.text
        with RunFile(self.program.last_run()) as run:
            return run.trials()
