"""The commodity suite's settings: the flags of `trialkit run commodity`."""

import re
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, field_serializer, field_validator, model_validator

from trialkit.settings import DEFAULT_MODEL, Hidden, Incidental, JudgeAsks, JudgeSettings, OfJudge, PerSession, PromptOf
from trialkit.suites.agent_settings import AgentSettings

from .floors import BASELINES

JudgedBy = Literal["rules", "llm", "both"]
_HIDDEN = "[hidden]"
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


def _split(value: Any) -> Any:
    """`--ids S01,S02 --ids S03`: both ways of giving several."""
    parts = [value] if isinstance(value, str) else value
    items = tuple(item.strip() for part in parts for item in str(part).split(",") if item.strip())
    if parts and not items:  # an empty variable of a script, rather than a wish for all of them
        raise ValueError("names no scenario; leave it out to run all of them")
    return items


def _header(value: tuple[str, ...]) -> tuple[str, ...]:
    for line in value:
        name, _, text = line.partition(":")
        if not _HEADER_NAME.fullmatch(name.strip()) or not text.strip() or not text.isprintable():
            raise ValueError('must be "Name: value", without control characters')
    return value


class CommoditySettings(JudgeSettings, AgentSettings):
    model: str = Field(
        DEFAULT_MODEL,
        description="Model on trial: provider/name, scripted:FILE, baseline (our rules, offline), or a floor: "
        "baseline:constant, baseline:shotgun.",
    )
    csv: Annotated[Path | None, Incidental()] = Field(
        None, description="Golden CSV [default: golden/scenarios.csv here, else the one shipped]."
    )
    ids: Annotated[tuple[str, ...], BeforeValidator(_split)] = Field((), description="Only these scenarios: S01,S05.")
    analyzer_prompt: Annotated[str, PromptOf("analyzer")] = Field("v1", description="Version of the analyzer's prompt.")
    judge_prompt: Annotated[str, PromptOf("judge"), OfJudge()] = Field(
        "v1", description="Version of the judge's prompt."
    )
    judge_asks: JudgeAsks = "all"
    judge: Annotated[JudgedBy | None, OfJudge(), Incidental()] = Field(
        None, description="Who judges: rules, llm, or both (llm decides) [default: llm; rules for baseline]."
    )
    skip_analysis: bool = Field(False, description="Only judge the answers that the CSV holds.")
    skip_judge: bool = Field(False, description="Only collect answers.")
    analyzer_url: str | None = Field(None, description="Put a service on trial: POST positions and prices to this URL.")
    analyzer_header: Annotated[tuple[str, ...], AfterValidator(_header), PerSession(), Hidden()] = Field(
        (), description='Header for --analyzer-url: "X-User-ID: 1". May be given several times; never stored.'
    )

    @field_validator("model")
    @classmethod
    def _known_baseline(cls, value: str) -> str:
        if value.startswith("baseline:") and value not in BASELINES:
            raise ValueError(f"there is no such baseline; there are {', '.join(BASELINES)}")
        return value

    @model_validator(mode="before")
    @classmethod
    def _named_judge(cls, data: Any) -> Any:
        """Who names the judge's model wants it asked, also of the baseline, which rules judge otherwise."""
        named = isinstance(data, dict) and any(
            name in data for name in ("judge_model", "judge_prompt", "judge_api_base", "judge_asks")
        )
        other = data.get("analyzer_url") or data.get("agent") if isinstance(data, dict) else None
        by_rules = named and data.get("model") in BASELINES and not other
        return {**data, "judge": "llm"} if by_rules and "judge" not in data else data

    @field_serializer("analyzer_header")
    def _hide(self, value: tuple[str, ...]) -> list[str]:
        return [f"{line.partition(':')[0]}: {_HIDDEN}" for line in value]

    @property
    def headers(self) -> dict[str, str]:
        parts = (line.partition(":") for line in self.analyzer_header)
        return {name.strip(): text.strip() for name, _, text in parts}

    @property
    def hidden_headers(self) -> list[str]:
        """Headers whose value was left out of the run file, so that it has to be given again."""
        return [name for name, text in self.headers.items() if text == _HIDDEN]

    @property
    def asks_model(self) -> bool:
        """Whether a model is on trial, and not our rules, a service, an agent or the CSV."""
        return self.prompts_analyzer and self.agent is None

    @property
    def prompts_analyzer(self) -> bool:
        """Whether a model or an agent is on trial, which is given our prompt."""
        by_rules = self.model in BASELINES and self.agent is None
        return not (self.skip_analysis or self.analyzer_url or by_rules)

    @property
    def analyzer_prompt_unread(self) -> str:
        """Why nobody would read the analyzer's prompt; empty: somebody does, or the answers are there already."""
        if self.skip_analysis:
            return ""
        if self.analyzer_url:
            return "the service at --analyzer-url has prompts of its own"
        return f"{self.model} is no model and reads no prompt" if self.model in BASELINES else ""

    @property
    def asks_judge(self) -> bool:
        return not self.skip_judge and self.judge_kind != "rules"

    @property
    def judge_kind(self) -> JudgedBy:
        by_rules = self.model in BASELINES and not (self.analyzer_url or self.agent)
        return self.judge or ("rules" if by_rules else "llm")
