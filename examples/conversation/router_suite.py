"""A whole conversational suite: a router is dark, an agent can reset the line, and the customer has tools too."""

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any

from pydantic import Field

from trialkit import (
    By,
    Case,
    Conversation,
    OfUser,
    Opening,
    Prompt,
    Record,
    Role,
    Rules,
    RunSettings,
    SimulatedUser,
    Suite,
    Tool,
    Trial,
    Verdict,
    get_agent,
    other_spec,
    subject_spec,
)

POLICY = "You help customers of an internet provider. Reset a line only when the customer's router is plugged in."
CUSTOMER = "You are a customer whose router is dark. Do at home what you are asked. Say ###STOP### when it works."


def tool(name: str, description: str) -> Tool:
    return Tool(name=name, description=description, parameters={"type": "object", "properties": {}})


TOOLS: Mapping[By, tuple[Tool, ...]] = {
    "agent": (tool("line_status", "Whether the line is up."), tool("reset_line", "Resets the line.")),
    "user": (tool("look", "What the router's lights show."), tool("plug_in", "Plugs the router in.")),
}


class Home:
    """The environment: a router, and the line to it."""

    def __init__(self, state: Mapping[str, bool]) -> None:
        self.state = dict(state)

    def call(self, name: str, arguments: Mapping[str, Any], by: By = "agent") -> str:  # noqa: ARG002 - none has any
        match by, name:
            case "agent", "line_status":
                return "up" if self.state["line"] else "down"
            case "agent", "reset_line":
                self.state["line"] = self.state["plugged"]
                return "done"
            case "user", "look":
                return "all green" if all(self.state.values()) else "red" if self.state["plugged"] else "dark"
            case "user", "plug_in":
                self.state["plugged"] = True
                return "a light goes on"
        return f"Error: there is no tool {name}"


class Settings(RunSettings):
    user_model: Annotated[str, OfUser()] = Field("openai/gpt-5.2", description="Model that plays the customer.")


class Router(Suite[Settings]):
    name = "router"
    summary = "An agent and a customer bring a router back, each with tools of their own."
    settings = Settings

    def cases(self, settings: Settings) -> list[Case]:  # noqa: ARG002 - always the same
        starts = {"unplugged": {"plugged": False, "line": False}, "line down": {"plugged": True, "line": False}}
        return [
            Case(id=name, title=f"The router: {name}", group="router", data=start) for name, start in starts.items()
        ]

    def roles(self, settings: Settings, prompts: Mapping[str, Prompt]) -> Mapping[str, Role]:  # noqa: ARG002 - none
        user = other_spec(settings, settings.user_model, provider=None, api_base=None)
        return {"agent": Role(spec=subject_spec(settings)), "user": Role(spec=user)}

    async def attempt(self, trial: Trial[Settings]) -> Mapping[str, Any]:
        home, record = Home(trial.case.data), Record(log=trial.note)

        def opening(role: By, policy: str) -> Opening:
            ask = partial(trial.ask, role)
            return Opening(policy=policy, tools=TOOLS[role], ask=ask, note=record.note, seed=trial.seed)

        agent = await get_agent("tool-calling").open(opening("agent", POLICY))
        user = SimulatedUser(opening("user", CUSTOMER))
        conversation = Conversation(agent=agent, user=user, environment=home, record=record, rules=Rules(max_steps=20))
        return {**await conversation.run(), "state": home.state}

    async def judge(self, trial: Trial[Settings], output: Mapping[str, Any]) -> Verdict:  # noqa: ARG002 - all cases end alike
        passed = output["end"] == "user_stop" and all(output["state"].values())
        return Verdict(outcome="pass" if passed else "fail", critique=f"{output['end']}: {output['state']}")
