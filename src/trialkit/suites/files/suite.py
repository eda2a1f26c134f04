"""A suite that stands in a YAML file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from trialkit.agents import Need, get_agent
from trialkit.errors import InputError
from trialkit.judges.kinds import NamedJudge, StateKind, transcript_of
from trialkit.runfile import PlannedTrial, Prompt, RecordedTrial, RunFile
from trialkit.settings import JudgeSettings
from trialkit.suites.agent_figures import ROLE, told_calls
from trialkit.suites.agent_figures import details as agent_details
from trialkit.suites.agents import agent_role, agent_subject, check_needs
from trialkit.suites.base import Suite
from trialkit.suites.cast import Role
from trialkit.suites.content import Content, Details
from trialkit.suites.extras import Usual
from trialkit.suites.hashing import hash_of
from trialkit.suites.prompts import new_prompt
from trialkit.suites.roles import OTHER_JUDGE, judge_in_use, judge_spec, other_spec, subject_spec
from trialkit.suites.variants import Variant, text_variants
from trialkit.text.json import JsonObject
from trialkit.text.short import shortened
from trialkit.text.template import written
from trialkit.vocabulary import Case, JudgeInUse

from .asking import asked_prompts, shows_files, templates_of
from .document import Document
from .figures import details_of
from .mcp_tools import servers_role
from .persona import ROLE as USER
from .persona import user_prompt, user_system
from .runner import FileRunner
from .settings import BASELINE, FileSettings, TalkSettings

#: Of an answer and of a verdict, assumed; a token is taken for four characters.
_ANSWER_TOKENS = 150
#: Calls of each party to a conversation that nobody has seen yet; the longer it is, the more each of them reads.
_TURNS = 6


@dataclass(frozen=True, kw_only=True, slots=True)
class Recipe:
    """What a suite's file comes to, with whatever it names in its place but Python and pictures."""

    name: str
    folder: Path  # that files are named from
    document: Document
    judges: Sequence[NamedJudge]  # the one that decides first
    settings: type[FileSettings]
    definition: JsonObject
    cases: Sequence[Case] = ()  # none where it was made again from a run file, which has them
    notices: Sequence[str] = ()


