"""What a tau run does with what an outside agent says of itself: tasks that it has no tools for are skipped."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from trialkit.dialogue import RESPOND
from trialkit.errors import InputError
from trialkit.suites import Content
from trialkit.suites.agents import introduced
from trialkit.vocabulary import Case

from .content import planned
from .settings import TauSettings

if TYPE_CHECKING:
    from trialkit.agents.outside import Answer

_SHOWN = 8


def met(content: Content, settings: TauSettings, agent: "Answer") -> Content:
    """The content of a run with an agent that has told of itself."""
    without = _skipped(settings, agent, content.cases)
    known = introduced(content, agent)
    return replace(
        known,
        cases=[replace(case, skipped=without.get(case.id, "")) for case in content.cases],
        trials=planned(settings, [case.id for case in content.cases if case.id not in without]),
        notices=[*known.notices, *_notices(without)],
    )


def _skipped(settings: TauSettings, agent: "Answer", cases: Sequence[Case]) -> Mapping[str, str]:
    """The tasks whose ground truth needs a tool that the agent says it lacks, each with the reason."""
    if agent.tools is None or not settings.skip:
        return {}
    has = {*agent.tools, RESPOND}
    needed = {case.id: {one["name"] for one in case.data["actions"] if one.get("by") != "user"} for case in cases}
    found = {
        task_id: f"the agent has no tool {', '.join(sorted(missing))}"
        for task_id, names in needed.items()
        if (missing := names - has)
    }
    if len(found) == len(cases):
        raise InputError(
            f"--agent {settings.agent_name}: it lacks tools that every chosen task needs, such as "
            f"{next(iter(found.values())).removeprefix('the agent has no tool ')}; --no-skip runs them all the same"
        )
    return found


def _notices(without: Mapping[str, str]) -> list[str]:
    if not without:
        return []
    shown = [f"task {task_id}: {why}" for task_id, why in without.items()][:_SHOWN]
    more = [f"and {len(without) - _SHOWN} more"] if len(without) > _SHOWN else []
    return [f"{len(without)} tasks are skipped ({'; '.join([*shown, *more])}); --no-skip runs them"]
