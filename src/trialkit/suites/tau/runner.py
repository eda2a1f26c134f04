"""A tau suite with its settings and prompts in place: plays conversations and judges them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import cast

from trialkit.agents import get_agent
from trialkit.dialogue import Conversation, Opening, Output, Record, Rules, User
from trialkit.errors import InputError, JudgeError, ModelError
from trialkit.runfile import Prompt
from trialkit.suites import Content, Probe, Runner, Trial
from trialkit.suites.agents import agent_opening, greeted, outside_of
from trialkit.suites.tau import Domain, Score, Task
from trialkit.vocabulary import Case, Finding, Verdict

from .assertions import judge_assertions
from .common import verdicts
from .outside import met
from .probes import Probes
from .prompting import agent_system, fill, read_examples, user_strategy
from .roles import judge_name
from .settings import TauSettings
from .truth import play
from .users import open_user


class TauRunner(Runner):
    def __init__(self, domain: Domain, rules: Rules, settings: TauSettings, prompts: Mapping[str, Prompt]) -> None:
        self._domain = domain
        self._rules = rules
        self._settings = settings
        self._prompts = {role: prompt.text for role, prompt in prompts.items()}
        self._kind = get_agent(settings.agent_name)
        self._replays = "truth" in self._kind.needs
        self._strategy = user_strategy(settings)
        self._tasks = {task.id: task for task in self._domain.tasks(settings.task_split)}
        self._probes = Probes(self._domain, list(self._tasks.values()))
        self._system = agent_system(self._domain, self._prompts.get("agent", ""))
        self._examples = read_examples(prompts["examples"]) if "examples" in prompts else []

    async def meet(self, content: Content) -> Content:
        agent = outside_of(self._settings, self.connections)
        if agent is None:
            return content
        ready = await greeted(self._settings, agent, self._domain.policy, self._domain.tools)
        return met(content, self._settings, ready)

    async def attempt(self, trial: Trial) -> Mapping[str, object]:
        task = self._task(trial)
        record = Record(log=trial.note)
        agent = await self._kind.open(self._opening(trial, task, record))
        user = self._user(trial, task, record)
        environment = self._domain.open(task)
        conversation = Conversation(agent=agent, user=user, environment=environment, record=record, rules=self._rules)
        return {**await conversation.run()}

    async def judge(self, trial: Trial, output: Mapping[str, object]) -> Sequence[Verdict]:
        """From the output alone: its actions are replayed, which costs less than a model's reply to read."""
        task, output = self._task(trial), cast("Output", output)
        if verdicts.is_scored(output):
            verdict = await self._verdict(trial, task, output, self._domain.score(task, output["actions"]))
        else:
            verdict = verdicts.unscored(self._domain, task, output)
        return [replace(verdict, judge=judge_name(self._settings))]

    async def _verdict(self, trial: Trial, task: Task, output: Output, score: Score) -> Verdict:
        if not score.reward:  # what is lost already is not worth a judge
            return verdicts.scored(self._domain, task, output, score)
        try:
            findings = await self._asserted(trial, score.pending, output)
        except (JudgeError, ModelError) as error:
            return verdicts.no_verdict(f"the assertions could not be judged: {error}", output)
        if findings:
            score = score.judged([bool(finding.met) for finding in findings])
        if score.reward and not score.decided:
            return verdicts.no_verdict(f"the environment cannot decide: {'; '.join(score.why.undecided)}", output)
        return verdicts.scored(self._domain, task, output, score, findings)

    async def _asserted(self, trial: Trial, pending: Sequence[str], output: Output) -> Sequence[Finding]:
        if not pending:
            return ()
        if "judge" not in self._prompts:
            raise JudgeError(f"{len(pending)} natural-language assertions count, and no --judge-model was given")
        return await judge_assertions(
            trial, self._prompts["judge"], pending, output["messages"], self._settings.judge_asks
        )

    async def probes(self, case: Case, among: Sequence[Case]) -> Sequence[Probe]:  # noqa: ARG002 - the whole split
        return list(self._probes.of(self._tasks[case.id]))

    def _task(self, trial: Trial) -> Task:
        """As the run was planned with, or not at all: a task that changed since would be judged by another truth."""
        task, planned = self._tasks.get(trial.case.id), trial.case.data
        if task is None or task.instruction != planned["instruction"] or list(task.actions) != planned["actions"]:
            raise InputError(
                f"{self._domain.name}: task {trial.case.id} of the split {self._settings.task_split} is not what it "
                "was when the run began; give the same content again (--data-dir), or start a new run"
            )
        return task

    def _opening(self, trial: Trial, task: Task, record: Record) -> Opening:
        return agent_opening(
            self._settings,
            trial,
            record,
            self.connections,
            policy=self._domain.policy,
            tools=self._domain.tools,
            rules=self._rules,
            draws=Random(f"{self._settings.drawing_seed} {task.id} {trial.number}"),  # noqa: S311 - not a secret
            prompt=self._system,
            examples=self._examples,
            extra={"truth": tuple(play(task, self._rules, self._lines(task))[0])} if self._replays else {},
        )

    def _user(self, trial: Trial, task: Task, record: Record) -> User:
        opening = Opening(
            policy=fill(
                self._prompts.get("user", ""),
                instruction=task.instruction,
                guidelines=self._prompts.get("user guidelines", ""),
            ),
            ask=partial(trial.ask, "user"),
            note=record.note,
            tools=self._domain.user_tools,
            rules=self._rules,
            seed=trial.seed,
        )
        return open_user(
            self._strategy,
            opening,
            instruction=task.instruction,
            prompts={role.removeprefix("user "): text for role, text in self._prompts.items()},
            script=play(task, self._rules, self._lines(task))[1] if self._replays else self._lines(task),
        )

    def _lines(self, task: Task) -> list[str]:
        """Of a scripted user: without a script it says the instruction."""
        lines = [line for line in self._prompts.get("user script", "").splitlines() if line.strip()]
        return lines or [task.instruction]
