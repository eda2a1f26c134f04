"""A ready-made judge tried on an answer."""

import asyncio
from typing import Any

from trialkit.judges.kinds import KINDS, Attempt, NamedJudge
from trialkit.models import Reply, Request
from trialkit.vocabulary import Verdict

#: What is there before, between and behind what an answer is about.
AROUND = ("", "Sure! ", "Let me see.\n\n", "**", "> ", "Answer: ")


class Nobody:
    """A trial in which no model may be asked."""

    seed = None

    async def ask(self, role: str, request: Request) -> Reply:
        raise AssertionError("this judge asks nobody")

    def note(self, kind: str, **data: object) -> None:
        pass


def judge_of(kind: str, **settings: Any) -> NamedJudge:
    return NamedJudge(name="it", kind=KINDS[kind], settings=KINDS[kind].settings.model_validate(settings))


def verdict(judge: NamedJudge, text: str = "", case: dict[str, Any] | None = None, **more: Any) -> Verdict:
    return asyncio.run(judge.verdict(Nobody(), Attempt(case=case or {}, text=text, **more)))


async def outcomes(judge: NamedJudge, attempts: list[Attempt]) -> list[str]:
    """Of many answers in one event loop, which is what takes longest of a single one."""
    return [(await judge.verdict(Nobody(), attempt)).outcome for attempt in attempts]


def expected(truths: list[bool]) -> list[str]:
    return ["pass" if truth else "fail" for truth in truths]
