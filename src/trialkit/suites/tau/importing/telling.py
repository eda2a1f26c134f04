"""What is to be known of results that were imported, in sentences."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from trialkit.text.shown import counted

from .material import passes
from .reading import Results
from .rescoring import Rescored, Rescorer

_SHOWN_TASKS = 10


def told_apart(results: Results) -> Iterator[str]:
    """What a file cannot tell whose calls stand apart from what was said."""
    apart = [entry for entry in results.entries if entry.apart]
    if apart:
        yield (
            f"the calls of {counted(len(apart), 'trial')} stand apart from the conversation (executed_actions): when "
            "each was made, and what came of commands that failed, the file does not tell. They are put before the "
            "first message, in their own order"
        )
    paid = [entry.task_id for entry in results.entries if entry.contradicts]
    if paid:
        yield (
            f"the file contradicts itself in {counted(len(paid), 'trial')}: paid, though by its own record an output "
            f"was not said (tasks {_shown(paid)}). The recorded reward stands"
        )


def changed_tasks(rescorer: Rescorer, split: str) -> Iterator[str]:
    tasks = rescorer.changed_tasks()
    if tasks:
        differ = f"{counted(len(tasks), 'task')} of the file differ from the split {split} of our content"
        yield f"{differ} ({_shown(tasks)}); they are scored as the file has them. Another split: --task-split"


def told_of(rescored: Sequence[Rescored]) -> Iterator[str]:
    compared = [one for one in rescored if one.agrees is not None]
    differing = [one for one in compared if not one.agrees]
    for one in differing:
        ours, why = (one.verdict.score, one.verdict.critique) if one.verdict else (None, "")
        yield f"task {one.entry.task_id} trial {one.entry.number}: recorded {one.entry.reward:g}, ours {ours:g}: {why}"
    observations, other = sum(one.observations for one in rescored), sum(one.differing for one in rescored)
    answers = (
        "the answers of tools stand there in other words and are not compared"
        if any(one.entry.apart for one in rescored)
        else f"of {observations:,} observations {other:,} differ"
    )
    paid = (
        f"paid were {_paid(one.entry.reward for one in compared)}, by ours {_paid(_ours(compared))}; "
        if differing
        else ""
    )
    yield (
        f"re-scored {counted(len(compared), 'trial')}: {len(compared) - len(differing)} agree with the recorded "
        f"reward, {len(differing)} differ; {paid}{answers}"
    )
    reasons = Counter(one.why_not for one in rescored if one.why_not is not None)
    yield from (f"not compared, {reason}: {counted(count, 'trial')}" for reason, count in reasons.items())


def _ours(rescored: Sequence[Rescored]) -> Iterator[float | None]:
    return (one.verdict.score for one in rescored if one.verdict)


def _paid(rewards: Iterable[float | None]) -> int:
    return sum(passes(reward) for reward in rewards if reward is not None)


def _shown(tasks: Sequence[str]) -> str:
    return ", ".join(tasks[:_SHOWN_TASKS]) + (" …" if len(tasks) > _SHOWN_TASKS else "")
