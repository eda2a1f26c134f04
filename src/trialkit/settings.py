"""The settings that all runs share. A suite adds its own in a subclass; the command line is made from them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from trialkit.errors import InputError
from trialkit.paths import RESULTS
from trialkit.text.json import JsonError, parse
from trialkit.vocabulary import Measure

M = TypeVar("M")

DEFAULT_MODEL = "anthropic/claude-sonnet-5-5"


class Flags:
    """Marks a setting whose spelling on the command line is not simply its name."""

    def __init__(self, *names: str) -> None:
        self.names = names


class Section:
    """Marks a setting that the help shows under another heading, below the usual ones."""

    def __init__(self, title: str) -> None:
        self.title = title


GATES = Section("Gates")
RARE = Section("Rarely needed")


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


class OfUser:
    """Marks a setting that says who plays the user of a conversation: runs may differ in that alone."""

    role = "user"


class NamesRun:
    """Marks a setting that is the path of a run file: on the command line `latest` and a folder will do, too."""


class SetBy:
    """Marks a setting whose default a project's file or a variable says: which."""

    def __init__(self, origin: str) -> None:
        self.origin = origin


class Hidden:
    """Marks a setting whose value must not be shown, not even where it is wrong."""


def _share(value: float | None) -> float | None:
    if value is not None and not 0 <= value <= 1:
        raise ValueError("must be a share from 0 to 1, such as 0.9 for 90%")
    return value


def _tags(value: object) -> object:
    """From Python a mapping will do."""
    return tuple(f"{key}={text}" for key, text in value.items()) if isinstance(value, Mapping) else value


def _tag(value: str) -> str:
    key, equals, text = value.partition("=")
    if not (key.strip() and equals and text.strip() and value.isprintable()):
        raise ValueError("must be KEY=VALUE, such as branch=main")
    return f"{key.strip()}={text.strip()}"


def _name(value: str | None) -> str | None:
    if value is not None and not (value.strip() and value.isprintable()):
        raise ValueError("must be a text on one line; leave it out for none")
    return value and value.strip()


def _reasoning(value: object) -> object:
    number = str(value)
    if value not in {None, "low", "medium", "high"} and not (number.isdecimal() and int(number)):
        raise ValueError("must be low, medium, high, or how many tokens to think with, such as 4000")
    return int(number) if number.isdecimal() else value


def _extra(value: object) -> object:
    """What trialkit says itself, and where it says it, is no part of it."""
    try:
        data = parse(value, finite=True) if isinstance(value, str) else value
    except JsonError as error:
        raise ValueError(f'{error}; write it like {{"top_k": 20}}') from None
    if data is not None and not isinstance(data, dict):
        raise ValueError('must be a JSON object, such as {"top_k": 20}')
    if own := _OWN.intersection(data or ()):
        raise ValueError(f"must not say {', '.join(sorted(own))}, which trialkit says itself")
    return data or None


#: Of a request's body, what `extra` may not say: with another of these a reply could not be read, or be another's.
_OWN = frozenset({"model", "messages", "input", "contents", "system", "tools", "n"})
Thinking = Annotated[Literal["low", "medium", "high"] | int | None, BeforeValidator(_reasoning)]
MaxTokens = Annotated[int | None, Field(ge=1)]
ToolsAs = Literal["text"] | None
Extra = Annotated[dict[str, Any] | None, BeforeValidator(_extra)]


def _whole(path: Path | None) -> Path | None:
    """So that it is found when the run goes on from another folder."""
    return path and path.absolute()


