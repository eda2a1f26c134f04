"""What a new run takes over from one that there is: its cases, its trials and its prompts, as they were then."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trialkit.errors import InputError
from trialkit.runfile import ModelInUse, PlannedTrial, Prompt, RunFile, RunInfo
from trialkit.settings import GATES, Section, marked
from trialkit.suites import Content, Peer, Role, Suite, changes_since, suite_of_run

from .ready import as_begun, check_models, read_settings
from .setup import Setup


@dataclass(frozen=True, kw_only=True, slots=True)
class Rerun:
    path: Path
    suite: Suite[Any]
    info: RunInfo
    content: Content
    prompts: Sequence[Prompt]
    models: Sequence[ModelInUse]  # those that are to be the same

    def roles(self, setup: Setup) -> Mapping[str, Role]:
        return as_begun(setup.roles(), self.models)

    async def planned(self, setup: Setup, peers: Mapping[str, Peer], content: Content) -> Content:  # noqa: ARG002
        """The content, once it is known who plays the roles. InputError where one is not who it is to be."""
        check_models(self.path, self.models, peers)
        return content

    @classmethod
    def of(cls, path: Path) -> "Rerun":
        with RunFile(path) as run:
            info, cases, rows = run.info(), run.cases(), run.trials(answers=False)
            prompts, models = run.prompts(), run.models()
        if "imported from" in info.versions:
            raise InputError(f"{path}: it was imported, and what is needed to run it again is not known")
        content = Content(
            subject=info.subject,
            cases=cases,
            trials=[PlannedTrial(case_id=row.case_id, number=row.number) for row in rows],
            versions={name: version for name, version in info.versions.items() if name != "trialkit"},
            notices=changes_since(info),
        )
        return cls(path=path, suite=suite_of_run(info), info=info, content=content, prompts=prompts, models=models)

    @property
    def subject(self) -> str:
        """The role on trial; empty: nobody is asked."""
        settings = read_settings(self.suite, self.path, self.info.settings)
        return next(iter(self.suite.roles(settings, {prompt.role: prompt for prompt in self.prompts})), "")

    def settings(self, *left_out: str) -> Mapping[str, object]:
        """The run's, without its gates, its name, and what is left out."""
        gates = [name for name, mark in marked(self.suite.settings, Section).items() if mark is GATES]
        return {
            **{name: value for name, value in self.info.settings.items() if name not in {*gates, "name", *left_out}},
            "output_dir": self.path.parent,
        }
