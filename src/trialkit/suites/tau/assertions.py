"""Natural-language assertions about a conversation, judged by a model."""

from collections.abc import Mapping, Sequence
from functools import partial

from pydantic import BaseModel, ValidationError

from trialkit.errors import JudgeError
from trialkit.judges import Asker, ModelJudge, quoted
from trialkit.models import Tool
from trialkit.text.json import object_schema
from trialkit.text.whole import whole_text
from trialkit.vocabulary import Finding

RECORD_FINDINGS = Tool(
    name="record_findings",
    description="Records for each statement about the conversation whether it holds.",
    parameters=object_schema(
        findings={
            "type": "array",
            "description": "Exactly one for each numbered statement.",
            "items": object_schema(
                statement={"type": "integer", "description": "The number of the statement."},
                evidence={"type": "string", "description": "The passage that decides it, or what is lacking."},
                holds={"type": "boolean"},
            ),
        }
    ),
)


class _WrittenFinding(BaseModel):
    statement: int
    evidence: str
    holds: bool


class _WrittenFindings(BaseModel):
    findings: list[_WrittenFinding]


async def judge_assertions(
    trial: Asker, prompt: str, assertions: Sequence[str], messages: Sequence[Mapping[str, object]], asks: str
) -> tuple[Finding, ...]:
    """A finding for each. Raises `JudgeError` or `ModelError`."""
    together = [assertions] if asks == "all" else [[one] for one in assertions]
    return tuple([finding for some in together for finding in await _judge(trial, prompt, some, messages)])


async def _judge(
    trial: Asker, prompt: str, assertions: Sequence[str], messages: Sequence[Mapping[str, object]]
) -> list[Finding]:
    statements = "\n".join(f"{number}. {text}" for number, text in enumerate(assertions, start=1))
    user = (
        f"<conversation>\n{quoted(messages)}\n</conversation>\n\n<statements>\n{statements}\n</statements>\n\n"
        f"Decide each of the {len(assertions)} statements and call {RECORD_FINDINGS.name}."
    )
    found = await JUDGE.ask(trial, prompt, user, partial(_check_covers, count=len(assertions)))
    by_number = {one.statement: one for one in found}
    return [
        Finding(check=text, met=by_number[number].holds, evidence=whole_text(by_number[number].evidence))
        for number, text in enumerate(assertions, start=1)
    ]


def _check_covers(found: Sequence[_WrittenFinding], count: int) -> None:
    numbers = sorted(one.statement for one in found)
    if numbers != list(range(1, count + 1)):
        raise JudgeError(f"the judge's findings are for the statements {numbers}, not for 1 to {count}, each once")


def _read(data: Mapping[str, object]) -> list[_WrittenFinding]:
    try:
        return _WrittenFindings.model_validate(data).findings
    except ValidationError as error:
        fault = error.errors()[0]
        raise ValueError(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}") from None


JUDGE = ModelJudge(
    tool=RECORD_FINDINGS, keys=("findings",), read=_read, what="findings", again="Decide again", temperature=0.0
)
