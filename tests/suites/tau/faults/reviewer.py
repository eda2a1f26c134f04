"""A server behaviour that plays the fault judge."""

from typing import Any

from tests.server import Action, Call, Protocol, Say

AGENT = {
    "reason": "It cancelled the wrong order.",
    "fault": "agent",
    "type": "used_wrong_tool_argument",
    "type_reason": "The order was another one.",
}
USER = {"reason": "It left too early.", "fault": "user", "type": None, "type_reason": None}
TOKENS = (1000, 50)


def records(data: Any) -> Say:
    given, taken = TOKENS
    return Say(text=None, calls=(Call(name="record_fault", arguments=data),), input_tokens=given, output_tokens=taken)


class Reviewer:
    """Says `answers` in turn, the last of them for good."""

    def __init__(self) -> None:
        self.answers: list[Action] = [records(AGENT)]
        self.asked: list[dict[str, Any]] = []

    def __call__(self, body: dict[str, Any], protocol: Protocol) -> Action:
        self.asked.append(body)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
