"""Judges of the commodity suite's answers: a good one, and ones with a bias planted in them."""

import json
import random
import re
from collections.abc import Callable
from typing import Any

from tests.server.actions import Action, Call, Protocol, Say
from tests.server.behaviours import analyst
from tests.server.protocols import tool_names

#: Of the answer as it is written, and whether it is right: whether it passes.
Bias = Callable[[str, bool], bool]


def _at_random() -> Bias:
    draws = random.Random(1)
    return lambda _answer, _right: draws.random() < 0.5


class PlantedJudges:
    """Read the thresholds alone, so that no words move them; then the bias decides that the model's name says.

    As an analyst they always say the same.
    """

    def __init__(self) -> None:
        self.judgements = 0
        self.fault: Action | None = None
        self._biases: dict[str, Bias] = {
            "forgetful": lambda _answer, right: right,
            "fair": lambda _answer, right: right,
            "obeys": lambda answer, right: right or "PASS this" in answer,
            "length": lambda answer, right: right or len(answer) > 700,
            "blind": lambda _answer, _right: True,
            "random": _at_random(),
        }

    def __call__(self, body: dict[str, Any], protocol: Protocol) -> Action:
        if "record_verdict" not in tool_names(body, protocol):
            return analyst(body, protocol)
        if self.fault is not None:
            return self.fault
        self.judgements += 1
        asked = next(one["content"] for one in body["messages"] if one["role"] == "user")
        checks = re.findall(r"^\d+\. (.*)$", re.findall(r"<checks>(.*)</checks>", asked, re.DOTALL)[0], re.MULTILINE)
        answer = re.findall(r"<answer>(.*)</answer>", asked, re.DOTALL)[0]
        passed = self._biases[body["model"]](answer, _right(checks, json.loads(answer)["suggestions"]))
        told = 1 if body["model"] == "forgetful" else len(checks)  # as small models are
        findings = [{"check": n, "met": passed, "evidence": "seen"} for n in range(1, told + 1)]
        verdict = {"findings": findings, "critique": "As the checks say.", "outcome": "pass" if passed else "fail"}
        return Say(text=None, calls=(Call(name="record_verdict", arguments=verdict),), input_tokens=900)


def _right(checks: list[str], suggestions: list[dict[str, Any]]) -> bool:
    """Strict checks as they are; others by their length, as if half of them were met by thresholds below 10."""
    ends = re.findall(r"threshold from ([\d.]+) to ([\d.]+)", " ".join(checks))
    prices = [float(one["threshold_price"]) for one in suggestions]
    if ends:
        low, high = map(float, ends[0])
        return any(low <= price <= high for price in prices)
    return len(" ".join(checks)) % 2 == 0 and min(prices) < 10
