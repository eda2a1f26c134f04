"""The commodity suite: are the price alerts that an analyst suggests for a portfolio any good?"""

import json
from collections.abc import Mapping, Sequence

from trialkit.runfile import Prompt, RecordedTrial
from trialkit.suites import Content, Format, Role, Starter, Suite, Usual, hash_of
from trialkit.text.csvfile import KEY_COLUMN
from trialkit.vocabulary import Case, JudgeInUse

from .content import read_content
from .results import results_csv
from .roles import USUAL, judges_in_use, read_judge_prompts, read_prompts, roles_of
from .runner import CommodityRunner
from .scenarios import INPUT_COLUMNS
from .settings import CommoditySettings
from .starter import starter

__all__ = ["SUITE", "CommoditySettings"]


class Commodity(Suite[CommoditySettings]):
    name = "commodity"
    summary = "Price alerts for commodity positions, judged against a golden CSV by a model, by rules, or by both."
    settings = CommoditySettings
    beside = ("csv",)

    def content(self, settings: CommoditySettings) -> Content:
        return read_content(settings, [judge.name for judge in judges_in_use(settings, {})])

    def prompts(self, settings: CommoditySettings) -> Sequence[Prompt]:
        return read_prompts(settings)

    def judge_prompts(self, settings: CommoditySettings) -> Sequence[Prompt]:
        return read_judge_prompts(settings)

    def roles(self, settings: CommoditySettings, prompts: Mapping[str, Prompt]) -> Mapping[str, Role]:  # noqa: ARG002 - they follow from the settings
        return roles_of(settings)

    def judges(self, settings: CommoditySettings, prompts: Mapping[str, Prompt]) -> Sequence[JudgeInUse]:
        return judges_in_use(settings, prompts)

    def runner(self, settings: CommoditySettings, prompts: Mapping[str, Prompt]) -> CommodityRunner:
        return CommodityRunner(settings, prompts)

    def rejudge_settings(self, recorded: Mapping[str, object], changes: Mapping[str, object]) -> dict[str, object]:
        """With another model or prompt of the judge's, the kind of judge that the run had must not stay the rules."""
        named = "judge" not in changes and any(name.startswith("judge_") for name in changes)
        kept = {name: value for name, value in recorded.items() if not (named and name == "judge")}
        return super().rejudge_settings({**kept, "skip_judge": False}, changes)

    def identity(self, case: Case) -> str:
        return hash_of(case.data["raw"]) if "raw" in case.data else ""

    def usual(self, settings: CommoditySettings) -> Mapping[str, Usual]:  # noqa: ARG002 - the same for all
        return USUAL

    def label_row(self, case: Case, trial: RecordedTrial) -> Mapping[str, str]:
        cells = {column: cell for column, cell in case.data["raw"].items() if column != KEY_COLUMN}
        return {**cells, "Model Response": json.dumps(trial.output, ensure_ascii=False)}

    def row_case(self, row: Mapping[str, str]) -> Case:
        """Also of a CSV that has outcomes only, and does not tell what was asked."""
        raw = {column: row[column] for column in INPUT_COLUMNS if column in row}
        return Case(
            id=row[KEY_COLUMN],
            title=row.get("Description", ""),
            group=row.get("Eval Type", ""),
            data={"raw": raw} if len(raw) == len(INPUT_COLUMNS) else {},
        )

    def formats(self) -> Mapping[str, Format]:
        return {"csv": Format(suffix=".csv", write=results_csv)}

    def starter(self) -> Starter:
        return starter()


SUITE = Commodity()
