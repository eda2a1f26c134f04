"""A tau suite: a domain of tau-bench or of tau2, one object that holds all that is known of it before it is read."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from trialkit.dialogue import Rules
from trialkit.errors import InputError
from trialkit.pages import Passage, Table
from trialkit.runfile import Prompt, RecordedTrial, RunFile
from trialkit.suites import (
    CheckedContent,
    Content,
    Details,
    Importer,
    Review,
    Role,
    Runner,
    Suite,
    Usual,
    Variant,
    get_suite,
    hash_of,
    suite_names,
    text_variants,
)
from trialkit.text.json import JsonObject
from trialkit.vocabulary import PASS, Case, JudgeInUse, Measure

from .common.domain import Domain
from .common.published import Published
from .settings import TauSettings

S = TypeVar("S", bound=TauSettings)
#: The benchmarks: what stands before the domain in a suite's name.
FAMILIES = ("tau-bench", "tau2")


@dataclass(frozen=True, kw_only=True, eq=False)
class TauSuite(Suite[S]):
    """The benchmarks differ in what is abstract here."""

    measures = (PASS, Measure(name="reward", low=0, high=1))
    user_prompt: ClassVar[str]  # the version of ours, unless another is asked for

    name: str
    summary: str
    key_arguments: tuple[str, ...]  # what a write is about, such as `order_id`; the most telling first
    checksums: Mapping[str, str] = field(default_factory=dict)  # of its files that `data fetch` brings, by SHA-256
    published: tuple[Published, ...] = ()  # results that others published, the best first
    contents: ClassVar[tuple[str, ...]] = ()  # what `data fetch` brings by name and version, where there are several
    usually: Mapping[str, Usual] = field(default_factory=dict)  # by role

    @property
    def usual_split(self) -> str:
        """That is run unless another is asked for."""
        split: str = self.settings.model_fields["task_split"].default
        return split

    @property
    def domain(self) -> str:
        return self.name.partition("/")[2]

    @property
    def content_domain(self) -> str:
        """Whose content it has: several suites may share one."""
        return self.domain

    @property
    @abstractmethod
    def tool_names(self) -> frozenset[str]:
        """The agent's."""

    @abstractmethod
    def load(self, data_dir: Path | None) -> Domain:
        """Read once per process and folder, and then shared. InputError if the content is not there."""

    @abstractmethod
    def rules(self, settings: S, domain: Domain) -> Rules:
        """Of its conversations."""

    def content(self, settings: S) -> Content:
        from .content import read_content  # noqa: PLC0415 - `trialkit suites` reads no benchmark

        return read_content(self.load(settings.data_dir), settings)

    def prompts(self, settings: S) -> Sequence[Prompt]:
        from .prompting import read_prompts  # noqa: PLC0415 - likewise

        return read_prompts(self.load(settings.data_dir), settings, self.user_prompt)

    def identity(self, case: Case) -> str:
        """The same for an imported task, whose own words stand beside; of one that the file does not tell, none."""
        told = {name: value for name, value in case.data.items() if name != "task"}
        return "" if told.get("instruction") is None else hash_of(told)

    def judge_prompts(self, settings: S) -> Sequence[Prompt]:
        from .prompting import read_judge_prompts  # noqa: PLC0415 - likewise

        return read_judge_prompts(self.load(settings.data_dir), settings)

    def roles(self, settings: S, prompts: Mapping[str, Prompt]) -> Mapping[str, Role]:
        from .roles import roles_of  # noqa: PLC0415 - likewise

        return roles_of(self.name, settings, prompts)

    def judges(self, settings: S, prompts: Mapping[str, Prompt]) -> Sequence[JudgeInUse]:
        from .roles import judges_in_use  # noqa: PLC0415 - likewise

        return judges_in_use(settings, prompts)

    def runner(self, settings: S, prompts: Mapping[str, Prompt]) -> Runner:
        from .runner import TauRunner  # noqa: PLC0415 - likewise

        domain = self.load(settings.data_dir)
        return TauRunner(domain, self.rules(settings, domain), settings, prompts)

    def usual(self, settings: S) -> Mapping[str, Usual]:  # noqa: ARG002 - the same for all
        return self.usually

    def variants(self, case: Case, output: Mapping[str, Any]) -> Sequence[Variant]:  # noqa: ARG002 - whatever the task
        """In the last words of the agent's: its actions, and all that follows from them, stay."""
        spoken = [
            place for place, one in enumerate(output["messages"]) if one["role"] == "assistant" and one["content"]
        ]
        return text_variants(output, ("messages", spoken[-1], "content")) if spoken else ()

    def label_row(self, case: Case, trial: RecordedTrial) -> Mapping[str, str]:
        row = {**super().label_row(case, trial), "Conversation": _readable((trial.output or {})["messages"])}
        return {column: row[column] for column in ("Description", "Case", "Conversation")}

    def facts(self, trial: RecordedTrial) -> Mapping[str, object]:
        output, decided = trial.output or {}, trial.decided
        return {
            "reward": decided.score if decided else None,
            "steps": output.get("steps"),
            "turns": output.get("turns"),
            "success_turn": decided.details.get("success_turn") if decided else None,
        }

    def told_calls(self, run: RunFile) -> Mapping[str, Mapping[int, int | None]]:
        from trialkit.suites.agent_figures import told_calls  # noqa: PLC0415 - likewise

        return told_calls(run)

    def details(self, run: RunFile) -> Details:
        from trialkit.suites.agent_figures import details as details_of_agent  # noqa: PLC0415 - likewise

        from .numbers import details  # noqa: PLC0415 - likewise

        figures, agent = details(run, self.published, self.usual_split), details_of_agent(run)
        return Details(metrics={**figures.metrics, **agent.metrics}, tables=(*agent.tables, *figures.tables))

    def failure(self, trial: RecordedTrial) -> str:
        """Of an imported one our own environment says it, if it was scored again."""
        told = [found for verdict in trial.verdicts if (found := verdict.details.get("breakdown"))]
        return str(told[0]["class"]) if told else ""

    def scenario(self, case: Case) -> str:
        return str(case.data.get("instruction") or "")

    def exhibits(self, settings: S, case: Case, trial: RecordedTrial) -> Sequence[Passage | Table]:
        from .exhibits import exhibits  # noqa: PLC0415 - likewise

        return exhibits(self.load(settings.data_dir), case, trial)

    def check(self, data_dir: Path | None) -> CheckedContent:
        return self.load(data_dir).checked()

    def importers(self) -> Sequence[Importer]:
        from .importing import IMPORTER  # noqa: PLC0415 - likewise

        return [IMPORTER]

    def reviews(self) -> Sequence[Review]:
        from .faults import REVIEW  # noqa: PLC0415 - likewise

        return [REVIEW]


def tau_suites(family: str = "") -> list[TauSuite[Any]]:
    """All that are installed, or those of one benchmark. The table of them is the entry points."""
    names = [name for name in suite_names() if name.partition("/")[0] in ((family,) if family else FAMILIES)]
    return [suite for suite in map(get_suite, names) if isinstance(suite, TauSuite)]


def tau_suite(name: str) -> TauSuite[Any]:
    """InputError if there is none."""
    suites = {suite.name: suite for suite in tau_suites(name.partition("/")[0])}
    if name not in suites:
        raise InputError(f"no domain {name!r}; there are {', '.join(suite.name for suite in tau_suites())}")
    return suites[name]


def load_domain(name: str, data_dir: Path | str | None = None) -> Domain:
    """The domain, read once per process and folder and then shared. InputError if it or its content is not there."""
    return tau_suite(name).load(None if data_dir is None else Path(data_dir))


def _readable(messages: Sequence[JsonObject]) -> str:
    lines = []
    for message in messages:
        calls = [f"calls {call.get('name')}({call.get('arguments')})" for call in message.get("tool_calls") or ()]
        parts = [message.get("content") or "", *calls]
        lines.append(f"{message.get('role')}: " + "\n".join(part for part in parts if part))
    return "\n\n".join(lines)
