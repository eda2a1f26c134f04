"""What may be said of a judge that is a model."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from trialkit.judges.kinds.kind import TextSettings
from trialkit.text.short import shown
from trialkit.text.template import written

#: With more there is no telling them apart.
_WIDEST = 100


class ModelSettings(TextSettings):
    checks: tuple[str, ...] = Field((), description="what has to be so, each met or not: a text, or a list of texts")
    scale: dict[int, str] = Field(
        {}, description="a score instead: what its lowest and its highest number mean, {1: useless, 5: nothing to add}"
    )
    classes: dict[str, str] = Field(
        {}, description="what the answer may be, seen from the reference: a list, or of each what it means"
    )
    passes: tuple[str, ...] = Field((), description="of the classes, those that pass")
    against: str | None = Field(None, description="another answer, such as {{ old }}: which of the two is better")
    reference: str | None = Field(None, description="what is known to be right, such as {{ truth }}")
    question: str | None = Field(None, description="what a score or a preference is about, such as: how polite it is")
    instructions: str | None = Field(None, description="what the judge is told before anything else; ours, if left out")
    sees: Literal["answer", "transcript"] = Field(
        "answer", description="the answer and what it answers, or all that was said"
    )

    @field_validator("checks", "passes", mode="before")
    @classmethod
    def _of_one(cls, data: Any) -> Any:
        return data if isinstance(data, list | tuple) else [data]

    @field_validator("scale", mode="before")
    @classmethod
    def _of_two(cls, data: Any) -> Any:
        if isinstance(data, list | tuple) and len(data) == 2:
            low, high = map(str, data)
            return {low: "the worst", high: "the best"}
        return data

    @field_validator("scale")
    @classmethod
    def _has_ends(cls, scale: dict[int, str]) -> dict[int, str]:
        if scale and not 1 <= max(scale) - min(scale) <= _WIDEST:
            raise ValueError(f"must say what two numbers mean, at most {_WIDEST} apart: {{1: useless, 5: perfect}}")
        return dict(sorted(scale.items()))

    @field_validator("classes", mode="before")
    @classmethod
    def _of_a_list(cls, data: Any) -> Any:
        if isinstance(data, list | tuple):
            return dict.fromkeys(map(written, data), "")
        return {key: means or "" for key, means in data.items()} if isinstance(data, Mapping) else data

    @model_validator(mode="after")
    def _says_what(self) -> "ModelSettings":
        ways = [name for name in ("checks", "scale", "classes", "against") if getattr(self, name)]
        if len(ways) != 1:
            told = f"says {' and '.join(f'`{way}`' for way in ways)}" if ways else "does not say what is to be decided"
            raise ValueError(f"{told}; write one of `checks`, `scale`, `classes` or `against`")
        for way, name in (("scale", "question"), ("classes", "reference"), ("classes", "passes")):
            if getattr(self, way) and not getattr(self, name):
                raise ValueError(f"has `{way}`, but no `{name}`; add it: {type(self).model_fields[name].description}")
        self._check_fit()
        return self

    def _check_fit(self) -> None:
        if self.classes and (len(set(map(str.casefold, self.classes))) < 2 or not all(map(str.strip, self.classes))):
            raise ValueError(f"has the classes {shown(list(self.classes))}; write two or more that differ")
        strange = [name for name in self.passes if name not in self.classes]
        if strange:
            known = f"one of {', '.join(self.classes)}" if self.classes else "`classes`, too"
            raise ValueError(f"passes {shown(strange[0])}, which is no class; write {known}")
        if self.turned and (self.scale or self.against):
            raise ValueError("gives a score, which `not` cannot turn; leave out `not`")
        if self.against and self.sees == "transcript":
            raise ValueError("holds one answer against another, so it cannot see the transcript; leave out `sees`")
