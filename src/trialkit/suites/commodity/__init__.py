"""The commodity suite: are the price alerts that an analyst suggests for a portfolio any good?"""

from collections.abc import Mapping

from trialkit.runfile import Prompt, RecordedTrial, RunFile
from trialkit.suites import Details, Material

from .bench import CommodityBench, judge_names
from .material import load_material
from .results import results_csv
from .settings import CommoditySettings

__all__ = ["SUITE", "CommoditySettings"]


class _Commodity:
    name = "commodity"
    summary = "Price alerts for commodity positions, judged against a golden CSV by a model, by rules, or by both."
    settings = CommoditySettings
    beside = ()

    def load(self, settings: CommoditySettings) -> Material:
        return load_material(settings, judge_names(settings))

    def bench(self, settings: CommoditySettings, prompts: Mapping[str, Prompt]) -> CommodityBench:
        return CommodityBench(settings, prompts)

    def facts(self, trial: RecordedTrial) -> Mapping[str, str]:  # noqa: ARG002 - a commodity trial has no more to it
        return {}

    def details(self, run: RunFile) -> Details:  # noqa: ARG002 - nor has a run
        return Details()

    def exports(self, run: RunFile) -> Mapping[str, str]:
        return {".csv": results_csv(run)}


SUITE = _Commodity()