class RunSettings(BaseModel):
    """Field order is the order of `--help`; a description is a flag's help."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)

    model: str = Field(DEFAULT_MODEL, description="Model on trial: provider/name, local:FILE.gguf, or scripted:FILE.")
    provider: Annotated[str | None, RARE] = Field(None, description="Provider of a model given by its bare name.")
    api_base: str | None = Field(
        None, description="URL of an OpenAI-compatible server (anthropic/…: Anthropic's protocol)."
    )
    client: Annotated[Literal["litellm"] | None, RARE] = Field(None, description="Send everything through LiteLLM.")
    temperature: float | None = Field(None, ge=0, le=2, description="Sampling temperature [default: the provider's].")
    reasoning: Thinking = Field(
        None, description="How much the model thinks: low, medium, high, or NUMBER of tokens [default: the provider's]."
    )
    max_tokens: MaxTokens = Field(None, description="Longest reply of the model, in tokens [default: the provider's].")
    extra: Annotated[Extra, RARE] = Field(
        None, description='JSON object that goes into the body of each request as it is: {"top_k": 20}.'
    )
    tools_as: Annotated[ToolsAs, RARE] = Field(
        None, description="`text`: tools are told and called as text, for models and servers that know none."
    )
    trials: int = Field(1, ge=1, description="Trials of each case.")
    seed: int | None = Field(None, description="Makes what trialkit draws repeatable; sent to models that take one.")
    max_concurrency: Annotated[int, PerSession()] = Field(
        10, ge=1, description="Trials, and requests to one server, at the same time."
    )
    rpm: Annotated[float | None, PerSession(), RARE] = Field(
        None, gt=0, description="Requests a minute to one server [default: as many as it takes]."
    )
    tpm: Annotated[float | None, PerSession(), RARE] = Field(
        None, gt=0, description="Tokens a minute, read and written, at one server [default: as many as it takes]."
    )
    max_cost: Annotated[float | None, PerSession()] = Field(
        None, gt=0, description="Stop, resumably, before spending more US dollars than this."
    )
    retries: Annotated[int, PerSession(), RARE] = Field(
        3, ge=0, description="Further attempts after 429, 5xx, time-outs and lost connections."
    )
    timeout: Annotated[float, PerSession(), RARE] = Field(
        120.0, gt=0, description="Seconds to wait for a reply, in each attempt."
    )
    timeout_in_all: Annotated[float | None, PerSession(), RARE] = Field(
        None, gt=0, description="Seconds for one reply with all its attempts and pauses [default: no limit]."
    )
    batch: Annotated[bool, Incidental(), PerSession(), RARE] = Field(
        False, description="Ask through the providers' batch APIs: half the price, answers within a day."
    )
    use_cache: Annotated[bool, Flags("--no-cache"), PerSession(), RARE] = Field(
        True, description="Ask again even where the same trial of the same request has a stored reply."
    )
    clear_cache: Annotated[bool, Incidental(), RARE] = Field(False, description="Forget all stored replies first.")
    min_pass: Annotated[float | None, PerSession(), GATES, AfterValidator(_share)] = Field(
        None, description="Exit with status 1 if the pass rate is lower."
    )
    min_score: Annotated[float | None, PerSession(), GATES] = Field(
        None, description="Exit with status 1 if the mean score is lower (higher, where lower is better)."
    )
    min_pass_on: Annotated[Literal["point", "low"], Flags("--min-pass-on", "--min-score-on"), PerSession(), GATES] = (
        Field("point", description="What the gate looks at: the figure itself or the worse end of its interval.")
    )
    against: Annotated[Path | None, Incidental(), PerSession(), NamesRun(), GATES, AfterValidator(_whole)] = Field(
        None, description="With --until-decided: the run to be held against."
    )
    until_decided: Annotated[bool, Incidental(), GATES] = Field(
        False, description="Try cases in a random order, and end once this run is better or worse than --against RUN."
    )
    margin: Annotated[float | None, Incidental(), PerSession(), GATES] = Field(
        None,
        gt=0,
        description="With --until-decided: end, too, once a loss of this or more is excluded (0.05: 5 points).",
    )
    name: Annotated[str | None, Incidental(), AfterValidator(_name)] = Field(
        None, description="What to call the run in lists, comparisons and its file's name [default: who is on trial]."
    )
    tags: Annotated[
        tuple[Annotated[str, AfterValidator(_tag)], ...], Incidental(), Flags("--tag"), BeforeValidator(_tags)
    ] = Field((), description="KEY=VALUE that is told with the name: branch=main. May be given several times.")
    output_dir: Annotated[Path, Incidental()] = Field(RESULTS, description="Where the run file and its exports go.")
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


#: What is asked of a model that judges, or plays the user: for settings called `judge_reasoning`, `user_extra` …
JudgeReasoning = Annotated[Thinking, OfJudge(), RARE, Field(description="As --reasoning, of the judge's model.")]
JudgeMaxTokens = Annotated[MaxTokens, OfJudge(), RARE, Field(description="As --max-tokens, of the judge's model.")]
JudgeExtra = Annotated[Extra, OfJudge(), RARE, Field(description="As --extra, of the judge's model.")]
JudgeToolsAs = Annotated[ToolsAs, OfJudge(), RARE, Field(description="As --tools-as, of the judge's model.")]
UserReasoning = Annotated[Thinking, OfUser(), RARE, Field(description="As --reasoning, of the user's model.")]
UserMaxTokens = Annotated[MaxTokens, OfUser(), RARE, Field(description="As --max-tokens, of the user's model.")]
UserExtra = Annotated[Extra, OfUser(), RARE, Field(description="As --extra, of the user's model.")]
UserToolsAs = Annotated[ToolsAs, OfUser(), RARE, Field(description="As --tools-as, of the user's model.")]


class JudgeSettings(RunSettings):
    """Of a suite whose judge is a model."""

    judge_model: Annotated[str, OfJudge()] = Field(DEFAULT_MODEL, description="Model that judges.")
    judge_api_base: Annotated[str | None, OfJudge(), RARE] = Field(
        None, description="The judge's server [default: --api-base if the judge is of the same provider]."
    )
    judge_reasoning: JudgeReasoning = None
    judge_max_tokens: JudgeMaxTokens = None
    judge_extra: JudgeExtra = None
    judge_tools_as: JudgeToolsAs = None


#: For a suite whose judge checks several things: such a setting of its own, called `judge_asks`, `all` by default.
JudgeAsks = Annotated[
    Literal["all", "each"],
    OfJudge(),
    RARE,
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


def flags_of(settings: type[BaseModel], name: str) -> tuple[str, ...]:
    """How a setting is spelt on the command line."""
    own = marked(settings, Flags).get(name)
    return own.names if own else (f"--{name.replace('_', '-')}",)


def origin_of(settings: type[BaseModel], name: str) -> str:
    """Who says its default; empty: it is the setting's own."""
    found = marked(settings, SetBy).get(name)
    return found.origin if found else ""