class FileSuite(Suite[FileSettings]):
    rival_judges = False  # each looks at something else

    def __init__(self, made: Recipe) -> None:
        self.name = made.name
        self.summary = made.document.summary or f"{made.name}: {len(made.cases)} cases."
        self.settings = made.settings
        first, *others = [judge.measure for judge in made.judges]
        self.measures = (first, *(measure for measure in others if measure.kind == "score"))
        self.matrix = made.document.matrix
        self.definition = made.definition
        self._made = made

    def content(self, settings: FileSettings) -> Content:
        self._check_subject(settings)
        cases = self._chosen(settings)
        return Content(
            subject=settings.model if settings.agent is None else agent_subject(settings),
            cases=cases,
            trials=[PlannedTrial(case_id=case.id, number=n + 1) for case in cases for n in range(settings.trials)],
            versions={f"{self.name} sha256": hash_of([self.identity(case) for case in cases])},
            notices=self._made.notices,
        )

    def prompts(self, settings: FileSettings) -> Sequence[Prompt]:
        versions = {role: getattr(settings, role, None) for role in ("prompt", "system")}
        answered = settings.model == BASELINE and settings.agent is None
        document = self._made.document
        asked = [] if answered else asked_prompts(document, self._made.folder, versions)
        if document.user is not None and "truth" not in get_agent(settings.agent_name).needs:
            asked += user_prompt(document.user, getattr(settings, "user_prompt", "v1"))
        return [*asked, *self._judging()]

    def judge_prompts(self, settings: FileSettings) -> Sequence[Prompt]:  # noqa: ARG002 - the same for all
        return self._judging()

    def roles(self, settings: FileSettings, prompts: Mapping[str, Prompt]) -> Mapping[str, Role]:
        own = tuple(role for role in prompts if role != USER and not role.startswith(_JUDGE))
        roles = dict[str, Role]()
        if self._made.document.user is not None:
            truth = any(isinstance(one.kind, StateKind) for one in self._made.judges)
            roles |= _talking_roles(settings, prompts, own, truth=truth)
        elif settings.agent is not None:
            roles |= _agent_roles(settings, prompts, own)
        elif settings.model != BASELINE:
            acts = self._made.document.tools is not None
            roles["model"] = Role(spec=subject_spec(settings), prompts=own, converses=acts)
        if not self._answers(settings):
            roles |= servers_role(self._made.document.tools or ())
        if isinstance(settings, JudgeSettings):
            asked = tuple(prompt.role for prompt in self._judging())
            spec = judge_spec(settings, subject_used=any(one.spec for one in roles.values()))
            roles["judge"] = Role(spec=spec, phase="judge", prompts=asked, hint=OTHER_JUDGE)
        return roles

    def judges(self, settings: FileSettings, prompts: Mapping[str, Prompt]) -> Sequence[JudgeInUse]:
        model = settings.judge_model if isinstance(settings, JudgeSettings) else ""
        return [
            judge_in_use(
                one.name,
                one.kind.name,
                model if one.calls else "",
                prompts.get(f"{_JUDGE}{one.name}"),
            )
            for one in self._made.judges
        ]

    def explain(self, settings: FileSettings, case: Case) -> Mapping[str, str]:  # noqa: ARG002 - the same for all
        return {one.name: one.explain(case.data) for one in self._made.judges}

    def runner(self, settings: FileSettings, prompts: Mapping[str, Prompt]) -> FileRunner:
        made = self._made
        return FileRunner(made.document, made.folder, made.judges, settings, prompts)

    def usual(self, settings: FileSettings) -> Mapping[str, Usual]:
        """By the length of what the first cases are asked."""
        prompts = {prompt.role: prompt for prompt in self.prompts(settings)}
        asked = sum(len(prompt.text) for role, prompt in prompts.items() if not role.startswith(_JUDGE))
        data = [sum(len(written(value)) for value in case.data.values()) for case in self._made.cases[:20]]
        size = (asked + max(data, default=0)) / 4
        calls = sum(one.calls for one in self._made.judges)
        answer, said = Usual(calls=1, input_tokens=size, output_tokens=_ANSWER_TOKENS), 2 * _ANSWER_TOKENS
        played = {ROLE if settings.agent else "model": answer}
        if self._made.document.user is not None:
            said = 2 * _TURNS * _ANSWER_TOKENS
            talk = replace(answer, calls=_TURNS, input_tokens=size + said / 2)
            played = {ROLE: talk, USER: talk}
        judge = Usual(calls=calls, input_tokens=size + said, output_tokens=_ANSWER_TOKENS)
        return {**played, "judge": judge}

    def variants(self, case: Case, output: Mapping[str, Any]) -> Sequence[Variant]:  # noqa: ARG002 - the answer alone
        return text_variants(output, ("text",))

    def label_row(self, case: Case, trial: RecordedTrial) -> Mapping[str, str]:
        cells = {column: written(value) for column, value in case.data.items()}
        output = trial.output or {}
        answer = {"Answer": str(output.get("text", ""))}
        if self._made.document.user is not None:
            answer = {"Conversation": transcript_of(output.get("messages", ()))}
        return {**cells, **answer, **super().label_row(case, trial)}

    def facts(self, trial: RecordedTrial) -> Mapping[str, object]:
        """What the other judges said."""
        return {
            one.judge: one.outcome
            if one.score is None and not one.scores
            else next(iter(one.scores.values()), one.score)
            for one in trial.verdicts
            if trial.decided and one.judge != trial.decided.judge
        }

    def failure(self, trial: RecordedTrial) -> str:
        """What was taken for what, of classes; else, of several judges, which of them say so."""
        decided, judges = trial.decided, self._made.judges
        if decided and judges[0].classes and "truth" in decided.details:
            return f"{decided.details['said'] or 'no class'}, not {decided.details['truth']}"
        return ", ".join(one.judge for one in trial.verdicts if one.outcome == "fail") if len(judges) > 1 else ""

    def scenario(self, case: Case) -> str:
        user = self._made.document.user
        return user_system(user, "{part}", case.data) if user else ""

    def told_calls(self, run: RunFile) -> Mapping[str, Mapping[int, int | None]]:
        return told_calls(run)

    def details(self, run: RunFile) -> Details:
        agent, judges = agent_details(run), details_of(run, self._made.judges)
        return Details(metrics={**agent.metrics, **judges.metrics}, tables=(*agent.tables, *judges.tables))

    def _answers(self, settings: FileSettings) -> bool:
        """Whether it is the baseline, and nobody is asked."""
        return settings.model == BASELINE and settings.agent is None and self._made.document.user is None

    def _check_subject(self, settings: FileSettings) -> None:
        document, answers = self._made.document, self._answers(settings)
        if answers and document.baseline is None:
            raise InputError(
                f"--model {BASELINE}: {self.name} has none; add `baseline: FILE.py:NAME`, a function that answers"
            )
        if not answers and not any((document.prompt, document.messages, document.user)):
            raise InputError(f"--model {settings.model}: {self.name} asks nothing; add `prompt:`, or run its baseline")

    def _chosen(self, settings: FileSettings) -> Sequence[Case]:
        cases, known = self._made.cases, {case.id for case in self._made.cases}
        if unknown := [name for name in settings.ids if name not in known]:
            some = ", ".join(shortened(case.id, 20) for case in cases[:20])
            raise InputError(
                f"--ids: there is no case {', '.join(unknown)}; there are {some}{', …' * (len(cases) > 20)}"
            )
        kept = [case for case in cases if not settings.ids or case.id in settings.ids]
        return kept[: settings.first]

    def _judging(self) -> list[Prompt]:
        found = [(one.name, one.kind.prompt(one.settings)) for one in self._made.judges]
        return [new_prompt(f"{_JUDGE}{name}", one.version, one.text) for name, one in found if one is not None]


