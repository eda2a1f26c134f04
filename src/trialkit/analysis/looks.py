"""How often runs were held against each other: a p-value holds for one look.

Comparisons are noted in a small file beside A, to which every new B comes back. It is never needed: where it cannot be
read or written, nobody is told.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from trialkit.errors import InputError
from trialkit.suites import hash_of
from trialkit.text.files import read_text
from trialkit.text.shown import counted

from .compare import AllPairs, Comparison
from .loaded import LoadedRun

LOG = ".looks.jsonl"
_MOST = 500  # lines; the newest are kept
#: How often p < 0.05 comes up after 1, 2 … looks where nothing differs, with 50 more cases each time, as
#: benchmarks/sequential.py found it in 2,000 runs.
_ALARMS = (0.05, 0.08, 0.11, 0.13, 0.15, 0.16, 0.17, 0.18)

_Look = Mapping[str, Any]


def with_looks(one: Comparison) -> Comparison:
    """With a warning where p is not that of a first look. This look is noted."""
    return replace(one, warnings=(*one.warnings, *_noted({"B": one}).values()))


def with_looks_of_all(several: AllPairs) -> AllPairs:
    """Of each run held against the first. Those of one table are corrected for their number, so they are one look."""
    found = _noted(several.against_first)
    return replace(several, peeked=tuple(f"A and {name}: {said}" for name, said in found.items()))


def _noted(against_first: Mapping[str, Comparison]) -> Mapping[str, str]:
    """What is to be said of each, by the letter of the run that was held against A."""
    tested = {
        name: one
        for name, one in against_first.items()
        if not (one.before.from_csv or one.after.from_csv or one.headline.difference.p is None)
    }
    if not tested:
        return {}
    looks = {name: _look(one) for name, one in tested.items()}
    log = next(iter(tested.values())).before.path.parent / LOG
    earlier = _read(log)
    new = [look for look in looks.values() if not any(_same(look, other, "a", "b", "verdicts") for other in earlier)]
    if new:
        _write(log, [*earlier, *new])
    of_a = [other for other in earlier if _same(next(iter(looks.values())), other, "a")]
    told = {name: _warning(one, looks[name], of_a, name) for name, one in tested.items()}
    return {name: said for name, said in told.items() if said}


def _look(one: Comparison) -> _Look:
    return {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "a": _name(one.before),
        "b": _name(one.after),
        "verdicts": [sum(len(case.values) for case in run.cases.values()) for run in (one.before, one.after)],
        "setup": hash_of([one.after.subject, one.after.settings, one.after.prompts])[:16],
    }


def _name(run: LoadedRun) -> str:
    return f"{run.path.name} of {run.created}"


def _same(look: _Look, other: _Look, *what: str) -> bool:
    return all(look[name] == other.get(name) for name in what)


def _warning(one: Comparison, look: _Look, earlier: Sequence[_Look], after: str) -> str:
    """Empty: it is the first look, for all that is known."""
    if one.after.shuffled:
        return f"{after} was to end as soon as it was decided, so p is not that of one look: take --sequential."
    fewer = sum(_same(look, other, "b") and not _same(look, other, "verdicts") for other in earlier)
    anew = sum(_same(look, other, "setup") and not _same(look, other, "b") for other in earlier)
    told = [f"these runs were compared before, {_times(fewer)} with other trials"] if fewer else []
    told += [f"runs of {after}'s set-up were compared with A {_times(anew)} before"] if anew else []
    told += [
        f"{name}'s trials came in {run.sessions} sessions"
        for name, run in (("A", one.before), (after, one.after))
        if run.sessions > 1
    ]
    if not told:
        return ""
    looks = max(1 + fewer + anew, one.before.sessions, one.after.sessions)
    head, maybe = ("PEEKED AT", "") if fewer + anew else ("PERHAPS PEEKED AT", " if it was looked at in between")
    alarms = f"{_ALARMS[min(looks, len(_ALARMS)) - 1]:.0%}{' or more' if looks > len(_ALARMS) else ''}"
    return (
        f"{head}: {', and '.join(told)}. That makes {counted(looks, 'look')}{maybe}; of runs that are equally good,"
        f" p < 0.05 comes up in {alarms} after so many. --sequential holds however often it is looked at."
    )


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _read(log: Path) -> list[_Look]:
    found: list[_Look] = []
    with suppress(InputError):
        for line in read_text(log).splitlines():
            with suppress(ValueError, RecursionError):
                look = json.loads(line)
                found += [look] if isinstance(look, dict) else []
    return found


def _write(log: Path, looks: Sequence[_Look]) -> None:
    """Whole, or not at all. Of two at the same time one may be lost."""
    partial = log.with_name(f"{log.name}.partial")
    with suppress(OSError):
        partial.write_text("".join(f"{json.dumps(look)}\n" for look in looks[-_MOST:]), encoding="utf-8")
        partial.replace(log)
