"""What a conversation is to be seen beside: the policy, what the user was told, and what it left in the database."""

import json
from collections.abc import Iterator, Mapping, Sequence

from trialkit.dialogue import RESPOND, Action
from trialkit.pages import Cell, Code, Name, Passage, Table, Words
from trialkit.runfile import RecordedTrial
from trialkit.vocabulary import Case

from .common.database import Changes
from .common.domain import Domain
from .common.tasks import Task

_ABSENT = "(no such row)"
_MISSING = "(not there)"


def exhibits(domain: Domain, case: Case, trial: RecordedTrial) -> Sequence[Passage | Table]:
    """What the database is held against is there only while the task is what it was when the run began."""
    told: list[Passage | Table] = [
        Passage(title="Policy", text="\n".join((domain.policy, *domain.rules))),
        Passage(title="What the simulated user is told", text=str(case.data["instruction"])),
    ]
    task = next((one for one in domain.tasks(str(case.data["split"])) if one.id == case.id), None)
    if task is None or list(task.actions) != case.data["actions"] or trial.output is None:
        return told
    return [*told, _expected_calls(task), _changes(domain, task, trial.output["actions"])]


def _expected_calls(task: Task) -> Table:
    """Where the user has a part in them, each says whose it is."""
    shared = any("by" in one for one in task.actions)
    rows = tuple(
        (Code(one["name"]), Code(_json(one["kwargs"])), *((one.get("by", "agent"),) if shared else ()))
        for one in task.actions
    )
    columns = ("Tool", "Arguments", *(("By",) if shared else ()))
    return Table(title="Calls of the ground truth", columns=columns, rows=rows)


def _changes(domain: Domain, task: Task, actions: Sequence[Action]) -> Table:
    truth = [one for one in task.actions if one["name"] not in domain.ending_tools]
    states = [_left_by(domain, task, part) for part in ((), truth, actions)]
    changed = [row for table, key in _keys(*states) for row in _row_changes(domain, table, key, states)]
    rows = tuple(sorted(changed, key=lambda row: str(row[0]) != "≠"))
    differ = sum(str(row[0]) == "≠" for row in rows)
    note = f"≠ marks what is not as it should be: {differ} of {len(rows)} fields" if rows else "Nothing is changed."
    if rows and task.criteria is not None and "DB" not in task.criteria.reward_basis:
        note = (
            f"≠ marks what the ground truth leaves otherwise, which this reward does not count: {differ} of {len(rows)}"
        )
    columns = ("", "Row", "Field", "Before", "Expected", "Found")
    return Table(title="Changes of the database", columns=columns, rows=rows, note=note)


def _left_by(domain: Domain, task: Task, actions: Sequence[Action]) -> Changes:
    """In an environment of its own, up to the call that ends the conversation."""
    environment = domain.open(task)
    for action in actions:
        if action["name"] != RESPOND:
            environment.call(action["name"], action["kwargs"], action.get("by", "agent"))
        if action["name"] in domain.ending_tools:
            break
    return environment.left()


def _keys(*states: Changes) -> list[tuple[str, str]]:
    return sorted({(table, key) for changes in states for table, rows in changes.items() for key in rows})


def _row_changes(domain: Domain, table: str, key: str, states: Sequence[Changes]) -> Iterator[tuple[Cell | str, ...]]:
    """The fields that the truth or the conversation changed; `states` is the first one, and what these two left."""
    base = domain.tables.get(table, {}).get(key)
    found = [changes.get(table, {}).get(key, base) for changes in states]
    fields = [{} if row is None else _flat(row) for row in found]
    for field in dict.fromkeys(field for one in fields for field in one):
        values = [one.get(field, _ABSENT if row is None else _MISSING) for one, row in zip(fields, found, strict=True)]
        if values[0] == values[1] == values[2]:
            continue
        wrong = values[1] != values[2]
        yield (
            Words("≠" if wrong else "✓", "bad" if wrong else "good"),
            Name(f"{table} {key}", most=40),
            Code(field),
            Code(values[0]),
            Code(values[1]),
            Code(values[2], "bad" if wrong else ""),
        )


def _flat(value: object, path: str = "") -> dict[str, str]:
    """Each leaf by its path: `items[0].price`."""
    if isinstance(value, Mapping) and value:
        parts = ((f"{path}.{name}" if path else str(name), part) for name, part in value.items())
    elif isinstance(value, list) and value:
        parts = ((f"{path}[{place}]", part) for place, part in enumerate(value))
    else:
        return {path: _json(value)}
    return {leaf: text for name, part in parts for leaf, text in _flat(part, name).items()}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
