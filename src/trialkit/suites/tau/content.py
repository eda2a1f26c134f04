"""From the benchmark's content to the cases and trials of a run."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from random import Random
from typing import TYPE_CHECKING

from trialkit.agents import get_agent
from trialkit.runfile import PlannedTrial
from trialkit.suites import Content
from trialkit.suites.tau import Domain, Task, outside
from trialkit.suites.tau.choosing import chosen, problems_in
from trialkit.suites.tau.settings import TauSettings
from trialkit.vocabulary import Case

if TYPE_CHECKING:
    from trialkit.agents.outside import Answer

_TITLE = 80


def read_content(domain: Domain, settings: TauSettings) -> Content:
    tasks, malformed = chosen(domain, settings)
    notices = problems_in(domain, tasks, malformed, settings)
    asserting = sum(task.counts_assertions for task in tasks)
    if asserting and settings.judge_model is None:
        notices.append(
            f"{asserting} tasks count natural-language assertions; without --judge-model their trials end in error"
        )
    return Content(
        subject=_subject(settings),
        cases=[_case(task) for task in tasks],
        trials=_planned(settings, [task.id for task in tasks]),
        versions={f"{domain.name} sha256": digest(domain, settings.task_split)},
        notices=notices,
    )


def met(content: Content, settings: TauSettings, agent: "Answer") -> Content:
    """The content of a run with an agent that has told of itself: which tasks it has no tools for, say."""
    skipped = outside.skipped(settings, agent, content.cases)
    return replace(
        content,
        subject=outside.name_of(agent),
        cases=[replace(case, skipped=skipped.get(case.id, "")) for case in content.cases],
        trials=_planned(settings, [case.id for case in content.cases if case.id not in skipped]),
        versions={**content.versions, **outside.versions(agent)},
        notices=[*content.notices, *outside.notices(agent, skipped)],
    )


def _planned(settings: TauSettings, task_ids: Sequence[str]) -> list[PlannedTrial]:
    numbers = range(1, settings.trials + 1)
    trials = [PlannedTrial(case_id=task_id, number=number) for number in numbers for task_id in task_ids]
    if settings.shuffle:
        Random(settings.drawing_seed).shuffle(trials)  # noqa: S311 - an order, not a secret
    return trials


def _case(task: Task) -> Case:
    words = " ".join(task.instruction.split())
    more = {
        name: asdict(part)
        for name, part in (  # tau2 has more to it
            ("scenario", task.scenario),
            ("criteria", task.criteria),
            ("initial_state", task.initial_state),
        )
        if part is not None
    }
    return Case(
        id=task.id,
        title=words if len(words) <= _TITLE else f"{words[: _TITLE - 1]}…",
        group=task.split,
        data={
            "split": task.split,
            "id": task.id,
            **task.asked(),
            **more,
        },
    )


def _subject(settings: TauSettings) -> str:
    name = settings.agent_name
    if "model" not in get_agent(name).needs:
        return name
    bare = settings.provider is not None and "/" not in settings.model
    return f"{name} {settings.provider}/{settings.model}" if bare else f"{name} {settings.model}"


def digest(domain: Domain, split: str) -> str:
    """Of what decides about a trial."""
    tasks = [task.to_data() for task in domain.tasks(split)]
    parts = [domain.policy, list(domain.tool_schemas), tasks, domain.tables]
    content = json.dumps(parts, sort_keys=True, default=str)
    return hashlib.sha256(content.encode()).hexdigest()
