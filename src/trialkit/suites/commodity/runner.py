"""Phase 1 and phase 2 of a commodity trial: the analyzer's answer, and the judges' verdicts on it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from trialkit.models import Message, Request
from trialkit.runfile import Prompt
from trialkit.suites import Content, Runner, Trial
from trialkit.suites.agents import content_with
from trialkit.vocabulary import JudgeInUse, Verdict

from .agent import ask_agent
from .alerts import MALFORMED, TOOLS, Analysis, NoAlert, read_calls, read_service_answer
from .analyzer import analyzer_message, service_request
from .floors import BASELINES
from .judging import JUDGE, asked_together, check_covers, composed, judge_message, verdict_of
from .rules import judge_by_rules
from .scenarios import Scenario

if TYPE_CHECKING:  # pydantic takes longer to load than a short command may
    from .settings import CommoditySettings


class CommodityRunner(Runner):
    def __init__(
        self, settings: "CommoditySettings", prompts: Mapping[str, Prompt], judges: Sequence[JudgeInUse]
    ) -> None:
        self._settings = settings
        self._prompts = prompts
        self._judges = judges
        self._judge = replace(JUDGE, temperature=settings.temperature)

    async def meet(self, content: Content) -> Content:
        if not self._settings.agent or self._settings.skip_analysis:
            return content
        policy = self._prompts["analyzer"].text
        return await content_with(content, self._settings, self.connections, policy, TOOLS)

    async def attempt(self, trial: Trial) -> Mapping[str, object]:
        analysis, malformed = await self._analyse(trial, Scenario.from_data(trial.case.data))
        for one in malformed:
            trial.note(MALFORMED, **one)
        return analysis.to_data()

    async def judge(self, trial: Trial, output: Mapping[str, object]) -> Sequence[Verdict]:
        scenario, analysis = Scenario.from_data(trial.case.data), Analysis.from_data(output)
        return [
            judge_by_rules(scenario, analysis)
            if judge.kind == "rules"
            else replace(await self._ask_judge(trial, scenario, analysis), judge=judge.name)
            for judge in self._judges
        ]

    async def _analyse(self, trial: Trial, scenario: Scenario) -> tuple[Analysis, Sequence[NoAlert]]:
        if self._settings.analyzer_url:
            reply = await trial.ask("analyzer", service_request(scenario))
            return read_service_answer(reply.text, scenario.commodities)
        answers = None if self._settings.agent else BASELINES.get(self._settings.model)
        if answers is not None:
            return answers(scenario.positions, scenario.prices), ()
        user = analyzer_message(scenario)
        policy = self._prompts["analyzer"].text
        if self._settings.agent is not None:
            said, calls = await ask_agent(trial, self._settings, self.connections, policy, user)
            return read_calls(said, calls, scenario.commodities)
        trial.note("message", role="user", text=user)
        request = Request(
            messages=(Message(role="system", text=policy), Message(role="user", text=user)),
            tools=TOOLS,
            temperature=self._settings.temperature,
            seed=trial.seed,
        )
        reply = await trial.ask("analyzer", request)
        if reply.stop == "length":
            trial.note("cut off", role="analyzer", detail="the reply reached the longest that the model may write")
        return read_calls(reply.text, reply.tool_calls, scenario.commodities)

    async def _ask_judge(self, trial: Trial, scenario: Scenario, analysis: Analysis) -> Verdict:
        """Without a verdict on one part there is none, though another is a fail: else errors would hide passes only."""
        parts = []
        for checks in asked_together(scenario, self._settings.judge_asks):
            part = await self._judge.verdict(
                trial,
                self._prompts["judge"].text,
                judge_message(scenario, analysis, checks),
                check=partial(check_covers, checks=checks),
                to=partial(verdict_of, checks=checks),
            )
            if part.outcome == "error":
                return part
            parts.append(part)
        return composed(parts)
