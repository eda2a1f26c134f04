"""The settings that all runs share. A suite adds its own in a subclass; the command line is made from them."""

from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from trialkit.errors import InputError
from trialkit.vocabulary import Measure

M = TypeVar("M")

DEFAULT_MODEL = "anthropic/claude-sonnet-4-5-20250929"


class Flags:
    """Marks a setting whose spelling on the command line is not simply its name."""

    def __init__(self, *names: str) -> None:
        self.names = names


class PerSession:
    """Marks a setting that may change from one session of a run to the next: `resume` takes it too."""


class Incidental:
    """Marks a setting that says where or how a run was made, not what was on trial: `compare` leaves it out."""


class PromptOf(Incidental):
    """Marks a setting that is the version of a role's prompt: `compare` tells it with its hash."""

    def __init__(self, role: str) -> None:
        self.role = role


class OfJudge:
    """Marks a setting that says who judges: `rejudge` takes it too."""


class Hidden:
    """Marks a setting whose value must not be shown, not even where it is wrong."""


def _share(value: float | None) -> float | None:
    if value is not None and not 0 <= value <= 1:
        raise ValueError("must be a share from 0 to 1, such as 0.9 for 90%")
    return value


def _whole(path: Path | None) -> Path | None:
    """So that it is found when the run goes on from another folder."""
    return path and path.absolute()


class RunSettings(BaseModel):
    """Field order is the order of `--help`; a description is a flag's help."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    model: str = Field(DEFAULT_MODEL, description="Model on trial: provider/name, or scripted:FILE.")
    provider: str | None = Field(None, description="Provider of a model given by its bare name.")
    api_base: str | None = Field(
        None, description="URL of an OpenAI-compatible server (anthropic/…: Anthropic's protocol)."
    )
    client: Literal["litellm"] | None = Field(None, description="Send everything through LiteLLM.")
    temperature: float | None = Field(None, ge=0, le=2, description="Sampling temperature [default: the provider's].")
    trials: int = Field(1, ge=1, description="Trials of each case.")
    seed: int | None = Field(None, description="Makes what trialkit draws repeatable; sent to models that take one.")
    max_concurrency: Annotated[int, PerSession()] = Field(
        10, ge=1, description="Trials, and requests to one server, at the same time."
    )
    max_cost: Annotated[float | None, PerSession()] = Field(
        None, gt=0, description="Stop, resumably, before spending more US dollars than this."
    )
    retries: Annotated[int, PerSession()] = Field(
        3, ge=0, description="Further attempts after 429, 5xx, time-outs and lost connections."
    )
    timeout: Annotated[float, PerSession()] = Field(120.0, gt=0, description="Seconds to wait for one reply.")
    use_cache: Annotated[bool, Flags("--no-cache"), PerSession()] = Field(
        True, description="Ask again even where the same trial of the same request has a stored reply."
    )
    clear_cache: Annotated[bool, Incidental()] = Field(False, description="Forget all stored replies first.")
    min_pass: Annotated[float | None, PerSession(), AfterValidator(_share)] = Field(
        None, description="Exit with status 1 if the pass rate is lower."
    )
    min_score: Annotated[float | None, PerSession()] = Field(
        None, description="Exit with status 1 if the mean score is lower (higher, where lower is better)."
    )
    min_pass_on: Annotated[Literal["point", "low"], Flags("--min-pass-on", "--min-score-on"), PerSession()] = Field(
        "point", description="What the gate looks at: the figure itself or the worse end of its interval."
    )
    against: Annotated[Path | None, Incidental(), PerSession(), AfterValidator(_whole)] = Field(
        None, description="With --until-decided: the run to be held against."
    )
    until_decided: Annotated[bool, Incidental()] = Field(
        False, description="Try cases in a random order, and end once this run is better or worse than --against RUN."
    )
    margin: Annotated[float | None, Incidental(), PerSession()] = Field(
        None,
        gt=0,
        description="With --until-decided: end, too, once a loss of this or more is excluded (0.05: 5 points).",
    )
    output_dir: Annotated[Path, Incidental()] = Field(
        Path("eval_results"), description="Where the run file and its exports go."
    )
    verbose: Annotated[bool, Flags("--verbose", "-v"), PerSession()] = Field(
        False, description="Print a line for every trial."
    )

    def gate(self, measure: Measure) -> float | None:
        """What the headline measure's mean must reach; None: nothing is asked. InputError: it is another's gate."""
        if self.min_pass is not None and measure.kind != "pass":
            raise InputError(f"--min-pass: these trials are measured by {measure}, so the gate is --min-score")
        if self.min_score is not None and measure.kind != "score":
            raise InputError("--min-score: these trials pass or fail, so the gate is --min-pass")
        if self.min_score is not None and not measure.holds(self.min_score):
            raise InputError(f"--min-score {self.min_score:g}: it is none of {measure}")
        return self.min_pass if measure.kind == "pass" else self.min_score

    def to_data(self) -> dict[str, object]:
        """For the run file: JSON, and nothing secret in it."""
        return self.model_dump(mode="json")


class JudgeSettings(RunSettings):
    """Of a suite whose judge is a model."""

    judge_model: Annotated[str, OfJudge()] = Field(DEFAULT_MODEL, description="Model that judges.")
    judge_api_base: Annotated[str | None, OfJudge()] = Field(
        None, description="The judge's server [default: --api-base if the judge is of the same provider]."
    )


#: For a suite whose judge checks several things: such a setting of its own, called `judge_asks`, `all` by default.
JudgeAsks = Annotated[
    Literal["all", "each"],
    OfJudge(),
    Field(description="A judge's model decides all checks in one request, or each in one of its own."),
]


def marked(settings: type[BaseModel], mark: type[M]) -> dict[str, M]:
    """The settings with such a mark."""
    return {
        name: found
        for name, field in settings.model_fields.items()
        for found in field.metadata
        if isinstance(found, mark)
    }
