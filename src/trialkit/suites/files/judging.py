"""The judges of a suite in a file, as they stand there and as the run file keeps them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from pydantic import ValidationError

from trialkit.errors import InputError
from trialkit.judges.kinds import KINDS, JudgeKind, NamedJudge
from trialkit.text.json import JsonObject
from trialkit.text.short import near_or, shown

from .cases import CaseRows
from .document import KeyFault, problems_of

_LONGEST_NAME = 40


def read_judges(
    written: Mapping[str, JsonObject], headline: str | None, folder: Path
) -> tuple[list[NamedJudge], list[KeyFault]]:
    """The one that decides first. `folder` is where the files lie that they name."""
    judges, problems = list[NamedJudge](), list[KeyFault]()
    for name, said in written.items():
        try:
            judges.append(_judge(name, said, folder))
        except ValidationError as error:
            problems += _settings_problems(error, name, said)
        except (InputError, ValueError) as error:
            problems.append((("judges", name), str(error)))
    if headline is not None and headline not in written:
        problems.append((("headline",), f"there is no judge {headline!r}; write one of {', '.join(written)}"))
    return sorted(judges, key=lambda judge: judge.name != headline), problems


def fitted(judge: NamedJudge, rows: CaseRows) -> tuple[NamedJudge, list[KeyFault]]:
    """With what it has to know of all cases, and what it could not judge in one of them."""
    try:
        columns = judge.kind.columns(judge.settings)
    except InputError:  # told with its columns
        return judge, []
    cells = [row.cells for row in rows.rows]
    if not all(columns <= one.keys() for one in cells):  # told, too
        return judge, []
    place = ("judges", judge.name)
    try:
        found = judge.prepared(cells)
    except InputError as error:
        return judge, [(place, str(error))]
    return found, [(place, told) for told in _unfit(found, columns, rows)]


def _unfit(judge: NamedJudge, columns: set[str], rows: CaseRows) -> Iterator[str]:
    """Case by case; a judge that reads none of their columns does the same in all."""
    column = min(columns) if len(columns) == 1 else None
    of = f", column {shown(column)}" if column else ""
    for row in rows.rows if columns else rows.rows[:1]:
        try:
            judge.kind.check(judge.settings, row.cells)
        except InputError as error:
            where = f"{row.at(column)}: " if columns else ""
            yield f"{where}judge {judge.name}{of}: {error}"


def unknown_calls(judge: NamedJudge, tools: Collection[str], rows: CaseRows) -> Iterator[str]:
    """Of the calls that are right, those of tools that the environment has not."""
    for row in rows.rows:
        try:
            found = judge.kind.truth(judge.settings, row.cells)
        except InputError:  # told already
            return
        for name in dict.fromkeys(name for name, _ in found.calls if name not in tools) if found else ():
            fix = near_or(name, tools, f"there are {', '.join(sorted(tools))}")
            yield f"{row.where}: judge {judge.name}: the environment has no tool {shown(name)}; {fix}"


def as_written(judges: Sequence[NamedJudge]) -> dict[str, JsonObject]:
    """For the run file: all settings of each under its kind."""
    return {one.name: {one.kind.name: one.settings.model_dump(mode="json", by_alias=True)} for one in judges}


def _judge(name: str, said: JsonObject, folder: Path) -> NamedJudge:
    if not name.strip() or not name.isprintable() or len(name) > _LONGEST_NAME:
        raise ValueError(f"the judge's name must be a word of up to {_LONGEST_NAME} characters")
    kind = _kind(said)
    settings = kind.settings.model_validate(_settings(kind, said), context={"folder": folder})
    return NamedJudge(name=name, kind=kind, settings=settings)


def _kind(said: JsonObject) -> JudgeKind:
    """By the first key that names one."""
    found = next((key for key in said if key in KINDS), None)
    if found is not None:
        return KINDS[found]
    near = next((key for key in said if get_close_matches(key, KINDS)), "")
    fix = near_or(near, KINDS, f"write one of {', '.join(KINDS)}: `equals: '{{{{ column }}}}'`", "`{}:`".format)
    raise ValueError(f"no kind of judge is named; {fix}")


def _settings(kind: JudgeKind, said: JsonObject) -> JsonObject:
    """What stands right behind the kind is its main setting, or all of them; the others may stand beside it."""
    value, beside = said[kind.name], {key: part for key, part in said.items() if key != kind.name}
    if value is None:
        return beside
    return {**(value if isinstance(value, dict) else {kind.main: value}), **beside}


def _settings_problems(error: ValidationError, name: str, said: JsonObject) -> list[KeyFault]:
    kind = _kind(said)
    inside = said[kind.name] if isinstance(said[kind.name], dict) else {}
    found = list[KeyFault]()
    for steps, told in problems_of(error, kind.settings):
        first = next(iter(steps), "")
        path = (kind.name, *steps) if first in inside else steps if first in said else (kind.name, *steps[1:])
        found.append((("judges", name, *path), f"judge {name}: {told}"))
    return found
