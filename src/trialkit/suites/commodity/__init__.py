"""The commodity suite: are the price alerts that an analyst suggests for a portfolio any good?"""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from trialkit.doors import door, loaded
from trialkit.errors import InputError
from trialkit.pages import Passage, Table
from trialkit.runfile import Prompt, RecordedTrial, RunFile
from trialkit.suites import (
    Content,
    Details,
    Format,
    Role,
    Starter,
    Suite,
    Usual,
    Variant,
    hash_of,
    read_prompt,
    subject_spec,
)
from trialkit.suites.agent_figures import ROLE as AGENT
from trialkit.suites.agent_figures import details as agent_details
from trialkit.suites.agent_figures import told_calls
from trialkit.suites.roles import OTHER_JUDGE, called, judge_in_use, judge_spec
from trialkit.text.csvfile import KEY_COLUMN
from trialkit.vocabulary import Case, JudgeInUse

from .counting import details
from .shipped import SHIPPED

#: Imports inside methods are of what showing a run takes none of.
if TYPE_CHECKING:
    from .runner import CommodityRunner
    from .settings import CommoditySettings

__all__ = ["SUITE", "CommoditySettings"]

#: The shipped prompts, tools and scenarios, and the baseline's answers; a token is taken for four characters, and a
#: verdict's length is assumed.
_USUAL = {
    "analyzer": Usual(calls=1, input_tokens=760, output_tokens=160),
    "judge": Usual(calls=1, input_tokens=960, output_tokens=250),
}
_OFFLINE = "to try trialkit without a model: trialkit run commodity --model baseline"
_NO_JUDGE = f"{OTHER_JUDGE}, or judge without a model: --judge rules"
#: What `trialkit init` writes, where a run in that folder looks first → what is shipped.
_STARTER = {
    "golden/scenarios.csv": "golden/scenarios.csv",
    "analyzer_prompts/v1.txt": "prompts/analyzer_prompts/v1.txt",
    "judge_prompts/v1.txt": "prompts/judge_prompts/v1.txt",
}


