"""What a model says of numbered checks, in whatever form it writes that."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from trialkit.errors import JudgeError
from trialkit.text.json import JsonObject, object_schema, parse
from trialkit.text.short import shown
from trialkit.text.whole import clean

#: What a tool asks for; `read_findings` reads it.
FINDINGS: JsonObject = {
    "type": "array",
    "description": "Exactly one for each numbered check.",
    "items": object_schema(
        check={"type": "integer", "description": "The number of the check."},
        met={"type": "boolean"},
        evidence={
            "type": "string",
            "description": "What in the answer shows it, quoted or in figures; or what is lacking.",
        },
    ),
}


class SaidFinding(NamedTuple):
    check: int
    met: bool
    evidence: str


def read_findings(data: Mapping[str, object]) -> list[SaidFinding]:
    """ValueError says what is wrong with them."""
    findings = data["findings"]
    if isinstance(findings, str):
        # Some models write an array inside a call's arguments as a text.
        try:
            findings = parse(findings, unique=True, clean=clean)
        except ValueError as error:
            raise ValueError(f'"findings" {error}') from None
    if not isinstance(findings, list):
        raise ValueError(f'"findings" must be an array, not {shown(findings)}')  # noqa: TRY004 - data, not a programming error
    return [_finding(item) for item in findings]


def read_words(data: Mapping[str, object], name: str) -> str:
    """Words are welcome but decide nothing: a verdict without them is one."""
    value = data.get(name)
    if not isinstance(value, str | None):
        raise ValueError(f'"{name}" must be a text, not {shown(value)}')  # noqa: TRY004 - as above
    return clean((value or "").strip())


def check_each_once(findings: Sequence[SaidFinding], checks: int) -> None:
    """JudgeError where a check has no finding, or several."""
    numbers = sorted(found.check for found in findings)
    if numbers != list(range(1, checks + 1)):
        asked = f"1 to {checks}, each once"
        raise JudgeError(f"the judge's findings are for the checks {shown(numbers, 120)}; they must be for {asked}")


def _finding(item: object) -> SaidFinding:
    if not isinstance(item, dict):
        raise ValueError(f"a finding must be an object, not {shown(item)}")  # noqa: TRY004 - as above
    check, met = item.get("check"), item.get("met")
    # Some repeat the check's words after its number.
    number = re.fullmatch(r"\s*(\d{1,6})(?:[.:)]\s.*|(?:\.0*)?\s*)", str(check), re.ASCII | re.DOTALL)
    if not number:
        raise ValueError(f'"check" must be the number of a check, not {shown(check)}')
    truth = {"true": True, "false": False}.get(str(met).strip().lower())
    if truth is None or not isinstance(met, bool | str):
        raise ValueError(f'"met" must be true or false, not {shown(met)}')
    return SaidFinding(int(number[1]), truth, read_words(item, "evidence"))
