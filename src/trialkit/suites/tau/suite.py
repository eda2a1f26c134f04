"""The four tau suites."""

from collections.abc import Mapping
from typing import Any

from trialkit.runfile import Prompt, RecordedTrial, RunFile
from trialkit.suites import Bench, Details, Material

from .settings import Tau2Settings, TauSettings


class TauSuite:
    beside = ("json",)

    def __init__(self, name: str, summary: str, settings: type[TauSettings]) -> None:
        self.name = name
        self.summary = summary
        self.settings = settings

    def load(self, settings: TauSettings) -> Material:
        from .material import load_material  # noqa: PLC0415 - `trialkit suites` reads no benchmark

        return load_material(self.name, settings)

    def bench(self, settings: TauSettings, prompts: Mapping[str, Prompt]) -> Bench:
        from .bench import TauBench  # noqa: PLC0415 - likewise

        return TauBench(self.name, settings, prompts)

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

        figures, (metrics, sections) = details(run), details_of_agent(run)
        return Details(metrics={**figures.metrics, **metrics}, sections=(*sections, *figures.sections))

    def exports(self, run: RunFile) -> Mapping[str, str]:  # noqa: ARG002 - the report beside the run file is all
        return {}


_TASKS = "conversations with a simulated user, tools and a database."
RETAIL = TauSuite("tau-bench/retail", f"tau-bench's shop: {_TASKS}", TauSettings)
AIRLINE = TauSuite("tau-bench/airline", f"tau-bench's airline: {_TASKS}", TauSettings)
TAU2_RETAIL = TauSuite("tau2/retail", f"tau2-bench's shop: {_TASKS}", Tau2Settings)
TAU2_AIRLINE = TauSuite("tau2/airline", f"tau2-bench's airline: {_TASKS}", Tau2Settings)
