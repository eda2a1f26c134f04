"""Natural-language assertions about a conversation, judged by a model."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

from trialkit.errors import JudgeError
from trialkit.models import Message, Reply, Request, Tool, whole_text
from trialkit.suites.replies import read_said
from trialkit.vocabulary import Finding

Ask = Callable[[Request], Awaitable[Reply]]

RECORD_FINDINGS = Tool(
    name="record_findings",
    description="Records for each statement about the conversation whether it holds.",
    parameters={
        "type": "object",
        "properties": {
            "findings": {
                "type": "array",
                "description": "Exactly one for each numbered statement.",
                "items": {
                    "type": "object",
                    "properties": {
                        "statement": {"type": "integer", "description": "The number of the statement."},
                        "evidence": {
                            "type": "string",
                            "description": "The passage that decides it, or what is lacking.",
                        },
                        "holds": {"type": "boolean"},
                    },
                    "required": ["statement", "evidence", "holds"],
                    "additionalProperties": False,
                },
            }
        },
        "required": ["findings"],
        "additionalProperties": False,
    },
)
_TOOLS = (RECORD_FINDINGS,)


class _Found(BaseModel):
    statement: int
    evidence: str
    holds: bool


class _Said(BaseModel):
    findings: list[_Found]


async def judge_assertions(
    ask: Ask, prompt: str, assertions: Sequence[str], messages: Sequence[Mapping[str, Any]]
) -> tuple[Finding, ...]:
    """A finding for each; a reply without them is asked for once more. Raises `JudgeError` or `ModelError`."""
    statements = "\n".join(f"{number}. {text}" for number, text in enumerate(assertions, start=1))
    # No `<` is left in what the models said, so that it cannot close its own tag.
    said = json.dumps(messages, ensure_ascii=False, indent=1).replace("<", "\\u003c")
    user = (
        f"<conversation>\n{said}\n</conversation>\n\n<statements>\n{statements}\n</statements>\n\n"
        f"Decide each of the {len(assertions)} statements and call {RECORD_FINDINGS.name}."
    )
    asked = (Message(role="system", text=prompt), Message(role="user", text=user))
    try:
        return await _findings(ask, asked, assertions)
    except JudgeError as error:
        again = Message(role="user", text=f"{error}. Decide again, and call {RECORD_FINDINGS.name} once.")
        return await _findings(ask, (*asked, again), assertions)


async def _findings(ask: Ask, messages: tuple[Message, ...], assertions: Sequence[str]) -> tuple[Finding, ...]:
    request = Request(messages=messages, tools=_TOOLS, tool_choice=RECORD_FINDINGS.name, temperature=0.0)
    said = read_said(await ask(request), RECORD_FINDINGS.name, ("findings",), _read)
    if said.value is None:
        raise JudgeError(f"the judge's reply cannot be read: {said.why or 'it holds no findings'}")
    by_number = {found.statement: found for found in said.value}
    if len(said.value) != len(assertions) or set(by_number) != set(range(1, len(assertions) + 1)):
        told = sorted(found.statement for found in said.value)
        raise JudgeError(
            f"the judge's findings are for the statements {told}, not for 1 to {len(assertions)}, each once"
        )
    return tuple(
        Finding(check=text, met=by_number[number].holds, evidence=whole_text(by_number[number].evidence))
        for number, text in enumerate(assertions, start=1)
    )


def _read(data: Mapping[str, Any]) -> list[_Found]:
    try:
        return _Said.model_validate(data).findings
    except ValidationError as error:
        fault = error.errors()[0]
        raise ValueError(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}") from None
