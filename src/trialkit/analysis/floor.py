"""What is left of a result without the cases that pass though nothing is done."""

from collections.abc import Sequence

from trialkit.pages import Number, Table
from trialkit.stats import Figure, pass_hat_all
from trialkit.suites import FREE
from trialkit.text.json import JsonObject
from trialkit.text.shown import counted

from .summary import CaseSummary, Summary

#: pass^k is shown for so many k.
_MOST_K = 4


def floor_table(summary: Summary) -> Table | None:
    """None: no case is known to pass for nothing, or all are."""
    free, rest = _parted(summary)
    if not free or not rest:
        return None
    groups = [("all cases", [*free, *rest]), ("those that pass for nothing", free), ("the others", rest)]
    rows = [(what, len(cases), _hats(cases)) for what, cases in groups]
    most = max(len(hats) for _, _, hats in rows)
    columns = ("Cases", "n", *(f"Pass^{k}" for k in range(1, most + 1)))
    return Table(
        title="Without what passes for nothing",
        columns=columns,
        rows=tuple(
            (what, str(n), *(Number(hats[k] if k < len(hats) else None, stacked=True) for k in range(most)))
            for what, n, hats in rows
        ),
        note=f"{counted(len(free), 'case')} of {len(free) + len(rest)} pass for an agent that does nothing: who passes "
        f"them has shown little. trialkit audit {summary.info.suite} tells which.",
    )


def floor_data(summary: Summary) -> JsonObject:
    """Empty where there are no such cases."""
    free, rest = _parted(summary)
    if not free:
        return {}
    told = {"passes_for_nothing": free, "others": rest}
    figures = {name: {"pass_hat_k": [one.to_data() for one in _hats(cases)]} for name, cases in told.items()}
    return {"floor": {"cases": [one.case.id for one in free], **figures}}


def _parted(summary: Summary) -> tuple[list[CaseSummary], list[CaseSummary]]:
    """Those that pass for nothing, and the others; of those that have a verdict."""
    judged = [one for one in summary.cases if one.verdicts]
    return [one for one in judged if FREE in one.case.tags], [one for one in judged if FREE not in one.case.tags]


def _hats(cases: Sequence[CaseSummary]) -> Sequence[Figure]:
    return pass_hat_all([one.verdicts for one in cases])[:_MOST_K]
