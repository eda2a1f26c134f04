"""A server behaviour that plays both roles of the commodity suite: analyst and judge."""

import json
import re
from typing import Any

from tests.server import Action, Call, Protocol, Say, tool_names

ANALYST_TOKENS = (400, 60)
JUDGE_TOKENS = (900, 120)


class Court:
    """The analyst always sets one alert below the market; the judge says of each check what `met` says."""

    def __init__(self) -> None:
        self.met = True
        self.outcome: str | None = None  # None: the one that agrees with the findings
        self.analyst: Action | None = None
        self.judge: Action | None = None
        self.analyses = 0
        self.judgements = 0

    def __call__(self, body: dict[str, Any], protocol: Protocol) -> Action:
        names = tool_names(body, protocol)
        if "create_alert" in names:
            self.analyses += 1
            return self.analyst or self._analysis()
        if "record_verdict" not in names:  # some other suite's agent or customer: it has nothing to add
            return Say(text="###STOP###")
        self.judgements += 1
        return self.judge or self._verdict(json.dumps(body))

    def _analysis(self) -> Action:
        alert = {"commodity_code": "CORN", "condition": "below", "threshold_price": 4.2, "notes": "stop-loss"}
        given, taken = ANALYST_TOKENS
        return Say(
            text="The long position is large. It is at risk if the price falls.",
            calls=(Call(name="create_alert", arguments=alert),),
            input_tokens=given,
            output_tokens=taken,
        )

    def _verdict(self, text: str) -> Action:
        checks = int(re.findall(r"Judge each of the (\d+) checks", text)[0])
        findings = [{"check": n, "met": self.met, "evidence": "seen"} for n in range(1, checks + 1)]
        outcome = self.outcome or ("pass" if self.met else "fail")
        verdict = {"findings": findings, "critique": "As the checks say.", "outcome": outcome}
        given, taken = JUDGE_TOKENS
        return Say(
            text=None, calls=(Call(name="record_verdict", arguments=verdict),), input_tokens=given, output_tokens=taken
        )
