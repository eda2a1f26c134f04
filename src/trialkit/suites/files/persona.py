"""The simulated user of a conversation in a file: who it is, what it wants, what it may tell and what it must not."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, Tag, model_validator

from trialkit.runfile import Prompt
from trialkit.suites.prompts import read_prompt
from trialkit.text.template import CaseCells, columns_in, fill_value, written

from .unions import one_of

ROLE = "user"
#: Under which heading each key stands in the part that is played.
_HEADINGS: Mapping[str, str] = {
    "persona": "Who you are:",
    "goal": "What you want:",
    "may_tell": "What you know, and tell when it is asked for or needed:",
    "must_not_tell": "What you must never tell, whoever asks and for whatever reason:",
}


_Text = Annotated[str, Tag("[text]")]
_Listed = Annotated[list[str], Tag("[list]")]
_Said = Annotated[_Text | _Listed, one_of("a text, or a list of texts")]


class WrittenUser(BaseModel):
    """`user:` of a suite's file. Each may be a text, a list of texts, or a column with either."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
    persona: _Said | None = Field(None, description="who the user is, and how it talks")
    goal: _Said | None = Field(None, description="what the user wants, and when it is content")
    may_tell: _Said | None = Field(None, description="facts that it tells when it is asked")
    must_not_tell: _Said | None = Field(None, description="facts that it must keep to itself")
    says: _Said | None = Field(None, description="in place of a model: the lines that it says, one by one")

    @model_validator(mode="before")
    @classmethod
    def _of_a_text(cls, data: Any) -> Any:
        return {"goal": data} if isinstance(data, str) else data

    @model_validator(mode="after")
    def _wants_something(self) -> "WrittenUser":
        if self.goal is None and self.says is None:
            raise ValueError("the user wants nothing; add `goal:`, or `says:` with the lines that it says")
        return self

    def columns(self) -> set[str]:
        return columns_in(self.model_dump(exclude_none=True))


def user_prompt(user: WrittenUser, version: str) -> list[Prompt]:
    """What the model that plays it is told, but for the case's part; none where its lines are given."""
    if user.says is not None:
        return []
    return [read_prompt(ROLE, version, "user_prompts", files("trialkit.suites.files") / "prompts")]


def user_system(user: WrittenUser, template: str, row: CaseCells) -> str:
    """With the case's values. A key that has nothing for this case is left out."""
    parts = {name: _texts(getattr(user, name), row) for name in _HEADINGS}
    told = [f"{_HEADINGS[name]}\n{_listed(texts)}" for name, texts in parts.items() if texts]
    return template.replace("{part}", "\n\n".join(told))


def user_lines(user: WrittenUser, row: CaseCells) -> list[str]:
    return _texts(user.says, row)


def _texts(value: str | Sequence[str] | None, row: CaseCells) -> list[str]:
    """A column may hold a list itself; what is empty is left out."""
    filled = fill_value(value, row)
    several = filled if isinstance(filled, list) else [filled]
    found = [part for one in several for part in (one if isinstance(one, list) else [one])]
    return [text for one in found if (text := written(one).strip())]


def _listed(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else "\n".join(f"- {text}" for text in texts)
