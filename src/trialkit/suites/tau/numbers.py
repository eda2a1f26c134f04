"""The figures of a tau run, from what its trials left in the run file.

Trials that ended in error count nowhere but in the costs: they were paid for.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from trialkit.runfile import RecordedTrial, RunFile
from trialkit.stats import exact, mean_by_case, pass_hat_all, pass_hat_mean, pass_rate, unknown
from trialkit.suites import Details
from trialkit.suites.tau.common.published import Published
from trialkit.suites.tau.numbers_tables import Cost, Counted, Numbers, PassAtTurn, tables

#: pass^k and Pass@turn are published for 1 to 4.
_MOST_K = 4
_UNEXPLAINED = "not explained"

T = TypeVar("T")
_Cases = Sequence[Sequence[RecordedTrial]]


def details(run: RunFile, published: Sequence[Published] = ()) -> Details:
    """What the reports show of a tau run beside the figures that every run has."""
    numbers = _numbers(run)
    return Details(metrics=_metrics(numbers), tables=tables(numbers, published))


def _numbers(run: RunFile) -> Numbers:
    by_case: defaultdict[str, list[RecordedTrial]] = defaultdict(list)
    for row in run.once(RunFile.trials):
        by_case[row.case_id].append(row)
    cases = list(by_case.values())
    judged = [[row for row in rows if row.outcome in {"pass", "fail"}] for rows in cases]
    verdicts = [[row.outcome == "pass" for row in rows] for rows in judged]
    hats = pass_hat_all(verdicts)
    up_to = min(_MOST_K, len(hats))
    return Numbers(
        info=run.info(),
        models={model.role: model.name for model in run.models()},
        pass_hat_k=hats,
        overall=pass_hat_mean(verdicts, range(1, up_to + 1)) if up_to else unknown(0),
        overall_up_to=up_to,
        pass_at_turn=tuple(_pass_at_turn(judged, turn) for turn in range(1, _MOST_K + 1)),
        costs=_costs(cases),
        steps=mean_by_case(_known(cases, lambda row: _output(row, "steps"))),
        turns=mean_by_case(_known(cases, lambda row: _output(row, "turns"))),
        failures=_failures(judged),
        faults=_faults(cases),
        ends=_count(_known(cases, lambda row: _output(row, "end"))),
    )


def _metrics(numbers: Numbers) -> dict[str, object]:
    return {
        "overall_score": numbers.overall.to_data(),
        "overall_score_up_to_k": numbers.overall_up_to,
        "pass_at_turn": {
            "exact": [one.exactly.to_data() for one in numbers.pass_at_turn],
            "cumulative": [one.within.to_data() for one in numbers.pass_at_turn],
        },
        "steps_per_trial": numbers.steps.to_data(),
        "turns_per_trial": numbers.turns.to_data(),
        "cost_by_role_usd": {
            role: {"total": cost.total.to_data(), "per_trial": cost.per_trial.to_data()}
            for role, cost in numbers.costs.items()
        },
        "ends": _counts_data(numbers.ends),
        "failure_classes": _counts_data(numbers.failures),
        "faults": {
            author: {part: _counts_data(counted) for part, counted in parts.items()}
            for author, parts in numbers.faults.items()
        },
    }


def _counts_data(counts: Mapping[str, Counted]) -> dict[str, object]:
    return {name: {"count": one.count.to_data(), "share": one.share.to_data()} for name, one in counts.items()}


def _known(cases: _Cases, value: Callable[[RecordedTrial], T | None]) -> list[list[T]]:
    """A value of each trial that has it, by case."""
    return [[found for row in rows if (found := value(row)) is not None] for rows in cases]


def _output(row: RecordedTrial, name: str) -> Any:
    return None if row.output is None or row.outcome == "error" else row.output.get(name)


def _detail(row: RecordedTrial, name: str) -> Any:
    """From the verdict that decides, else from another: a recorded verdict knows less than our environment's."""
    decided = (row.decided,) if row.decided else ()
    found = (verdict.details.get(name) for verdict in (*decided, *row.verdicts))
    return next((value for value in found if value is not None), None)


def _pass_at_turn(judged: _Cases, turn: int) -> PassAtTurn:
    """Unknown as soon as one passed trial does not tell its turns: the others are not a fair sample of them."""
    turns = [[_success_turn(row) if row.outcome == "pass" else 0 for row in rows] for rows in judged]
    n = sum(map(len, turns))
    known = [[value for value in values if value is not None] for values in turns]
    if sum(map(len, known)) < n:
        return PassAtTurn(turn=turn, exactly=unknown(n), within=unknown(n))
    return PassAtTurn(
        turn=turn,
        exactly=pass_rate([[value == turn for value in values] for values in known]),
        within=pass_rate([[0 < value <= turn for value in values] for values in known]),
    )


def _success_turn(row: RecordedTrial) -> int | None:
    turn: int | None = _detail(row, "success_turn")
    return _output(row, "turns") if turn is None else turn


def _costs(cases: _Cases) -> dict[str, Cost]:
    """By role; what a trial did not ask a role cost nothing there."""
    ended = [[row for row in rows if row.ended is not None] for rows in cases]
    roles = sorted({part.role for rows in ended for row in rows for part in row.spending})
    return {role: _cost([[_spent(row, role) for row in rows] for rows in ended]) for role in roles}


def _spent(row: RecordedTrial, role: str) -> float | None:
    costs = [part.cost for part in row.spending if part.role == role]
    return None if None in costs else sum(cost for cost in costs if cost is not None)


def _cost(spent: Sequence[Sequence[float | None]]) -> Cost:
    n = sum(map(len, spent))
    known = [[cost for cost in costs if cost is not None] for costs in spent]
    if sum(map(len, known)) < n:
        return Cost(total=unknown(n), per_trial=unknown(n))
    return Cost(total=exact(sum(map(sum, known)), n), per_trial=mean_by_case(known))


def _failures(judged: _Cases) -> dict[str, Counted]:
    """Why trials failed, by the class that the breakdown gives each; nothing where there is no breakdown at all."""
    failed = [[row for row in rows if row.outcome == "fail"] for rows in judged]
    if not any(_detail(row, "breakdown") for rows in failed for row in rows):
        return {}
    return _count([[(_detail(row, "breakdown") or {}).get("class", _UNEXPLAINED) for row in rows] for rows in failed])


def _faults(cases: _Cases) -> dict[str, dict[str, Mapping[str, Counted]]]:
    """Whose fault failures were, as each author of such remarks has it; its newest remark on a trial counts."""
    authors = dict.fromkeys(
        remark.author for rows in cases for row in rows for remark in row.remarks if remark.kind == "fault"
    )
    return {
        author: {part: _count(_known(cases, _newest_remark(author, part))) for part in ("fault", "type")}
        for author in authors
    }


def _newest_remark(author: str, part: str) -> Callable[[RecordedTrial], str | None]:
    def find(row: RecordedTrial) -> str | None:
        found = [remark.data for remark in row.remarks if remark.kind == "fault" and remark.author == author]
        return found[-1].get(part) if found else None

    return find


def _count(cases: Sequence[Sequence[str]]) -> dict[str, Counted]:
    """How often each name comes up, the most frequent first."""
    names = [name for values in cases for name in values]
    ranked = sorted(set(names), key=lambda name: (-names.count(name), name))
    return {name: _counted(name, cases, len(names)) for name in ranked}


def _counted(name: str, cases: Sequence[Sequence[str]], n: int) -> Counted:
    is_it = [[value == name for value in values] for values in cases]
    return Counted(count=exact(sum(map(sum, is_it)), n), share=pass_rate(is_it))
