"""The judge of an answer that is JSON, or of the state that an environment was left in."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import Field, ValidationInfo, field_validator

from trialkit.judges.model_judge import Asker
from trialkit.text.json import JsonError, deeper_than, parse, read_json
from trialkit.text.short import shown
from trialkit.text.template import columns_in, fill_value
from trialkit.vocabulary import Verdict

from .apart import apart
from .attempt import Attempt
from .kind import JudgeKind, KindSettings, beside, decided
from .paths import at_path, path_of, read_path
from .same import same
from .schemas import check_schema

#: A schema that refers to itself is followed 100 deep, but not 300; an answer must not be able to end in that error.
_DEEPEST = 80


class JsonSettings(KindSettings):
    schema_: dict[str, Any] | None = Field(
        None, alias="schema", description="a JSON schema that it has to fit, or a file with one"
    )
    path: str | None = Field(None, description="a place in it that has to be there, such as $.items[0].sku")
    value: Any = Field(None, description="what has to stand at that place; without a path, what all of it has to be")
    sees: Literal["answer", "state"] = Field("answer", description="the answer, or the environment's state at the end")

    @field_validator("schema_", mode="before")
    @classmethod
    def _of_a_file(cls, schema: Any, info: ValidationInfo) -> Any:
        return read_json(beside(schema, info)) if isinstance(schema, str) else schema

    @field_validator("schema_")
    @classmethod
    def _is_a_schema(cls, schema: dict[str, Any] | None) -> dict[str, Any] | None:
        if schema is not None:
            check_schema(schema)
        return schema

    @field_validator("path")
    @classmethod
    def _can_be_read(cls, path: str | None) -> str | None:
        read_path(path or "$")
        return path

    @property
    def compares(self) -> bool:
        return self.value is not None


class JsonKind(JudgeKind[JsonSettings]):
    name = "json"
    summary = "The answer is JSON that fits a schema, or holds a value at a place."
    settings = JsonSettings
    main = "path"

    def columns(self, settings: JsonSettings) -> set[str]:
        return columns_in(settings.value)

    def explain(self, settings: JsonSettings, case: Mapping[str, Any]) -> str:
        told = [] if settings.sees == "state" else ["the answer is JSON"]
        told += ["it fits the schema"] if settings.schema_ is not None else []
        place = path_of(read_path(settings.path or "$"))
        if settings.compares:
            told.append(f"{place} is {shown(fill_value(settings.value, case))}")
        elif settings.path:
            told.append(f"there is something at {place}")
        of_state = " in the environment's state at the end" if settings.sees == "state" else ""
        return f"passes if {' and '.join(told)}{of_state}"

    async def judge(self, settings: JsonSettings, trial: Asker, attempt: Attempt) -> Verdict:  # noqa: ARG002
        try:
            value = attempt.state if settings.sees == "state" else json_of(attempt)
        except JsonError as error:
            return decided(passed=False, critique=f"the answer {error}")
        if settings.schema_ is not None:
            if deeper_than(value, _DEEPEST):
                return decided(
                    passed=False, critique=f"it is nested more than {_DEEPEST} deep, which no schema asks for"
                )
            faults = await apart({"do": "faults", "schema": settings.schema_, "value": value})
            if faults:
                return decided(passed=False, critique=f"it does not fit the schema: {'; '.join(faults)}")
        steps = read_path(settings.path or "$")
        try:
            found = at_path(value, steps)
        except LookupError as error:
            return decided(passed=False, critique=str(error))
        if not settings.compares:
            return decided(passed=True, critique=f"{path_of(steps)} is {shown(found)}")
        expected = fill_value(settings.value, attempt.case)
        passed, told = same(found, expected), f"{path_of(steps)} is {shown(found)}"
        return decided(passed, told if passed else f"{told}, not {shown(expected)}")


def json_of(attempt: Attempt) -> Any:
    """Of an answer: all of it, or what stands in its one block of code. Raises `JsonError`."""
    if attempt.value is not None:
        return attempt.value
    blocks = list(_blocks(attempt.text))
    return parse(blocks[0] if len(blocks) == 1 else attempt.text.strip().lstrip("\ufeff"), finite=True)


def _blocks(text: str) -> Iterator[str]:
    """What stands between lines of ```, as in Markdown."""
    block: list[str] | None = None
    for line in text.split("\n"):
        if block is None:
            block = [] if line.lstrip().startswith("```") else None
        elif line.strip() == "```":
            yield "\n".join(block)
            block = None
        else:
            block.append(line)
