"""The figures of a tau run, from what its trials left in the run file, and the tables that the reports show.

Trials that ended in error count nowhere but in the costs: they were paid for.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from trialkit.dialogue import RESPOND, By
from trialkit.pages import Count, Money, Number, Rate, Table
from trialkit.runfile import RecordedTrial, RunFile
from trialkit.stats import Figure, exact, known_sum, mean_by_case, pass_hat_all, pass_hat_mean, pass_rate, unknown
from trialkit.suites import Details
from trialkit.suites.tau.common.published import Published

from .leaderboard import leaderboard

#: pass^k and Pass@turn are published for 1 to 4.
_MOST_K = 4
_PARTIES: tuple[By, ...] = ("agent", "user")
_UNEXPLAINED = "not explained"
_FAULT_TABLES = {"fault": ("Whose fault", "Fault"), "type": ("What the agent did wrong", "Type")}

_Cases = Sequence[Sequence[RecordedTrial]]


_Figures = Mapping[str, Figure]  # `count` and `share`, or `total` and `per_trial`
_Counts = Mapping[str, _Figures]


def details(run: RunFile, published: Sequence[Published] = (), split: str | None = None) -> Details:
    """What the reports show of a tau run beside the figures that every run has; what others published is of `split`."""
    cases = _by_case(run)
    judged = [[row for row in rows if row.outcome in {"pass", "fail"}] for rows in cases]
    verdicts = [[row.outcome == "pass" for row in rows] for rows in judged]
    hats = pass_hat_all(verdicts)
    up_to = min(_MOST_K, len(hats))
    overall = pass_hat_mean(verdicts, range(1, up_to + 1)) if up_to else unknown(0)
    exactly, within = zip(*(_pass_at_turn(judged, turn) for turn in range(1, _MOST_K + 1)), strict=True)
    steps, turns = (mean_by_case(_known(cases, name)) for name in ("steps", "turns"))
    calls = {by: mean_by_case(_calls(cases, by)) for by in _PARTIES}
    costs, failures, faults, ends = _costs(cases), _failures(judged), _faults(cases), _count(_known(cases, "end"))
    metrics = {
        "overall_score": overall.to_data(),
        "overall_score_up_to_k": up_to,
        "pass_at_turn": {
            "exact": [one.to_data() for one in exactly],
            "cumulative": [one.to_data() for one in within],
        },
        "steps_per_trial": steps.to_data(),
        "turns_per_trial": turns.to_data(),
        "calls_per_trial": {by: figure.to_data() for by, figure in calls.items()},
        "cost_by_role_usd": _data(costs),
        "ends": _data(ends),
        "failure_classes": _data(failures),
        "faults": {
            author: {part: _data(counted) for part, counted in parts.items()} for author, parts in faults.items()
        },
    }
    tables = [_conversations(overall, up_to, steps, turns, calls, costs)] if ends else []
    board = leaderboard(run, hats, published, split) if hats else ()
    if hats:
        tables.append(_turns_table(exactly, within))
    if failures:
        note = "One class a trial, found without a model; trialkit report --format json has the evidence."
        tables.append(_counts_table("Why trials failed", "Class", failures, note))
    for author, parts in faults.items():
        tables += _fault_tables(parts, f", says {author}")
    if ends:
        tables.append(_counts_table("How conversations ended", "End", ends))
    return Details(metrics=metrics, tables=(*board, *tables))


def fault_tables(run: RunFile, author: str) -> list[Table]:
    """What one author found."""
    return _fault_tables(_faults(_by_case(run)).get(author, {}))


def _by_case(run: RunFile) -> _Cases:
    by_case: defaultdict[str, list[RecordedTrial]] = defaultdict(list)
    for row in run.once(RunFile.trials):
        by_case[row.case_id].append(row)
    return list(by_case.values())


def _data(figures: Mapping[str, _Figures]) -> dict[str, object]:
    return {name: {part: figure.to_data() for part, figure in parts.items()} for name, parts in figures.items()}


def _known(cases: _Cases, name: str) -> list[list[Any]]:
    """What the output of each trial has under this name, where it has it, by case."""
    return [[found for row in rows if (found := _output(row, name)) is not None] for rows in cases]


def _calls(cases: _Cases, by: By) -> list[list[int]]:
    """How many tools a party called in each trial; a reply is none."""
    actions = _known(cases, "actions")
    return [
        [sum(one["name"] != RESPOND and one.get("by", "agent") == by for one in made) for made in rows]
        for rows in actions
    ]


def _output(row: RecordedTrial, name: str) -> Any:
    return None if row.output is None or row.outcome == "error" else row.output.get(name)


def _detail(row: RecordedTrial, name: str) -> Any:
    """From the verdict that decides, else from another: a recorded verdict knows less than our environment's."""
    decided = (row.decided,) if row.decided else ()
    found = (verdict.details.get(name) for verdict in (*decided, *row.verdicts))
    return next((value for value in found if value is not None), None)


