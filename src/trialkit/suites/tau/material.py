"""From the benchmark's content to the cases and trials of a run."""

import hashlib
import json
import re
import shlex
from collections.abc import Sequence
from dataclasses import asdict, replace
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from trialkit.agents import get_agent
from trialkit.errors import InputError
from trialkit.runfile import PlannedTrial, Prompt
from trialkit.suites import Content
from trialkit.suites.prompts import read_prompt
from trialkit.suites.tau import Domain, Malformed, Task, load_domain, outside
from trialkit.suites.tau.settings import TauSettings
from trialkit.suites.tau.users import UserStrategy
from trialkit.vocabulary import Case

if TYPE_CHECKING:
    from trialkit.agents.outside import Answer

_TITLE = 80
#: What else of our prompts a user strategy needs, beside the user's own.
_STRATEGY_PROMPTS = {"react": ("react",), "verify": ("check",), "reflection": ("check", "rewrite")}
_SHOWN_PROBLEMS = 20
_SHIPPED = files("trialkit.suites.tau") / "prompts"


def read_content(suite: str, settings: TauSettings) -> Content:
    domain = load_domain(suite, settings.data_dir)
    tasks, malformed = _chosen(domain, settings)
    notices = _problems(domain, tasks, malformed, settings)
    asserting = sum(task.counts_assertions for task in tasks)
    if asserting and settings.judge_model is None:
        notices.append(
            f"{asserting} tasks count natural-language assertions; without --judge-model their trials end in error"
        )
    return Content(
        subject=_subject(settings),
        cases=[_case(task) for task in tasks],
        trials=_planned(settings, [task.id for task in tasks]),
        versions={f"{suite} sha256": digest(domain, settings.task_split)},
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


def read_prompts(suite: str, settings: TauSettings) -> list[Prompt]:
    prompts = [*_prompts(suite, settings), *read_judge_prompts(suite, settings)]
    return prompts + _guidelines(load_domain(suite, settings.data_dir), prompts)


def read_judge_prompts(suite: str, settings: TauSettings) -> list[Prompt]:
    tasks, _ = _chosen(load_domain(suite, settings.data_dir), settings)
    if settings.judge_model is None or not any(task.counts_assertions for task in tasks):
        return []
    return [read_prompt("judge", "v1", "assertion_prompts", _SHIPPED)]


def agent_system(domain: Domain, template: str) -> str:
    """What an agent with a prompt of its own is told: policy, tools and form."""
    tools = json.dumps([schema["function"] for schema in domain.tool_schemas], ensure_ascii=False, indent=1)
    return fill(template, policy=domain.policy, tools=tools)


def user_strategy(settings: TauSettings) -> UserStrategy:
    if "truth" not in get_agent(settings.agent_name).needs:
        return settings.user_strategy or "llm"
    if settings.user_strategy not in {None, "scripted"}:
        raise InputError(
            f"--user-strategy {settings.user_strategy}: the {settings.agent_name} replays the ground truth and talks "
            "to a scripted user only; leave the option out"
        )
    return "scripted"


def fill(template: str, **values: str) -> str:
    """The template with each `{name}` replaced, in one go: what is filled in is not looked at again."""
    return re.sub(r"\{(\w+)\}", lambda found: values.get(found[1], found[0]), template)


def _chosen(domain: Domain, settings: TauSettings) -> tuple[Sequence[Task], Sequence[Malformed]]:
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


def _problems(
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


def _prompts(suite: str, settings: TauSettings) -> list[Prompt]:
    needs = get_agent(settings.agent_name).needs
    prompts = []
    if "prompt" in needs:
        version = settings.agent_prompt or f"{settings.agent_name}-v1"
        prompts.append(_with_places(read_prompt("agent", version, "agent_prompts", _SHIPPED), "{policy}", "{tools}"))
    if "examples" in needs:
        prompts.append(_file_prompt("examples", settings.few_shot_displays_path, "--few-shot-displays-path"))
        read_examples(prompts[-1])
    strategy = user_strategy(settings)
    if strategy == "scripted":
        if settings.user_script is not None:
            prompts.append(_file_prompt("user script", settings.user_script, "--user-script"))
        return prompts
    version = settings.user_prompt or ("tau2-v1" if suite.startswith("tau2/") else "v1")
    prompts.append(_with_places(read_prompt("user", version, "user_prompts", _SHIPPED), "{instruction}"))
    more = _STRATEGY_PROMPTS.get(strategy, ())
    return [*prompts, *(read_prompt(f"user {name}", f"{name}-v1", "user_prompts", _SHIPPED) for name in more)]


def _guidelines(domain: Domain, prompts: Sequence[Prompt]) -> list[Prompt]:
    """tau2's own rules for the user: without them its prompt would not be all that the user was told."""
    wanted = any("{guidelines}" in prompt.text for prompt in prompts if prompt.role == "user")
    text = domain.user_guidelines if wanted else ""
    return [_prompt("user guidelines", domain.name, text)] if text else []


def _with_places(prompt: Prompt, *places: str) -> Prompt:
    missing = [place for place in places if place not in prompt.text]
    if missing:
        raise InputError(
            f"the {prompt.role} prompt {prompt.version} has no {' and no '.join(missing)}; write it where that belongs"
        )
    return prompt


def _file_prompt(role: str, path: Path | None, flag: str) -> Prompt:
    """A file of the user's, kept in the run file so that the run can be resumed and replayed without it."""
    if path is None:
        raise InputError(f"this agent needs {flag} FILE")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{flag} {path}: cannot be read as UTF-8 text: {error}") from None
    if not text.strip():
        raise InputError(f"{flag} {path}: is empty")
    return _prompt(role, path.name, text)


def _prompt(role: str, version: str, text: str) -> Prompt:
    return Prompt(role=role, version=version, hash=hashlib.sha256(text.encode()).hexdigest(), text=text)


def read_examples(prompt: Prompt) -> list[str]:
    """The field `messages_display` of each line."""
    examples = []
    for number, line in enumerate(prompt.text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            display = json.loads(line)["messages_display"]
        except (ValueError, KeyError, TypeError, RecursionError):
            display = None
        if not isinstance(display, str):
            raise InputError(
                f"--few-shot-displays-path {prompt.version}, line {number}: {line[:60]!r} is not a JSON object with "
                'the text "messages_display"'
            )
        examples.append(display)
    return examples


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
