"""Whether runs are no worse than the first, for `compare --gate` and `--gate-margin`."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from trialkit.stats import Difference, holm_of_known, pairs_to_exclude
from trialkit.text.shown import counted

from .compare import Comparison
from .words import amount, p_value

GateState = Literal["ok", "worse", "undecided"]
_WORST_FIRST: tuple[GateState, ...] = ("worse", "undecided", "ok")


@dataclass(frozen=True, kw_only=True, slots=True)
class GateRule:
    margin: float | None  # the loss that is still no loss; None: only a significant one is looked for
    errors_may_lie: Literal["worst", "missing"] = "worst"


@dataclass(frozen=True, kw_only=True, slots=True)
class GateOutcome:
    state: GateState
    why: str

    def to_data(self) -> dict[str, str]:
        return {"state": self.state, "why": self.why}


def compare_gate(against_first: Mapping[str, Comparison], rule: GateRule) -> GateOutcome:
    """The worst of each run's own outcome, with all that there is to be said.

    p-values are corrected for these comparisons only, not for all pairs of runs: the fewer they are, the less does a
    further run hide that another one has become worse.
    """
    seen = _corrected({name: one.headline.difference for name, one in against_first.items()})
    at_worst = _corrected({name: _at_worst(one, rule) or seen[name] for name, one in against_first.items()})
    outcomes = []
    for name, one in against_first.items():
        outcome = _outcome(name, one, seen[name], rule, if_errors_lie=False)
        if outcome.state != "worse" and _may_hide_more(one, rule):
            outcome = _outcome(name, one, at_worst[name], rule, if_errors_lie=True)
        outcomes.append(outcome)
    state = min((one.state for one in outcomes), key=_WORST_FIRST.index)
    return GateOutcome(state=state, why="; ".join(one.why for one in outcomes if one.state == state))


def _corrected(differences: Mapping[str, Difference]) -> dict[str, Difference]:
    corrected = holm_of_known([one.p for one in differences.values()])
    return {name: replace(one, p=p) for (name, one), p in zip(differences.items(), corrected, strict=True)}


def _may_hide_more(one: Comparison, rule: GateRule) -> bool:
    """Whether the run has more errors than the first: whoever crashes where it would have failed must not pass."""
    if rule.errors_may_lie == "missing" or one.errors is None:
        return False
    return (one.errors.after.value or 0.0) > (one.errors.before.value or 0.0)


def _at_worst(one: Comparison, rule: GateRule) -> Difference | None:
    return one.if_errors_lie if _may_hide_more(one, rule) else None


def _outcome(name: str, one: Comparison, difference: Difference, rule: GateRule, *, if_errors_lie: bool) -> GateOutcome:
    if difference.value is None:
        return GateOutcome(state="worse", why=f"there is nothing to compare with {name}")
    if if_errors_lie and one.if_errors_lie is None:
        return GateOutcome(state="worse", why=_may_lie(name, one, "their scores could have been anything"))
    if rule.margin is not None and _excludes(one, difference, rule.margin):
        return GateOutcome(state="ok", why=f"{name} is not worse by {amount(rule.margin, one.measure)} or more")
    if one.is_worse(difference):
        why = f"{name} is significantly worse, by {amount(difference.value, one.measure)} ({p_value(difference.p)})"
        return GateOutcome(state="worse", why=_may_lie(name, one, f"then {why}") if if_errors_lie else why)
    if rule.margin is None:
        return GateOutcome(state="ok", why=f"no significant regression of {name}")
    return GateOutcome(
        state="undecided",
        why=f"{name} may be worse by {amount(rule.margin, one.measure)} or more,"
        f" or not; {_more(one, difference, rule.margin)}",
    )


def _may_lie(name: str, one: Comparison, then: str) -> str:
    return (
        f"{counted(one.after.count('error'), 'trial')} of {name} ended in error, and {one.before.count('error')} of A;"
        f" if errors hide what is bad for {name}, {then}. Try them again (trialkit resume --errors), or take errors"
        " for no evidence: --errors-may-lie missing"
    )


def _excludes(one: Comparison, difference: Difference, margin: float) -> bool:
    """Whether the interval leaves out a loss of the margin."""
    worst = difference.low if one.measure.higher_is_better else difference.high
    return worst is not None and (worst > -margin if one.measure.higher_is_better else worst < margin)


def _more(one: Comparison, difference: Difference, margin: float) -> str:
    needed = pairs_to_exclude(margin, difference.deviation)
    if needed is None or needed <= difference.n:
        return "more cases would tell, but how many cannot be said from these"
    cases = counted(needed - difference.n, "further case")
    each = f" of {counted(one.trials, 'trial')} each" if one.trials > 1 else ""
    return f"if it is as good as A, {cases}{each} in both runs would show it with 80% power"