class Commodity(Suite["CommoditySettings"]):
    name = "commodity"
    summary = "Price alerts for commodity positions, judged against a golden CSV by a model, by rules, or by both."
    settings = loaded("trialkit.suites.commodity.settings:CommoditySettings")
    beside = ("csv",)

    def content(self, settings: "CommoditySettings") -> Content:
        from .content import read_content  # noqa: PLC0415 - see above

        return read_content(settings, [judge.name for judge in self.judges(settings, {})])

    def prompts(self, settings: "CommoditySettings") -> Sequence[Prompt]:
        asked = {"analyzer": settings.analyzer_prompt} if settings.prompts_analyzer else {}
        asked |= {"judge": settings.judge_prompt} if settings.asks_judge else {}
        return [read_prompt(role, asked[role], f"{role}_prompts", SHIPPED / "prompts") for role in asked]

    def judge_prompts(self, settings: "CommoditySettings") -> Sequence[Prompt]:
        return self.prompts(settings.model_copy(update={"skip_analysis": True}))

    def roles(self, settings: "CommoditySettings", prompts: Mapping[str, Prompt]) -> Mapping[str, Role]:  # noqa: ARG002 - they follow from the settings
        from trialkit.suites.agents import agent_role, check_needs  # noqa: PLC0415 - see above

        from .analyzer import connect_service  # noqa: PLC0415 - see above

        roles = dict[str, Role]()
        if settings.analyzer_url and settings.agent:
            raise InputError("--agent and --analyzer-url each put somebody on trial; leave one of them out")
        if settings.analyzer_url and not settings.skip_analysis:
            roles["analyzer"] = Role(open=partial(connect_service, settings))
        elif settings.asks_model:
            roles["analyzer"] = Role(spec=subject_spec(settings), prompts=("analyzer",), hint=_OFFLINE)
        elif settings.prompts_analyzer:
            check_needs(settings, "model", "connection")
            agent = agent_role(settings, _OFFLINE, prompts=("analyzer",))
            roles |= {} if agent is None else {AGENT: agent}
        if settings.asks_judge:
            spec = judge_spec(settings, subject_used=any(role.spec for role in roles.values()))
            roles["judge"] = Role(spec=spec, phase="judge", prompts=("judge",), hint=_NO_JUDGE)
        return roles

    def judges(self, settings: "CommoditySettings", prompts: Mapping[str, Prompt]) -> Sequence[JudgeInUse]:
        if settings.skip_judge:
            return ()
        rules = JudgeInUse(name="rules", kind="rules")
        name = f"llm:{settings.judge_model}@{settings.judge_prompt}" + called(settings.judge_asks)
        llm = judge_in_use(name, "model", settings.judge_model, prompts.get("judge"))
        return {"rules": (rules,), "llm": (llm,), "both": (llm, rules)}[settings.judge_kind]

    def runner(self, settings: "CommoditySettings", prompts: Mapping[str, Prompt]) -> "CommodityRunner":
        from .runner import CommodityRunner  # noqa: PLC0415 - see above

        return CommodityRunner(settings, prompts, self.judges(settings, prompts))

    def rejudge_settings(self, recorded: Mapping[str, object], changes: Mapping[str, object]) -> dict[str, object]:
        """With another model or prompt of the judge's, the kind of judge that the run had must not stay the rules."""
        named = "judge" not in changes and any(name.startswith("judge_") for name in changes)
        kept = {name: value for name, value in recorded.items() if not (named and name == "judge")}
        return super().rejudge_settings({**kept, "skip_judge": False}, changes)

    def identity(self, case: Case) -> str:
        return hash_of(case.data["raw"]) if "raw" in case.data else ""

    def usual(self, settings: "CommoditySettings") -> Mapping[str, Usual]:  # noqa: ARG002 - the same for all
        return _USUAL

    def variants(self, case: Case, output: Mapping[str, Any]) -> Sequence[Variant]:
        from .scenarios import Scenario  # noqa: PLC0415 - see above
        from .variants import variants_of  # noqa: PLC0415 - see above

        return variants_of(Scenario.from_data(case.data), output)

    def label_row(self, case: Case, trial: RecordedTrial) -> Mapping[str, str]:
        cells = {column: cell for column, cell in case.data["raw"].items() if column != KEY_COLUMN}
        return {**cells, "Model Response": json.dumps(trial.output, ensure_ascii=False)}

    def row_case(self, row: Mapping[str, str]) -> Case:
        """Also of a CSV that has outcomes only, and does not tell what was asked."""
        from .scenarios import INPUT_COLUMNS  # noqa: PLC0415 - see above

        raw = {column: row[column] for column in INPUT_COLUMNS if column in row}
        return Case(
            id=row[KEY_COLUMN],
            title=row.get("Description", ""),
            group=row.get("Eval Type", ""),
            data={"raw": raw} if len(raw) == len(INPUT_COLUMNS) else {},
        )

    def exhibits(self, settings: "CommoditySettings", case: Case, trial: RecordedTrial) -> Sequence[Passage | Table]:  # noqa: ARG002 - they follow from the case
        from .exhibits import exhibits  # noqa: PLC0415 - see above

        return exhibits(case, trial)

    def told_calls(self, run: RunFile) -> Mapping[str, Mapping[int, int | None]]:
        return told_calls(run)

    def details(self, run: RunFile) -> Details:
        agent, counted = agent_details(run), details(run)
        return Details(metrics={**agent.metrics, **counted.metrics}, tables=(*agent.tables, *counted.tables))

    def formats(self) -> Mapping[str, Format]:
        from .results import results_csv  # noqa: PLC0415 - see above

        return {"csv": Format(suffix=".csv", write=results_csv)}

    def starter(self) -> Starter:
        files = {name: (SHIPPED / place).read_bytes().decode() for name, place in _STARTER.items()}
        return Starter(files=files, command="trialkit run commodity --model baseline")

    def generate(self, number: int, seed: int) -> str:
        from .generate import generate  # noqa: PLC0415 - no run needs it

        return generate(number, seed)


SUITE = Commodity()

if not TYPE_CHECKING:
    __getattr__ = door(__name__, {"settings": "CommoditySettings"})
