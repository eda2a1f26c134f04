"""From the benchmark's content to the cases and trials of a run."""

import hashlib
import json
import shlex
from collections.abc import Sequence
from dataclasses import asdict
from random import Random

from trialkit.errors import InputError
from trialkit.runfile import PlannedTrial
from trialkit.suites import FREE, Content
from trialkit.suites.agents import agent_subject
from trialkit.vocabulary import CONTENT, Case

from .common.domain import Domain
from .common.tasks import Malformed, Task
from .probes import passes_for_nothing
from .settings import TauSettings

_SHOWN_PROBLEMS = 20


def read_content(domain: Domain, settings: TauSettings) -> Content:
    tasks, malformed = chosen(domain, settings)
    notices = _problems_in(domain, tasks, malformed, settings)
    asserting = sum(task.counts_assertions for task in tasks)
    if asserting and settings.judge_model is None:
        notices.append(
            f"{asserting} tasks count natural-language assertions; without --judge-model their trials end in error"
        )
    return Content(
        subject=agent_subject(settings),
        cases=[_case(task, domain) for task in tasks],
        trials=planned(settings, [task.id for task in tasks]),
        versions=versions_of(domain, settings.task_split),
        notices=notices,
    )


def planned(settings: TauSettings, task_ids: Sequence[str]) -> list[PlannedTrial]:
    numbers = range(1, settings.trials + 1)
    trials = [PlannedTrial(case_id=task_id, number=number) for number in numbers for task_id in task_ids]
    if settings.shuffle:
        Random(settings.drawing_seed).shuffle(trials)  # noqa: S311 - an order, not a secret
    return trials


def _case(task: Task, domain: Domain) -> Case:
    return Case(
        id=task.id,
        title=task.title,
        group=task.split,
        data={"split": task.split, "id": task.id, **told_of(task)},
        tags=(FREE,) if passes_for_nothing(domain, task) else (),
    )


def told_of(task: Task) -> dict[str, object]:
    """What is asked, and the truth."""
    more = {
        name: asdict(part)
        for name, part in (  # tau2 has more to it
            ("scenario", task.scenario),
            ("criteria", task.criteria),
            ("initial_state", task.initial_state),
        )
        if part is not None
    }
    return {**task.asked(), **more}


def versions_of(domain: Domain, split: str) -> dict[str, str]:
    told = {f"{domain.name} sha256": digest(domain, split)}
    return told | ({CONTENT: domain.content} if domain.content else {})


def digest(domain: Domain, split: str) -> str:
    """Of what decides about a trial."""
    tasks = [task.to_data() for task in domain.tasks(split)]
    parts = [domain.policy, list(domain.tool_schemas), tasks, domain.tables]
    content = json.dumps(parts, sort_keys=True, default=str)
    return hashlib.sha256(content.encode()).hexdigest()


def chosen(domain: Domain, settings: TauSettings) -> tuple[Sequence[Task], Sequence[Malformed]]:
    """The tasks to run, and what stands among them that is none."""
    if not domain.listed(settings.task_split):
        raise InputError(
            f"{domain.name}: the split {settings.task_split} has no tasks; choose another with --task-split: "
            f"{', '.join(domain.splits)}"
        )
    listed = _named(domain, settings) if settings.task_ids else _between(domain, settings)
    tasks = [one for one in listed if not isinstance(one, Malformed)]
    malformed = [one for one in listed if isinstance(one, Malformed)]
    if malformed and (settings.task_ids or not tasks):
        raise InputError(
            f"{domain.name}: the task {malformed[0].id} of the split {settings.task_split} cannot be read: "
            f"{malformed[0].why}"
        )
    under_way = [task.id for task in tasks if task.history]
    if under_way:
        raise InputError(
            f"{domain.name}: the tasks {', '.join(under_way)} begin in the middle of a conversation, which trialkit "
            "does not play; choose others with --task-ids"
        )
    return tasks, malformed


def _between(domain: Domain, settings: TauSettings) -> Sequence[Task | Malformed]:
    """By place, where a task that cannot be read keeps its own."""
    listed: Sequence[Task | Malformed] = domain.listed(settings.task_split)
    first, behind = settings.start_index, settings.end_index
    chosen = listed[first : len(listed) if behind == -1 else behind]
    if not chosen:
        raise InputError(
            f"--start-index {first} --end-index {behind}: no task lies between; the split {settings.task_split} of "
            f"{domain.name} has {len(listed)} tasks, counted from 0"
        )
    return chosen


def _named(domain: Domain, settings: TauSettings) -> Sequence[Task | Malformed]:
    if settings.start_index or settings.end_index != -1:
        raise InputError("--task-ids names the tasks already: leave --start-index and --end-index out")
    by_id: dict[str, Task | Malformed] = {one.id: one for one in domain.listed(settings.task_split)}
    unknown = [wanted for wanted in settings.task_ids if wanted not in by_id]
    if unknown:
        ids = list(by_id)
        known = ", ".join(ids) if len(ids) <= 12 else f"{', '.join(ids[:3])} … {ids[-1]}"
        raise InputError(
            f"--task-ids: the split {settings.task_split} of {domain.name} has no task {', '.join(unknown)}; "
            f"it has {known}"
        )
    return [by_id[task_id] for task_id in dict.fromkeys(settings.task_ids)]


def _problems_in(
    domain: Domain, tasks: Sequence[Task], malformed: Sequence[Malformed], settings: TauSettings
) -> list[str]:
    off = {task.id: wrong for task in tasks if (wrong := domain.check(task))}
    found = {one.id: [one.why] for one in malformed} | off
    if not found:
        return []
    count = len(tasks) + len(malformed)
    if settings.strict:
        lines = [f"  task {task_id}: {'; '.join(wrong)}" for task_id, wrong in found.items()]
        more = [f"  and {len(lines) - _SHOWN_PROBLEMS} more"] if len(lines) > _SHOWN_PROBLEMS else []
        shown = "\n".join([*lines[:_SHOWN_PROBLEMS], *more])
        raise InputError(
            f"{domain.name}: something is off in the ground truth of {len(found)} of {count} tasks, and --strict "
            f"is given; leave it out, or choose other tasks with --task-ids\n{shown}"
        )
    where = f" --data-dir {shlex.quote(str(settings.data_dir))}" if settings.data_dir else ""
    fix = f"`trialkit data check {domain.name}{where}` shows it, --strict refuses to run"
    notices = [f"something is off in the ground truth of {len(off)} of {count} tasks; {fix}"] if off else []
    if malformed:
        ids = ", ".join(one.id for one in malformed)
        notices.append(f"{len(malformed)} of {count} tasks cannot be read and are left out ({ids}); {fix}")
    return notices
