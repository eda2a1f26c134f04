"""Who judges recorded answers once more: a run's own judges, or others that its settings are changed to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Self

from trialkit.errors import InputError
from trialkit.models import Options
from trialkit.runfile import Prompt, RecordedTrial, RunFile, RunInfo, refuse_going_on
from trialkit.settings import PromptOf, RunSettings, marked
from trialkit.suites import Role, Suite, suite_of_run
from trialkit.vocabulary import JudgeInUse, Verdict

from .connect import connected, traffic_of
from .executor import judged
from .ready import read_settings
from .revisiting import Revisited, Visit, revisit, revisited
from .setup import Setup
from .trial import LiveTrial


@dataclass(frozen=True, kw_only=True, slots=True)
class Panel:
    path: Path
    setup: Setup
    names: tuple[str, ...]  # what their verdicts are signed with
    answered: Sequence[RecordedTrial]  # the trials that there is an answer of

    @classmethod
    def of(cls, path: Path, changes: Mapping[str, object]) -> Self:
        """`changes` are settings of the judge's. Refused while the run goes on."""
        refuse_going_on(path)
        with RunFile(path) as run:
            info, rows, recorded = run.info(), run.trials(), run.prompts()
        suite = suite_of_run(info)
        settings = read_settings(suite, path, suite.rejudge_settings({**info.settings, "max_cost": None}, changes))
        prompts = _prompts(suite, settings, recorded, changes)
        setup = Setup.of(suite, settings, prompts)
        if not setup.judges:
            raise InputError(f"{path}: by these settings nobody judges; name a judge")
        return cls(
            path=path,
            setup=setup,
            names=tuple(
                _name(judge, info.judges, prompts, recorded) + (_asked_otherwise(info, settings) if judge.model else "")
                for judge in setup.judges
            ),
            answered=[row for row in rows if row.ended is not None and row.output is not None],
        )

    @property
    def author(self) -> str:
        return ", ".join(self.names)

    @property
    def roles(self) -> dict[str, Role]:
        """The models that are asked."""
        return {name: role for name, role in self.setup.roles().items() if role.phase == "judge"}

    async def judge(self, trial: LiveTrial, output: Mapping[str, Any]) -> list[Verdict]:
        verdicts = await judged(self.setup, trial, output)
        return [replace(verdict, judge=name) for verdict, name in zip(verdicts, self.names, strict=True)]

    async def visit(self, rows: Sequence[RecordedTrial], visit: Visit) -> Revisited:
        settings = self.setup.settings
        traffic = traffic_of(settings)
        async with connected(self.roles, settings, traffic) as peers:
            return await revisit(
                self.path,
                rows,
                visit,
                live=revisited(settings, self.setup.prompts, self.setup.options()),
                settings=settings,
                peers=peers,
                traffic=traffic,
            )


def _prompts(
    suite: Suite, settings: RunSettings, recorded: Sequence[Prompt], changes: Mapping[str, object]
) -> Sequence[Prompt]:
    """The judges': as the run has them, or read anew where a version is asked for or the run has none."""
    before = {prompt.role: prompt for prompt in recorded}
    wanted = {mark.role for name, mark in marked(suite.settings, PromptOf).items() if name in changes}
    judging = {role for one in suite.roles(settings, before).values() if one.phase == "judge" for role in one.prompts}
    if judging and judging <= before.keys() and not judging & wanted:
        return [before[role] for role in judging]
    return suite.judge_prompts(settings)


def _asked_otherwise(info: RunInfo, settings: RunSettings) -> str:
    """A model that thinks more, or may write less, is another judge, too."""
    now = settings.to_data()
    names = [name for name in (f"judge_{option.name}" for option in fields(Options)) if name in now]
    changed = [f"{name.removeprefix('judge_')}={now[name]}" for name in names if now[name] != info.settings.get(name)]
    return f" ({', '.join(changed)})" if changed else ""


def _name(judge: JudgeInUse, own: Sequence[JudgeInUse], prompts: Sequence[Prompt], recorded: Sequence[Prompt]) -> str:
    """A version whose text was changed since is another judge: the hash tells it apart. So is another model."""
    models = {one.name: one.model for one in own if one.model}
    name = f"{judge.name} with {judge.model}" if models.get(judge.name, judge.model) != judge.model else judge.name
    before = {(prompt.role, prompt.version): prompt.hash for prompt in recorded}
    changed = any(
        prompt.hash == judge.prompt_hash != before.get((prompt.role, prompt.version), prompt.hash) for prompt in prompts
    )
    return f"{name}#{judge.prompt_hash[:8]}" if changed and judge.prompt_hash else name