def _pass_at_turn(judged: _Cases, turn: int) -> tuple[Figure, Figure]:
    """The share of trials that succeeded when the agent had dealt with exactly, or at most, so many user messages.

    Unknown as soon as one passed trial does not tell its turns: the others are not a fair sample of them.
    """
    turns = [[_success_turn(row) if row.outcome == "pass" else 0 for row in rows] for rows in judged]
    if any(None in values for values in turns):
        n = sum(map(len, turns))
        return unknown(n), unknown(n)
    return (
        pass_rate([[value == turn for value in values] for values in turns]),
        pass_rate([[0 < (value or 0) <= turn for value in values] for values in turns]),
    )


def _success_turn(row: RecordedTrial) -> int | None:
    turn: int | None = _detail(row, "success_turn")
    return _output(row, "turns") if turn is None else turn


def _costs(cases: _Cases) -> dict[str, _Figures]:
    """By role; what a trial did not ask a role cost nothing there."""
    ended = [[row for row in rows if row.ended is not None] for rows in cases]
    roles = sorted({part.role for rows in ended for row in rows for part in row.spending})
    spent = {role: [[row.cost_of(role) for row in rows] for rows in ended] for role in roles}
    n = sum(map(len, ended))
    return {
        role: {"total": exact(known_sum(chain.from_iterable(costs)), n), "per_trial": mean_by_case(costs)}
        for role, costs in spent.items()
    }


def _failures(judged: _Cases) -> dict[str, _Figures]:
    """Why trials failed, by the class that the breakdown gives each; nothing where there is no breakdown at all."""
    failed = [[row for row in rows if row.outcome == "fail"] for rows in judged]
    if not any(_detail(row, "breakdown") for rows in failed for row in rows):
        return {}
    return _count([[(_detail(row, "breakdown") or {}).get("class", _UNEXPLAINED) for row in rows] for rows in failed])


def _faults(cases: _Cases) -> dict[str, dict[str, _Counts]]:
    """Whose fault failures were, as each author of such remarks has it; its newest remark on a trial counts."""
    newest = [
        [{remark.author: remark.data for remark in row.remarks if remark.kind == "fault"} for row in rows]
        for rows in cases
    ]
    authors = dict.fromkeys(author for rows in newest for found in rows for author in found)
    return {
        author: {part: _count([_said(rows, author, part) for rows in newest]) for part in _FAULT_TABLES}
        for author in authors
    }


def _said(rows: Sequence[Mapping[str, Mapping[str, Any]]], author: str, part: str) -> list[str]:
    return [value for found in rows if (value := found.get(author, {}).get(part)) is not None]


def _count(cases: Sequence[Sequence[str]]) -> dict[str, _Figures]:
    """How often each name comes up, the most frequent first."""
    names = [name for values in cases for name in values]
    ranked = sorted(set(names), key=lambda name: (-names.count(name), name))
    return {name: _counted(name, cases, len(names)) for name in ranked}


def _counted(name: str, cases: Sequence[Sequence[str]], n: int) -> _Figures:
    is_it = [[value == name for value in values] for values in cases]
    return {"count": exact(sum(map(sum, is_it)), n), "share": pass_rate(is_it)}


def _conversations(
    overall: Figure,
    up_to: int,
    steps: Figure,
    turns: Figure,
    calls: Mapping[By, Figure],
    costs: Mapping[str, _Figures],
) -> Table:
    name = "pass^1" if up_to == 1 else f"pass^1..{up_to}"
    rows: list[tuple[str, Number | Money]] = [(f"overall score (mean of {name})", Number(overall))] if up_to else []
    rows += [("steps a trial", Number(steps, digits=1)), ("turns a trial", Number(turns, digits=1))]
    if calls["user"].value:
        rows += [(f"calls of the {by} a trial", Number(figure, digits=1)) for by, figure in calls.items()]
    for role, cost in costs.items():
        rows += [
            (f"cost of the {role}", Money(cost["total"])),
            (f"cost of the {role} a trial", Money(cost["per_trial"])),
        ]
    return Table(title="Conversations", columns=("Figure", "Value"), rows=tuple(rows))


def _turns_table(exactly: Sequence[Figure], within: Sequence[Figure]) -> Table:
    pairs = enumerate(zip(exactly, within, strict=True), start=1)
    return Table(
        title="Pass@turn",
        columns=("Turns", "Solved in exactly so many", "Within so many"),
        rows=tuple((Count(turn), Rate(one), Rate(other)) for turn, (one, other) in pairs),
        note="A turn is a user message and all that the agent did about it. It is not pass^k: see docs/tau-bench.md.",
    )


def _fault_tables(parts: Mapping[str, _Counts], says: str = "") -> list[Table]:
    return [
        _counts_table(f"{title}{says}", what, parts[part])
        for part, (title, what) in _FAULT_TABLES.items()
        if parts.get(part)
    ]


def _counts_table(title: str, what: str, counts: _Counts, note: str = "") -> Table:
    rows = tuple((name, Count(one["count"]), Rate(one["share"])) for name, one in counts.items())
    return Table(title=title, columns=(what, "Trials", "Share"), rows=rows, note=note)
