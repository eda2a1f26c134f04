"""What a new run takes over from one that there is: its cases, its trials and its prompts, as they were then."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trialkit.errors import InputError
from trialkit.runfile import ModelInUse, PlannedTrial, Prompt, RunFile, RunInfo
from trialkit.settings import GATES, Section, marked
from trialkit.suites import Content, Suite, changes_since, suite_of_run


@dataclass(frozen=True, kw_only=True, slots=True)
class Rerun:
    path: Path
    suite: Suite[Any]
    info: RunInfo
    content: Content
    prompts: Sequence[Prompt]
    models: Sequence[ModelInUse]

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

    def settings(self, *left_out: str) -> Mapping[str, object]:
        """The run's, without its gates, its name, and what is left out."""
        gates = [name for name, mark in marked(self.suite.settings, Section).items() if mark is GATES]
        return {
            **{name: value for name, value in self.info.settings.items() if name not in {*gates, "name", *left_out}},
            "output_dir": self.path.parent,
        }
