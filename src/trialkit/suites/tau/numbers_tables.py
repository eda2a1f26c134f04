"""The figures of a tau run as values, and as the tables that the reports show."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from trialkit.runfile import RunInfo
from trialkit.stats import Figure
from trialkit.suites import Section
from trialkit.suites.tau.published import PUBLISHED, Published
from trialkit.text.shown import dollars, number, rate

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


def sections(numbers: Numbers) -> tuple[Section, ...]:
    return tuple(_sections(numbers))


def _sections(numbers: Numbers) -> Iterator[Section]:
    if numbers.ends:
        yield _conversations(numbers)
    if numbers.pass_hat_k:
        yield _pass_at_turn(numbers)
        yield _leaderboard(numbers)
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


def _conversations(numbers: Numbers) -> Section:
    name = f"overall score (mean of {_up_to(numbers.overall_up_to)})"
    rows = [(name, number(numbers.overall))] if numbers.overall_up_to else []
    rows += [("steps a trial", number(numbers.steps, 1)), ("turns a trial", number(numbers.turns, 1))]
    for role, cost in numbers.costs.items():
        each = cost.per_trial
        interval = "" if each.low is None else f"  [{dollars(each.low)}, {dollars(each.high)}]"
        rows += [(f"cost of the {role}", dollars(cost.total.value))]
        rows += [(f"cost of the {role} a trial", f"{dollars(each.value)}{interval}")]
    return Section(title="Conversations", columns=("Figure", "Value"), rows=tuple(rows))


def _up_to(k: int) -> str:
    return "pass^1" if k == 1 else f"pass^1..{k}"


def _pass_at_turn(numbers: Numbers) -> Section:
    return Section(
        title="Pass@turn",
        columns=("Turns", "Solved in exactly so many", "Within so many"),
        rows=tuple((str(one.turn), rate(one.exactly), rate(one.within)) for one in numbers.pass_at_turn),
        note="A turn is a user message and all that the agent did about it. It is not pass^k: see docs/tau-bench.md.",
    )


def _leaderboard(numbers: Numbers) -> Section:
    """tau-bench's own form. The note says where published rows come from, or the table would not fit a terminal."""
    published = PUBLISHED.get(numbers.info.suite, ())
    marks = dict(zip(dict.fromkeys(map(_origin, published)), _MARKS, strict=False))
    user = numbers.models.get("user")
    measured = f"measured on {numbers.pass_hat_k[0].n} tasks{f', user {user}' if user else ''}, with 95% intervals"
    notes = [measured, *(f"{mark} {origin}" for origin, mark in marks.items())]
    cells = _filled([_cell(figure) for figure in numbers.pass_hat_k[: len(_COLUMNS)]])
    return Section(
        title=f"Leaderboard: {numbers.info.suite}",
        columns=("Strategy", *_COLUMNS, "Row"),
        rows=(
            (_strategy(numbers), *cells, "measured"),
            *((row.strategy, *_published(row), f"published{marks[_origin(row)]}") for row in published),
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


def _published(row: Published) -> list[str]:
    return _filled([f"{value:.3f}" for value in row.passes])


def _cell(figure: Figure) -> str:
    """The value, and its interval under it: side by side, four of them do not fit a terminal."""
    if figure.value is None or figure.low is None or figure.high is None:
        return "—"
    ends = "-".join(f"{end:.2f}".removeprefix("0") for end in (figure.low, figure.high))
    return f"{figure.value:.3f}\n{ends}"


def _filled(cells: list[str]) -> list[str]:
    return cells + ["—"] * (len(_COLUMNS) - len(cells))


def _counts(title: str, what: str, counts: Mapping[str, Counted], note: str = "") -> Section:
    rows = tuple((name, f"{one.count.value:g}", rate(one.share)) for name, one in counts.items())
    return Section(title=title, columns=(what, "Trials", "Share"), rows=rows, note=note)
