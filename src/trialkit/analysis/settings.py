"""What differs between two runs before any result is looked at."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .loaded import Loaded

_DECIDED_BY = "decided by"


@dataclass(frozen=True, kw_only=True, slots=True)
class Unlike:
    what: str
    before: str
    after: str


def differing(before: Loaded, after: Loaded) -> list[Unlike]:
    return [Unlike(what=what, before=one, after=other) for what, (one, other) in differences([before, after])]


def differences(runs: Sequence[Loaded]) -> list[tuple[str, tuple[str, ...]]]:
    """What is not the same in all runs, and what it is in each. A CSV tells its judges only: it differs in no more."""
    told = [_told(run) for run in runs]
    rows = []
    for what in dict.fromkeys(name for one in told for name in one):
        values = [one.get(what, "—") for one in told]
        telling = {value for run, value in zip(runs, values, strict=True) if what == _DECIDED_BY or not run.from_csv}
        if len(telling) > 1:
            rows.append((what, tuple(values)))
    return rows


def _told(run: Loaded) -> dict[str, str]:
    return {
        **run.settings,
        **{f"prompt of the {role}": version for role, version in run.prompts.items()},
        **{f"data: {name}": version for name, version in _data(run).items()},
        _DECIDED_BY: _names(run.judges),
    }


def judges_differ(named: Mapping[str, Loaded]) -> str:
    by_judge: defaultdict[str, list[str]] = defaultdict(list)
    for name, run in named.items():
        if run.judges:
            by_judge[_names(run.judges)].append(name)
    told = "; ".join(f"{judges} (of {', '.join(names)})" for judges, names in by_judge.items())
    return (
        f"DIFFERENT JUDGES decided: {told}. The difference may be theirs."
        " Have one judge for all: trialkit rejudge, then compare --judge NAME."
    )


def warnings(before: Loaded, after: Loaded, *, but_judges: bool = False) -> list[str]:
    """What makes a comparison doubtful, to be said loudly."""
    said = []
    if before.path.resolve() == after.path.resolve():
        said.append("THE SAME RUN on both sides: there is nothing to be learnt from this comparison.")
    if not but_judges and before.judges and after.judges and before.judges != after.judges:
        said.append(judges_differ({"A": before, "B": after}))
    prompts = before.prompts.get("judge"), after.prompts.get("judge")
    if before.judges == after.judges and None not in prompts and prompts[0] != prompts[1]:
        said.append(f"DIFFERENT JUDGE PROMPTS: {prompts[0]} and {prompts[1]}. The difference may be theirs.")
    shared = before.cases.keys() & after.cases.keys()
    changed = [name for name in before.cases if name in shared and not _same_content(before, after, name)]
    if changed:
        listed = ", ".join(changed[:5]) + (" …" if len(changed) > 5 else "")
        said.append(
            f"DIFFERENT DATA: {len(changed)} of the {len(shared)} cases in both have the same id but another content"
            f" or ground truth ({listed}). They are compared all the same."
        )
    if "running" in {before.state, after.state} or "stopped" in {before.state, after.state}:
        said.append("A run is not finished: what is missing may change the result.")
    return said


def _same_content(before: Loaded, after: Loaded, name: str) -> bool:
    """Also where it is not told, as in a CSV that has no more than outcomes."""
    one, other = before.cases[name].content, after.cases[name].content
    return one == other or not one or not other


def _data(run: Loaded) -> dict[str, str]:
    """Where a file lies does not matter if its hash is told, of which the beginning does."""
    told = {name: version for name, version in run.data.items() if f"{name} sha256" not in run.data}
    return {name: version[:12] if name.endswith("sha256") else version for name, version in told.items()}


def _names(judges: tuple[str, ...]) -> str:
    return ", ".join(judges) or "nobody"
