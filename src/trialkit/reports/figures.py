"""The figures of a run as lines of name and value, as the console shows them."""

from trialkit.text.shown import count, counted, dollars, number, rate, seconds

from .summary import RoleSummary, Summary

Line = tuple[str, str]

#: pass^1 to this one are shown, as the leaderboards do, and the last.
_MOST_PASS_HAT = 4


def figure_lines(summary: Summary) -> list[Line]:
    judged = summary.passed + summary.failed
    lines = [("pass rate", f"{summary.passed}/{judged} = {rate(summary.pass_rate)}" if judged else "— (no verdicts)")]
    if judged and len(summary.groups) > 1:
        lines += [(f"  {group}", rate(figure)) for group, figure in summary.groups.items()]
    lines += _pass_hat_k(summary)
    if summary.average_reward is not None:
        lines.append(("average reward", number(summary.average_reward)))
    lines += _left_over(summary)
    if summary.agreement is not None:
        lines.append(("judges agree", rate(summary.agreement)))
    lines += [(role.role, _role(role)) for role in summary.roles]
    if summary.roles:
        lines.append(("cost", _cost(summary)))
    per_trial = summary.seconds_per_trial
    lines.append(
        ("time", f"{seconds(summary.info.wall_s)}" + (f" · {seconds(per_trial.value)} a trial" if per_trial.n else ""))
    )
    return lines


def _pass_hat_k(summary: Summary) -> list[Line]:
    """Only where there are several trials of a case: pass^1 alone says what the pass rate says."""
    wanted = max((len(one.trials) for one in summary.cases), default=0)
    figures = summary.pass_hat_k
    if wanted < 2 or not figures:
        return []
    of = f"  over {figures[0].n} of {len(summary.cases)} cases" if figures[0].n < len(summary.cases) else ""
    shown = {*range(1, _MOST_PASS_HAT + 1), len(figures)}
    if figures[0].value == summary.pass_rate.value and not of:  # then it says the same
        shown.discard(1)
    lines = [(f"pass^{k}", f"{rate(figure)}{of}") for k, figure in enumerate(figures, start=1) if k in shown]
    if len(figures) < wanted:
        above = f"pass^{len(figures) + 1}" + (f"..{wanted}" if len(figures) + 1 < wanted else "")
        lines.append((above, f"— (a case has only {counted(len(figures), 'verdict')} so far)"))
    return lines


def _left_over(summary: Summary) -> list[Line]:
    parts = (
        ("errors", summary.errors, "no verdict could be had; not counted in the rate"),
        ("not judged", summary.unjudged, "answers only"),
        ("not run", summary.open, summary.info.reason or "the run is going on, or was killed"),
        ("kept", summary.kept, "answers that were there before the run"),
        ("failed calls", summary.failed_calls, "model calls that gave no reply"),
    )
    return [(name, f"{number}  ({why})") for name, number, why in parts if number]


def _role(role: RoleSummary) -> str:
    stored = f" ({role.stored:,} stored)" if role.stored else ""
    tokens = f"{count(role.input_tokens)} tokens in, {count(role.output_tokens)} out"
    return f"{counted(role.calls, 'call')}{stored} · {tokens} · {dollars(role.cost)} · {role.model}"


def _cost(summary: Summary) -> str:
    if summary.cost.value is None:
        return "unknown (a price or the usage is not known)"
    each = summary.cost_per_trial
    text = f"{dollars(summary.cost.value)} · {dollars(each.value)} a trial"
    if each.low is not None:
        text += f" [{dollars(each.low)}, {dollars(each.high)}]"
    if summary.paid.value != summary.cost.value:
        text += f" · paid {dollars(summary.paid.value)}, the rest came from stored replies"
    return text
