"""What differs between runs before any result is looked at."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from trialkit.errors import InputError
from trialkit.settings import OfUser
from trialkit.vocabulary import CONTENT, JudgeInUse

from . import other_users
from .loaded import LoadedRun, replies_of

_DECIDED_BY = "decided by"


def setup_differences(runs: Sequence[LoadedRun]) -> list[tuple[str, tuple[str, ...]]]:
    """What is not the same in all runs, and what it is in each. A CSV tells its judges only: it differs in no more."""
    setups = [_setup(run) for run in runs]
    rows = []
    for what in dict.fromkeys(name for setup in setups for name in setup):
        values = [setup.get(what, "—") for setup in setups]
        telling = {value for run, value in zip(runs, values, strict=True) if what == _DECIDED_BY or not run.from_csv}
        if len(telling) > 1:
            rows.append((what, tuple(values)))
    return rows


def _setup(run: LoadedRun) -> dict[str, str]:
    return {
        **run.settings,
        **{f"prompt of the {role}": version for role, version in run.prompts.items()},
        **{f"data: {name}": version for name, version in _data(run).items()},
        _DECIDED_BY: _names(run.judges),
    }


def of_user(run: LoadedRun) -> set[str]:
    """Of what runs may differ in, all that says who plays the user."""
    prompts = {f"prompt of the {role}" for role in run.prompts if role.partition(" ")[0] == OfUser.role}
    return {*run.user_settings, *prompts, f"model of the {OfUser.role}"} if run.user_settings else set()


def refuse_unlike_content(runs: Sequence[LoadedRun]) -> None:
    """InputError where two tell of other versions of their content: what differs would be the tasks."""
    told = {content: run for run in runs if (content := run.data.get(CONTENT))}
    if len(told) > 1:
        (one, first), (other, second) = list(told.items())[:2]
        raise InputError(
            f"{first.path.name} is of {one}, {second.path.name} of {other}: their tasks differ, so a difference would "
            "say nothing of who was on trial; run both on one of them"
        )


def judges_differ(named: Mapping[str, LoadedRun]) -> str:
    by_judge: defaultdict[str, list[str]] = defaultdict(list)
    for name, run in named.items():
        if run.judges:
            by_judge[_names(run.judges)].append(name)
    told = "; ".join(f"{judges} (of {', '.join(names)})" for judges, names in by_judge.items())
    return (
        f"DIFFERENT JUDGES decided: {told}. The difference may be theirs."
        " Have one judge for all: trialkit rejudge, then compare --judge NAME."
    )


def warnings(before: LoadedRun, after: LoadedRun, *, but_judges: bool = False) -> list[str]:
    """What makes a comparison doubtful, to be said loudly."""
    said = []
    if before.path.resolve() == after.path.resolve():
        said.append("THE SAME RUN on both sides: there is nothing to be learnt from this comparison.")
    if not but_judges and before.judges and after.judges and before.judges != after.judges:
        said.append(judges_differ({"A": before, "B": after}))
    if before.judges == after.judges:
        said += [warning for name in before.judges for warning in _other_parts(name, before, after)]
    said += filter(None, [other_users.warning(before, after)])
    compared = [name for name, case in before.cases.items() if case.values and name in after.cases]
    compared = [name for name in compared if after.cases[name].values]
    changed = [name for name in compared if not _same_case(before, after, name)]
    if changed:
        listed = ", ".join(changed[:5]) + (" …" if len(changed) > 5 else "")
        said.append(
            f"DIFFERENT DATA: {len(changed)} of the {len(compared)} cases compared have the same id but another content"
            f" or ground truth ({listed}). They are compared all the same."
        )
    said += _repeated(before, after, compared)
    if "running" in {before.state, after.state} or "stopped" in {before.state, after.state}:
        said.append("A run is not finished: what is missing may change the result.")
    return said


def _repeated(before: LoadedRun, after: LoadedRun, compared: Sequence[str]) -> list[str]:
    """Where stored replies made the answers of one run those of the other."""
    by_trial = [
        {(name, trial.number): trial.stored for name in compared for trial in run.cases[name].trials if trial.ended}
        for run in (before, after)
    ]
    both = [(one, by_trial[0][one], by_trial[1][one]) for one in by_trial[1] if one in by_trial[0]]
    if not any(a or b for _, a, b in both):
        return []
    of_a, of_b = replies_of(before), replies_of(after)
    same = [(a, b) for one, a, b in both if (a or b) and of_a.get(one) == of_b.get(one) is not None]
    if not same:
        return []
    copy, origin, trials = ("B", "A", by_trial[1]) if any(b for _, b in same) else ("A", "B", by_trial[0])
    every = len(same) == len(trials)
    told = f"{copy}'S REPLIES ARE {origin}'S" if every else f"SOME OF {copy}'S REPLIES ARE {origin}'S"
    of = f"all its {len(trials):,}" if every else f"{len(same):,} of its {len(trials):,}"
    again = f"To ask the model again, run {copy} with --no-cache."
    return [f"{told}: {of} trials were answered by stored replies, which are no new evidence. {again}"]


def _other_parts(judge: str, before: LoadedRun, after: LoadedRun) -> list[str]:
    """Of a judge of the same name in both: its model or prompt, where both runs tell it and it is not the same."""
    one, other = (run.judges_in_use.get(judge) for run in (before, after))
    if one is None or other is None:
        return []
    parts = {"MODELS": (one.model, other.model), "PROMPTS": (_prompt(one), _prompt(other))}
    return [
        f"DIFFERENT JUDGE {what}: {a} and {b}. The difference may be theirs."
        for what, (a, b) in parts.items()
        if a and b and a != b
    ]


def _prompt(judge: JudgeInUse) -> str:
    return f"{judge.prompt} ({judge.prompt_hash[:8]})" if judge.prompt_hash else ""


def _same_case(before: LoadedRun, after: LoadedRun, name: str) -> bool:
    """Also where it is not told, as in a CSV that has no more than outcomes."""
    one, other = before.cases[name].identity, after.cases[name].identity
    return one == other or not one or not other


def _data(run: LoadedRun) -> dict[str, str]:
    """Where a file lies does not matter if its hash is told, of which the beginning does."""
    told = {name: version for name, version in run.data.items() if f"{name} sha256" not in run.data}
    return {name: version[:12] if name.endswith("sha256") else version for name, version in told.items()}


def _names(judges: tuple[str, ...]) -> str:
    return ", ".join(judges) or "nobody"
