"""From recorded results to the header, cases and trials of a run file."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from trialkit import __version__
from trialkit.dialogue import End
from trialkit.runfile import Event, Header, PlannedTrial, TrialRecord, now
from trialkit.suites import FREE, ImportedRun
from trialkit.suites.tau.common.breakdown import UNSCORED_ENDS
from trialkit.suites.tau.common.published import IMPORTED_FROM
from trialkit.suites.tau.common.verdicts import why
from trialkit.suites.tau.content import told_of
from trialkit.suites.tau.suite import TauSuite
from trialkit.text.files import read_file
from trialkit.text.json import JsonObject
from trialkit.vocabulary import CONTENT, Case, Verdict

from .apart import results_in
from .reading import Entry, RecordedTask, Results, TrialKey

#: The judge whose verdict is the reward that the file has.
RECORDED = "recorded"


def imported(
    results: Results,
    path: Path,
    *,
    subject: str,
    split: str,
    scored: Mapping[TrialKey, Verdict],
    reasons: Mapping[TrialKey, JsonObject | None],
    free: Collection[str] = (),
    content: str = "",
) -> ImportedRun:
    """By task and number, as far as there are any: our environment's verdicts, and why trials failed.

    `free`: the tasks that pass though nothing is done. `content`: whose tasks they are, by name and version.
    """
    ids = dict.fromkeys(entry.task_id for entry in results.entries)
    trials = max(entry.number for entry in results.entries)
    return ImportedRun(
        header=Header(
            suite=results.suite,
            subject=subject,
            # The settings that are not told are not known; they must not look as if they had been.
            settings={"model": subject, "trials": trials, "task_split": split},
            versions={
                "trialkit": __version__,
                IMPORTED_FROM: path.name,
                "imported sha256": _digest(path, results.beside),
                **({CONTENT: content} if content else {}),
            },
            prompts=results.prompts,
            models=(),
            measures=TauSuite.measures,
        ),
        cases=tuple(_case(one, results.tasks.get(one), split, (FREE,) * (one in free)) for one in ids),
        trials=tuple(_planned(entry, scored.get(entry.trial), reasons.get(entry.trial)) for entry in results.entries),
    )


def failed(entry: Entry) -> bool:
    """By what was recorded."""
    return entry.error is None and entry.reward is not None and not passes(entry.reward)


def _digest(path: Path, beside: Sequence[Path]) -> str:
    """Of several files, that of the lines `checksum  name` which sha256sum writes of them."""
    sums = {file: hashlib.sha256(read_file(file)).hexdigest() for file in (results_in(path), *beside)}
    if not beside:
        return next(iter(sums.values()))
    return hashlib.sha256("".join(f"{one}  {file.name}\n" for file, one in sums.items()).encode()).hexdigest()


def _case(task_id: str, task: RecordedTask | None, split: str, tags: tuple[str, ...]) -> Case:
    known = told_of(task.read) if task else dict.fromkeys(("user_id", "instruction", "actions", "outputs"))
    return Case(
        id=task_id,
        title=task.read.title if task else f"task {task_id}",
        group=split,
        data={"split": split, "id": task_id, **known, "task": dict(task.task) if task else None},
        tags=tags,
    )


def _planned(entry: Entry, ours: Verdict | None, reason: JsonObject | None) -> PlannedTrial:
    verdicts = [_recorded(entry, reason), *(() if ours is None else (ours,))]
    if entry.error is None and verdicts[0].outcome == "error":
        verdicts.reverse()  # without a recorded reward ours decides
    events = () if entry.traceback is None else (Event(kind="crash", data={"traceback": entry.traceback}),)
    ended = TrialRecord(
        output=entry.output,
        verdicts=tuple(verdicts),
        events=events,
        error_kind=None if entry.error is None else "crash",
        error=entry.error,
        started=now(),
        elapsed_s=0.0,
    )
    return PlannedTrial(case_id=entry.task_id, number=entry.number, output=entry.output, ended=ended)


def _recorded(entry: Entry, reason: JsonObject | None) -> Verdict:
    """What our environment says of why it failed stands beside the recorded reward, never in its place."""
    end = _end(entry)
    reward = 0.0 if entry.reward is None and end in UNSCORED_ENDS else entry.reward
    if entry.error is not None or reward is None:
        crash = "The file has no reward for this trial." if entry.error is None else f"The trial crashed: {entry.error}"
        return Verdict(judge=RECORDED, outcome="error", critique=crash, details=_details(entry, None))
    passed = passes(reward)
    reason = None if passed else reason
    return Verdict(
        judge=RECORDED,
        outcome="pass" if passed else "fail",
        critique=why(reason, _critique(entry, reward)),
        score=reward,
        details=_details(entry, reward) | {"breakdown": reason},
    )


def passes(reward: float) -> bool:
    return abs(reward - 1) <= 1e-6


def _critique(entry: Entry, reward: float) -> str:
    end = _end(entry)
    if end in UNSCORED_ENDS:
        return f"The recorded reward is {reward:g}: the conversation ended by {end} and was not scored."
    parts = ", ".join(f"{name} {part:g}" for name, part in entry.parts.items() if part is not None)
    return f"The recorded reward is {reward:g}" + (f" ({parts})." if parts else ".")


def _details(entry: Entry, reward: float | None) -> dict[str, object]:
    output = entry.output
    turns = output["turns"] if output else None
    return {
        "reward": reward,
        "parts": dict(entry.parts),
        "end": _end(entry),
        "steps": output["steps"] if output else None,
        "turns": turns,
        "success_turn": turns if reward is not None and passes(reward) else None,
        "breakdown": None,
        "costs_usd": dict(entry.costs),
        "source": dict(entry.source),
    }


def _end(entry: Entry) -> End | None:
    return entry.output["end"] if entry.output else None
