"""The figures of a tau run as values, and as the tables that the reports show."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from trialkit.pages import Cell, Count, Money, Number, Rate, Table
from trialkit.runfile import RunInfo
from trialkit.stats import Figure
from trialkit.suites.tau.common.published import Published

#: How tau-bench's own table calls the strategies.
_STRATEGIES = {
    "tool-calling": "TC",
    "act": "Act",
    "react": "ReAct",
    "few-shot": "Few-shot TC",
    "fastworkflow": "FastWorkflow",
}
_MARKS = "¹²³"
_COLUMNS = ("Pass^1", "Pass^2", "Pass^3", "Pass^4")


@dataclass(frozen=True, kw_only=True, slots=True)
class PassAtTurn:
    """The share of trials that succeeded when the agent had dealt with so many user messages."""

    turn: int
    exactly: Figure
    within: Figure


@dataclass(frozen=True, kw_only=True, slots=True)
class Cost:
    total: Figure
    per_trial: Figure


@dataclass(frozen=True, kw_only=True, slots=True)
class Counted:
    count: Figure
    share: Figure


@dataclass(frozen=True, kw_only=True, slots=True)
class Numbers:
    info: RunInfo
    models: Mapping[str, str]  # by role
    pass_hat_k: tuple[Figure, ...]
    overall: Figure
    overall_up_to: int
    pass_at_turn: tuple[PassAtTurn, ...]
    costs: Mapping[str, Cost]  # by role
    steps: Figure
    turns: Figure
    failures: Mapping[str, Counted]
    faults: Mapping[str, Mapping[str, Mapping[str, Counted]]]  # author → fault or type → name
    ends: Mapping[str, Counted]


def tables(numbers: Numbers, published: Sequence[Published]) -> tuple[Table, ...]:
    return tuple(_tables(numbers, published))


def _tables(numbers: Numbers, published: Sequence[Published]) -> Iterator[Table]:
    if numbers.ends:
        yield _conversations(numbers)
    if numbers.pass_hat_k:
        yield _pass_at_turn(numbers)
        yield _leaderboard(numbers, published)
    if numbers.failures:
        note = "One class a trial, found without a model; trialkit report --format json has the evidence."
        yield _counts("Why trials failed", "Class", numbers.failures, note)
    for author, parts in numbers.faults.items():
        if parts["fault"]:
            yield _counts(f"Whose fault, says {author}", "Fault", parts["fault"])
        if parts["type"]:
            yield _counts(f"What the agent did wrong, says {author}", "Type", parts["type"])
    if numbers.ends:
        yield _counts("How conversations ended", "End", numbers.ends)


def _conversations(numbers: Numbers) -> Table:
    name = f"overall score (mean of {_up_to(numbers.overall_up_to)})"
    rows = (
        *([(name, Number(numbers.overall))] if numbers.overall_up_to else []),
        ("steps a trial", Number(numbers.steps, digits=1)),
        ("turns a trial", Number(numbers.turns, digits=1)),
        *(row for role, cost in numbers.costs.items() for row in _cost(role, cost)),
    )
    return Table(title="Conversations", columns=("Figure", "Value"), rows=rows)


def _cost(role: str, cost: Cost) -> tuple[tuple[str, Money], tuple[str, Money]]:
    return (f"cost of the {role}", Money(cost.total)), (f"cost of the {role} a trial", Money(cost.per_trial))


def _up_to(k: int) -> str:
    return "pass^1" if k == 1 else f"pass^1..{k}"


def _pass_at_turn(numbers: Numbers) -> Table:
    return Table(
        title="Pass@turn",
        columns=("Turns", "Solved in exactly so many", "Within so many"),
        rows=tuple((Count(one.turn), Rate(one.exactly), Rate(one.within)) for one in numbers.pass_at_turn),
        note="A turn is a user message and all that the agent did about it. It is not pass^k: see docs/tau-bench.md.",
    )


def _leaderboard(numbers: Numbers, published: Sequence[Published]) -> Table:
    """tau-bench's own form. The note says where published rows come from, or the table would not fit a terminal."""
    marks = dict(zip(dict.fromkeys(map(_origin, published)), _MARKS, strict=False))
    user = numbers.models.get("user")
    measured = f"measured on {numbers.pass_hat_k[0].n} tasks{f', user {user}' if user else ''}, with 95% intervals"
    notes = [measured, *(f"{mark} {origin}" for origin, mark in marks.items())]
    measured_cells = [Number(figure, stacked=True) for figure in numbers.pass_hat_k]
    return Table(
        title=f"Leaderboard: {numbers.info.suite}",
        columns=("Strategy", *_COLUMNS, "Row"),
        rows=(
            _row(_strategy(numbers), measured_cells, "measured"),
            *(_row(row.strategy, map(Number, row.passes), f"published{marks[_origin(row)]}") for row in published),
        ),
        note=" · ".join(notes),
    )


def _origin(row: Published) -> str:
    return f"{row.source}, user {row.user}" if row.user else f"{row.source}, user not told"


def _strategy(numbers: Numbers) -> str:
    settings, model = numbers.info.settings, numbers.models.get("agent")
    reasoning = {None: None, True: "react", False: "act"}[settings.get("use_reasoning")]
    agent = settings.get("agent") or reasoning or ("tool-calling" if model else None)
    if agent is None or agent == model:  # an agent outside of trialkit whose model nobody knows
        return numbers.info.subject
    mode = numbers.info.versions.get("agent mode")
    name = f"{_STRATEGIES.get(agent, agent)} {mode}" if mode else _STRATEGIES.get(agent, agent)
    return f"{name} ({model})" if model else str(agent)


def _row(strategy: str, passes: Iterable[Number], whence: str) -> tuple[Cell | str, ...]:
    cells = [*passes, *[Number(None)] * len(_COLUMNS)]
    return strategy, *cells[: len(_COLUMNS)], whence


def _counts(title: str, what: str, counts: Mapping[str, Counted], note: str = "") -> Table:
    rows = tuple((name, Count(one.count), Rate(one.share)) for name, one in counts.items())
    return Table(title=title, columns=(what, "Trials", "Share"), rows=rows, note=note)
