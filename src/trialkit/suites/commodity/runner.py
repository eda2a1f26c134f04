"""Phase 1 and phase 2 of a commodity trial: the analyzer's answer, and the judges' verdicts on it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial

from trialkit.models import Message, Request
from trialkit.runfile import Prompt
from trialkit.suites import Runner, Trial
from trialkit.vocabulary import Verdict

from .alerts import CREATE_ALERT, Analysed, Analysis, read_calls, read_service_answer
from .analyzer import analyzer_message
from .baseline import analyse
from .judging import JUDGE, check_covers, checks_for, judge_messages, verdict_of
from .roles import judges_in_use
from .rules import judge_by_rules
from .scenarios import Scenario
from .service import service_request
from .settings import CommoditySettings

_ALERT_TOOLS = (CREATE_ALERT,)


class CommodityRunner(Runner):
    def __init__(self, settings: CommoditySettings, prompts: Mapping[str, Prompt]) -> None:
        self._settings = settings
        self._prompts = prompts
        self._judges = judges_in_use(settings, prompts)
        self._judge = replace(JUDGE, temperature=settings.temperature)
        self._scenarios: dict[str, Scenario] = {}

    async def attempt(self, trial: Trial) -> Mapping[str, object]:
        scenario = self._scenario(trial)
        analysed = await self._analyse(trial, scenario)
        for malformed in analysed.malformed:
            trial.note("malformed alert", **asdict(malformed))
        return analysed.analysis.to_data()

    async def judge(self, trial: Trial, output: Mapping[str, object]) -> Sequence[Verdict]:
        scenario, analysis = self._scenario(trial), Analysis.from_data(output)
        return [
            judge_by_rules(scenario, analysis)
            if judge.kind == "rules"
            else replace(await self._ask_judge(trial, scenario, analysis), judge=judge.name)
            for judge in self._judges
        ]

    def _scenario(self, trial: Trial) -> Scenario:
        """Read once per case, not once per phase of each trial."""
        known = self._scenarios.get(trial.case.id)
        if known is None:
            known = self._scenarios[trial.case.id] = Scenario.from_data(trial.case.data)
        return known

    async def _analyse(self, trial: Trial, scenario: Scenario) -> Analysed:
        if self._settings.analyzer_url:
            reply = await trial.ask("analyzer", service_request(scenario))
            return read_service_answer(reply.text, scenario.commodities)
        if self._settings.model == "baseline":
            return Analysed(analysis=analyse(scenario.positions, scenario.prices), malformed=())
        system, user = self._prompts["analyzer"].text, analyzer_message(scenario)
        trial.note("message", role="user", text=user)
        request = Request(
            messages=(Message(role="system", text=system), Message(role="user", text=user)),
            tools=_ALERT_TOOLS,
            temperature=self._settings.temperature,
            seed=trial.seed,
        )
        reply = await trial.ask("analyzer", request)
        if reply.stop == "length":
            trial.note("cut off", role="analyzer", detail="the reply reached the longest that the model may write")
        return read_calls(reply.text, reply.tool_calls, scenario.commodities)

    async def _ask_judge(self, trial: Trial, scenario: Scenario, analysis: Analysis) -> Verdict:
        system, user = judge_messages(scenario, analysis, self._prompts["judge"].text)
        checks = checks_for(scenario)
        return await self._judge.verdict(
            trial, system, user, check=partial(check_covers, checks=checks), to=partial(verdict_of, checks=checks)
        )
