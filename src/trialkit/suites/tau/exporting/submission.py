"""A run as an entry of tau2's leaderboard, `submission.json`, held against the leaderboard's own rules."""

from collections import Counter
from collections.abc import Iterator

from trialkit import __version__
from trialkit.errors import InputError
from trialkit.runfile import RunFile, RunInfo
from trialkit.stats import mean_by_case, pass_hat_all
from trialkit.suites.tau import load_domain
from trialkit.suites.tau.v2.source import LATER
from trialkit.text.json import JsonObject, pretty
from trialkit.text.shown import counted
from trialkit.vocabulary import CONTENT

from .ended import Ended, ended_trials
from .tau2 import written_tasks

#: That the leaderboard shows, and asks for at least.
_TRIALS = 4
#: Only people know them.
_BY_HAND = ("model_organization", "submitting_organization", "contact_info")
_NOTES = (
    "Run with trialkit {version}: its own environment, checked against tau2's recorded calls and rewards, and its own "
    "wording of the simulated user's prompt around the benchmark's guidelines."
)


def lacking(run: RunFile) -> list[str]:
    """Why the leaderboard would not take it as it is, a line for each reason."""
    info = run.info()
    user = next((model.name for model in run.models() if model.role == "user"), None)
    return list(_missing(info, ended_trials(run), user, info.versions.get(CONTENT, "").rpartition("@")[2]))


def submission(run: RunFile) -> str:
    """What is missing for the leaderboard to take it stands under `trialkit`, which the leaderboard passes over."""
    info, trials = run.info(), ended_trials(run)
    models = {model.role: model.name for model in run.models()}
    domain = info.suite.removeprefix("tau2/").partition("-")[0]
    version = info.versions.get(CONTENT, "").rpartition("@")[2]
    tool_calling = info.settings.get("agent") in {None, "tool-calling"}
    data: JsonObject = {
        "model_name": models.get("agent") or info.subject,
        **dict.fromkeys(_BY_HAND),
        "submission_date": info.created[:10],
        "submission_type": "custom",
        "is_new": True,
        "trajectories_available": True,
        "trajectory_files": {domain: f"{run.path.stem}.tau2.json"},
        "references": [],
        "results": {domain: _results(trials)},
        "methodology": {
            "evaluation_date": info.created[:10],
            "tau2_bench_version": version or None,
            "user_simulator": models.get("user"),
            "notes": _NOTES.format(version=__version__)
            + ("" if tool_calling else f" Agent: {info.settings['agent']}."),
            "verification": {
                "modified_prompts": True,
                "omitted_questions": bool(_left_out(info, trials)),
                "details": None,
            },
        },
        "trialkit": {
            "missing": lacking(run),
            "tasks_sha256": info.versions.get(f"{info.suite} sha256"),
            "trajectories": f"trialkit report {run.path.name} --format tau2 -o {run.path.stem}.tau2.json",
        },
    }
    return pretty(data)


def _by_task(trials: list[Ended]) -> dict[str, list[Ended]]:
    found: dict[str, list[Ended]] = {}
    for one in trials:
        found.setdefault(one.case.id, []).append(one)
    return found


def _results(trials: list[Ended]) -> JsonObject:
    """In per cent; of trials that ended in error there is none, and `missing` tells of them."""
    by_task = _by_task(trials)
    hats = pass_hat_all([[one.row.outcome == "pass" for one in task if one.error is None] for task in by_task.values()])
    cost = mean_by_case([[one.row.cost_of("agent") for one in task] for task in by_task.values()])
    found = {
        f"pass_{k}": None if len(hats) < k or hats[k - 1].value is None else 100 * (hats[k - 1].value or 0.0)
        for k in range(1, _TRIALS + 1)
    }
    return {**found, "cost": cost.value}


def _missing(info: RunInfo, trials: list[Ended], user: str | None, version: str) -> Iterator[str]:
    yield from (f"{name}: nobody but you knows it" for name in _BY_HAND)
    if version != LATER:
        known = f"those of tau2 {version}" if version else "of no version that trialkit knows"
        yield f"the tasks are {known}, the leaderboard's are of {LATER}"
    if not user:
        yield "user_simulator: no model played the user"
    if left := _left_out(info, trials):
        yield left
    if not written_tasks(info):
        yield "the tasks cannot be written as the benchmark has them, for its content is not here, or is another"
    counts = Counter(one.case.id for one in trials if one.error is None)
    errors = sum(one.error is not None for one in trials)
    if errors:
        yield f"{counted(errors, 'trial')} ended in error, without a verdict: trialkit resume --errors tries again"
    if len(set(counts.values())) > 1:
        yield f"not all tasks have as many trials: from {min(counts.values())} to {max(counts.values())}"
    if counts and min(counts.values()) < _TRIALS:
        yield f"{_TRIALS} trials of each task are asked for, there are {min(counts.values())}"


def _left_out(info: RunInfo, trials: list[Ended]) -> str:
    """Of the base split, the tasks that were not run; empty: none."""
    split = info.settings.get("task_split")
    if split != "base":
        return f"the split is {split}, the leaderboard's is base"
    try:
        known = {task.id for task in load_domain(info.suite, info.settings.get("data_dir")).tasks("base")}
    except InputError as error:
        return f"whether all tasks of the base split were run is not known: {error}"
    left = len(known - {one.case.id for one in trials})
    return f"{left} of the {len(known)} tasks of the base split were not run" if left else ""