def _talking_roles(
    settings: FileSettings, prompts: Mapping[str, Prompt], own: tuple[str, ...], *, truth: bool
) -> dict[str, Role]:
    check_needs(settings, *_GIVEN, *(_KNOWS_TRUTH if truth else ()))
    roles = dict[str, Role]()
    if role := agent_role(settings, prompts=own):
        roles[ROLE] = role
    if USER in prompts and isinstance(settings, TalkSettings):
        name, there = settings.user_model or settings.model, bool(roles) and roles[ROLE].spec is not None
        provider = None if settings.user_model else settings.provider
        where = settings.user_api_base
        spec = other_spec(settings, name, provider=provider, api_base=where, subject_used=there, flags="user_")
        roles[USER] = Role(spec=spec, prompts=(USER,), converses=True)
    return roles


def _agent_roles(settings: FileSettings, prompts: Mapping[str, Prompt], own: tuple[str, ...]) -> dict[str, Role]:
    """InputError where an agent cannot be told what the suite asks."""
    check_needs(settings, *_GIVEN)
    asked = [text for _, role, text in templates_of(prompts) if role != "system"] if own else []
    if len(asked) != 1 or shows_files(asked[0]):
        what = "files to look at" if len(asked) == 1 else "several messages to go on with" if asked else "no prompt"
        raise InputError(f"--agent {settings.agent}: an agent is asked one text, and the suite has {what}; use --model")
    role = agent_role(settings, prompts=own)
    return {} if role is None else {ROLE: role}


_JUDGE = "judge "
#: What agents are given; and where a judge knows what is right.
_GIVEN: tuple[Need, ...] = ("model", "connection")
_KNOWS_TRUTH: tuple[Need, ...] = ("truth",)
