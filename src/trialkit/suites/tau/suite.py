"""The four tau suites."""

from collections.abc import Mapping, Sequence
from typing import Any

from trialkit.runfile import Prompt, RecordedTrial, RunFile
from trialkit.suites import Content, Details, Format, Role, Runner, Suite, Usual
from trialkit.vocabulary import PASS, Case, JudgeInUse, Measure

from .reading import readable
from .settings import Tau2Settings, TauSettings
from .usual import USUAL


class TauSuite(Suite[TauSettings]):
    measures = (PASS, Measure(name="reward", low=0, high=1))

    def __init__(self, name: str, summary: str, settings: type[TauSettings]) -> None:
        self.name = name
        self.summary = summary
        self.settings = settings

    def content(self, settings: TauSettings) -> Content:
        from .material import read_content  # noqa: PLC0415 - `trialkit suites` reads no benchmark

        return read_content(self.name, settings)

    def prompts(self, settings: TauSettings) -> Sequence[Prompt]:
        from .material import read_prompts  # noqa: PLC0415 - likewise

        return read_prompts(self.name, settings)

    def judge_prompts(self, settings: TauSettings) -> Sequence[Prompt]:
        from .material import read_judge_prompts  # noqa: PLC0415 - likewise

        return read_judge_prompts(self.name, settings)

    def roles(self, settings: TauSettings, prompts: Mapping[str, Prompt]) -> Mapping[str, Role]:
        from .parties import roles_of  # noqa: PLC0415 - likewise

        return roles_of(self.name, settings, prompts)

    def judges(self, settings: TauSettings, prompts: Mapping[str, Prompt]) -> Sequence[JudgeInUse]:
        from .parties import judges_in_use  # noqa: PLC0415 - likewise

        return judges_in_use(settings, prompts)

    def runner(self, settings: TauSettings, prompts: Mapping[str, Prompt]) -> Runner:
        from .bench import TauRunner  # noqa: PLC0415 - likewise

        return TauRunner(self.name, settings, prompts)

    def usual(self, settings: TauSettings) -> Mapping[str, Usual]:  # noqa: ARG002 - the same for all
        return USUAL.get(self.name, {})

    def label_row(self, case: Case, trial: RecordedTrial) -> Mapping[str, str]:
        row = {**super().label_row(case, trial), "Conversation": readable((trial.output or {})["messages"])}
        return {column: row[column] for column in ("Description", "Case", "Conversation")}

    def facts(self, trial: RecordedTrial) -> Mapping[str, Any]:
        output, decided = trial.output or {}, trial.decided
        return {
            "reward": decided.score if decided else None,
            "steps": output.get("steps"),
            "turns": output.get("turns"),
            "success_turn": decided.details.get("success_turn") if decided else None,
        }

    def details(self, run: RunFile) -> Details:
        from .numbers import details  # noqa: PLC0415 - likewise
        from .outside import details as details_of_agent  # noqa: PLC0415 - likewise

        figures, agent = details(run), details_of_agent(run)
        return Details(metrics={**figures.metrics, **agent.metrics}, tables=(*agent.tables, *figures.tables))

    def formats(self) -> Mapping[str, Format]:
        from .exporting import format_of  # noqa: PLC0415 - likewise

        family = self.name.partition("/")[0]
        return {family: format_of(family)}


_TASKS = "conversations with a simulated user, tools and a database."
RETAIL = TauSuite("tau-bench/retail", f"tau-bench's shop: {_TASKS}", TauSettings)
AIRLINE = TauSuite("tau-bench/airline", f"tau-bench's airline: {_TASKS}", TauSettings)
TAU2_RETAIL = TauSuite("tau2/retail", f"tau2-bench's shop: {_TASKS}", Tau2Settings)
TAU2_AIRLINE = TauSuite("tau2/airline", f"tau2-bench's airline: {_TASKS}", Tau2Settings)
