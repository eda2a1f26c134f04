"""What differs between two runs before any result is looked at."""

from collections.abc import Mapping
from dataclasses import dataclass

from ._loaded import Loaded


@dataclass(frozen=True, kw_only=True, slots=True)
class Unlike:
    what: str
    before: str
    after: str


def differing(before: Loaded, after: Loaded) -> list[Unlike]:
    """A CSV tells neither settings nor prompts, so beside one only the judges are held against each other."""
    told = _unlike("", before.settings, after.settings) if before.settings and after.settings else []
    if before.prompts or after.prompts:
        told += _unlike("prompt of the ", before.prompts, after.prompts)
    if before.data and after.data:
        told += _unlike("data: ", _data(before), _data(after))
    if before.judges != after.judges:
        told.append(Unlike(what="judge", before=_names(before.judges), after=_names(after.judges)))
    return told


def warnings(before: Loaded, after: Loaded) -> list[str]:
    """What makes a comparison doubtful, to be said loudly."""
    said = []
    prompts = before.prompts.get("judge"), after.prompts.get("judge")
    if before.judges and after.judges and before.judges != after.judges:
        said.append(
            f"DIFFERENT JUDGES decided: {_names(before.judges)} and {_names(after.judges)}."
            " The difference may be theirs. Judge both runs the same way: trialkit rejudge."
        )
    elif None not in prompts and prompts[0] != prompts[1]:
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
    return before.cases[name].content == after.cases[name].content


def _data(run: Loaded) -> dict[str, str]:
    """Where a file lies does not matter if its hash is told, of which the beginning does."""
    told = {name: version for name, version in run.data.items() if f"{name} sha256" not in run.data}
    return {name: version[:12] if name.endswith("sha256") else version for name, version in told.items()}


def _unlike(prefix: str, before: Mapping[str, str], after: Mapping[str, str]) -> list[Unlike]:
    names = dict.fromkeys([*before, *after])
    return [
        Unlike(what=f"{prefix}{name}", before=before.get(name, "—"), after=after.get(name, "—"))
        for name in names
        if before.get(name) != after.get(name)
    ]


def _names(judges: tuple[str, ...]) -> str:
    return ", ".join(judges) or "nobody"
