"""The settings of the tau suites: the flags of `trialkit run tau-bench/retail` and its like."""

import re
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field

from trialkit.errors import InputError
from trialkit.settings import (
    RARE,
    Flags,
    Incidental,
    JudgeAsks,
    JudgeExtra,
    JudgeMaxTokens,
    JudgeReasoning,
    JudgeToolsAs,
    OfJudge,
    OfUser,
    PromptOf,
    UserExtra,
    UserMaxTokens,
    UserReasoning,
    UserToolsAs,
)
from trialkit.suites.agent_settings import AgentSettings

from .users import UserStrategy

#: What is drawn without --seed is drawn as with this, tau-bench's own default: a run can always be repeated.
DRAWING_SEED = 10
_FETCHED = re.compile(r"[\w-]+@[\w.]+")


def _split(value: Any) -> Any:
    """`--task-ids 1,2 --task-ids 3`: both ways of giving several."""
    parts = [value] if isinstance(value, str) else value
    ids = tuple(item.strip() for part in parts for item in str(part).split(",") if item.strip())
    if parts and not ids:
        raise InputError(f"--task-ids {','.join(map(str, parts))!r}: names no task; give ids, or leave it out for all")
    return ids


def absolute(path: Path | None) -> Path | None:
    """A run is resumed from anywhere. What was fetched is named, `tau2@1.0.1`, and is no path."""
    if path is None or (_FETCHED.fullmatch(str(path)) and not path.exists()):
        return path
    return path.expanduser().resolve()


class TauSettings(AgentSettings):
    temperature: float | None = Field(0.0, ge=0, le=2, description="The agent's sampling temperature.")
    trials: Annotated[int, Flags("--trials", "--num-trials")] = Field(1, ge=1, description="Trials of each task.")
    agent: str | None = Field(
        None,
        description="Who acts: tool-calling, act, react, few-shot, oracle, fastworkflow, stdio:COMMAND, http://… "
        "[default: tool-calling].",
    )
    skip: Annotated[bool, Flags("--no-skip"), RARE] = Field(
        True, description="Run tasks too whose ground truth needs a tool that the agent lacks."
    )
    use_reasoning: Annotated[bool | None, Flags("--use-reasoning/--no-use-reasoning"), RARE] = Field(
        None, description="The agent react (thinks first), or act."
    )
    agent_prompt: Annotated[str | None, PromptOf("agent")] = Field(
        None, description="Version of the agent's prompt [default: act-v1, react-v1]."
    )
    few_shot_displays_path: Annotated[Path | None, AfterValidator(absolute), RARE] = Field(
        None, description="JSON lines with example conversations (messages_display), for few-shot."
    )
    user_strategy: Annotated[UserStrategy | None, OfUser()] = Field(
        None, description="How the user is played [default: llm; scripted for the oracle]."
    )
    user_model: Annotated[str, OfUser()] = Field("openai/gpt-5.2", description="Model that plays the user.")
    user_provider: Annotated[str | None, OfUser(), RARE] = Field(
        None, description="Provider of a user model given by its bare name."
    )
    user_api_base: Annotated[str | None, OfUser(), RARE] = Field(
        None, description="The user's server [default: --api-base if the user model is of the same provider]."
    )
    user_reasoning: UserReasoning = None
    user_max_tokens: UserMaxTokens = None
    user_extra: UserExtra = None
    user_tools_as: UserToolsAs = None
    user_prompt: Annotated[str | None, PromptOf("user"), OfUser()] = Field(
        None, description="Version of the user's prompt [default: v1; tau2-v1 for tau2]."
    )
    user_script: Annotated[Path | None, AfterValidator(absolute), OfUser(), RARE] = Field(
        None, description="Text file with the lines of a scripted user [default: the task's instruction]."
    )
    judge_model: Annotated[str | None, OfJudge()] = Field(
        None, description="Model that judges natural-language assertions, where tasks count them."
    )
    judge_reasoning: JudgeReasoning = None
    judge_max_tokens: JudgeMaxTokens = None
    judge_extra: JudgeExtra = None
    judge_tools_as: JudgeToolsAs = None
    judge_asks: JudgeAsks = "all"
    task_split: str = Field("test", description="Which tasks: test, train or dev, as far as the domain has them.")
    task_ids: Annotated[tuple[str, ...], BeforeValidator(_split)] = Field(
        (), description="Only these tasks: 1,2,3 or 1 2 3."
    )
    start_index: int = Field(0, ge=0, description="The first task, by its place in the split.")
    end_index: int = Field(-1, ge=-1, description="The task to stop before; -1: none.")
    shuffle: Annotated[bool, RARE] = Field(False, description="Run the trials in an order drawn with the seed.")
    max_steps: int = Field(30, ge=1, description="Moves of the agent's before a conversation is cut off.")
    data_dir: Annotated[Path | None, AfterValidator(absolute), Incidental()] = Field(
        None, description="The benchmark's content [default: TAU_BENCH_HOME, an installed tau_bench, the cache]."
    )
    strict: Annotated[bool, RARE] = Field(False, description="Refuse to run if anything is off in the ground truth.")

    @property
    def agent_name(self) -> str:
        if self.use_reasoning is None:
            return super().agent_name
        wanted = "react" if self.use_reasoning else "act"
        if self.agent not in {None, wanted}:
            flag = "--use-reasoning" if self.use_reasoning else "--no-use-reasoning"
            raise InputError(f"{flag} asks for the agent {wanted}, --agent for {self.agent}; leave one of them out")
        return wanted

    @property
    def drawing_seed(self) -> int:
        return DRAWING_SEED if self.seed is None else self.seed
