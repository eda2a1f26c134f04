"""A model that plays FastWorkflow's parts from a plan, as a behaviour of the tests' server.

It keeps no state: where a conversation stands is read from the prompt. FastWorkflow asks through DSPy, whose prompts
name the fields that they want filled in.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tests.server import Action, Fault, Protocol, Say

_STEP = re.compile(r"\[\[ ## tool_name_(\d+) ## \]\]")
Step = tuple[str, dict[str, Any]]


def command(name: str, arguments: Mapping[str, Any]) -> str:
    """A tool call in the form that FastWorkflow wants commands in."""
    shown = {key: value if isinstance(value, str) else json.dumps(value) for key, value in arguments.items()}
    return " ".join([name, *(f"<{key}>{value}</{key}>" for key, value in shown.items())])


def execute(name: str, arguments: Mapping[str, Any]) -> Step:
    return "execute_workflow_query", {"command": command(name, arguments)}


def _words(content: str | Sequence[Mapping[str, Any]] | None) -> str:
    """In Anthropic's protocol a text may stand in blocks."""
    return content if isinstance(content, str) else "\n".join(block["text"] for block in content or ())


class Script:
    """`plans`: what the agent does about a user's message, by a text that only that message holds."""

    def __init__(self, plans: Mapping[str, Sequence[Step]], *, answer: str = "All of that is done.") -> None:
        self.plans = plans
        self.answer = answer
        self.clarified = ""
        self.asked: Counter[str] = Counter()
        self.overflows = 0  # so many of the agent's requests are refused for their length
        self.fault: Action | None = None  # instead of every answer

    def __call__(self, body: dict[str, Any], _protocol: Protocol) -> Action:
        text = "\n".join(_words(part) for part in (body.get("system"), *(one["content"] for one in body["messages"])))
        kind = self._kind(text)
        self.asked[kind] += 1
        if self.fault is not None:
            return self.fault
        if kind == "react" and self.overflows and _STEP.search(text):
            self.overflows -= 1
            return Fault(kind="context_overflow")
        return Say(text=self._say(kind, text), input_tokens=100, output_tokens=10)

    def _kind(self, text: str) -> str:
        fields = {
            "react": "next_tool_args",
            "summary": "conversation_summary",
            "clarify": "clarified_command",
            "extract": "[[ ## final_answer ## ]]",
            "plan": "next_steps",
        }
        return next((kind for kind, field in fields.items() if field in text), "parameters")

    def _say(self, kind: str, text: str) -> str:
        match kind:
            case "react":
                name, arguments = self._next(text)
                return _fields(next_thought="as planned", next_tool_name=name, next_tool_args=json.dumps(arguments))
            case "summary":
                return _fields(reasoning="r", conversation_summary="the user was helped")
            case "clarify":
                return _fields(
                    reasoning="r", clarified_command=self.clarified, needs_human="False", clarification_question=""
                )
            case "extract":
                return _fields(reasoning="r", final_answer=self.answer)
            case "plan":
                return _fields(reasoning="r", next_steps="1. do it\n2. answer")
        return json.dumps({"reasoning": "r", **_tags(text)})

    def _next(self, text: str) -> Step:
        latest = text.rpartition("[[ ## user_query ## ]]")[2]
        plan = next((plan for said, plan in self.plans.items() if said in latest), [])
        taken = [int(number) for number in _STEP.findall(text)]
        step = max(taken) + 1 if taken else 0
        return plan[step] if step < len(plan) else ("finish", {})


def _fields(**values: str) -> str:
    return "\n\n".join(f"[[ ## {name} ## ]]\n{value}" for name, value in values.items()) + "\n\n[[ ## completed ## ]]"


def _tags(text: str) -> dict[str, Any]:
    return dict(re.findall(r"<(\w+)>([^<]*)</\1>", text.splitlines()[-1] if "<" in text.splitlines()[-1] else text))
