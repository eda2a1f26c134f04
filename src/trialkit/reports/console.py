"""The report in the terminal: a table by case, then the figures."""

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from trialkit.runfile import TrialRow

from ._summary import CaseSummary, RoleSummary, Summary, judges_disagree
from .text import count, counted, dollars, one_line, rate, seconds

#: More rows than this are no table but a flood: then only the cases that did not pass are shown, up to as many.
_MOST_ROWS = 50
_STYLE = {"pass": "green", "fail": "red", "error": "yellow", None: "dim"}


def console_report(summary: Summary) -> str:
    """As it would look in this terminal, with colours if it has them."""
    console = Console()
    with console.capture() as capture:
        _print_table(summary, console)
        _print_figures(summary, console)
    return capture.get()


def _print_figures(summary: Summary, console: Console) -> None:
    for name, value in _figures(summary):
        line = Text(f"  {name:<14} ", style="dim")
        line.append(value, style="bold" if name == "pass rate" else "not dim")
        console.print(line)


def _print_table(summary: Summary, console: Console) -> None:
    shown = list(summary.cases)
    if len(shown) > _MOST_ROWS:
        shown = [one for one in shown if one.count("pass") < len(one.trials)][:_MOST_ROWS]
    several = any(len(one.trials) > 1 for one in shown)
    table = Table(box=box.SIMPLE_HEAD, expand=True, pad_edge=False)
    table.add_column("Case", no_wrap=True)
    table.add_column("Type", no_wrap=True, style="dim")
    table.add_column("Passed" if several else "Outcome", no_wrap=True)
    table.add_column("Critique" if not several else "Critique of the first that did not pass", ratio=1)
    for one in shown:
        table.add_row(Text(one.case.id), Text(one.case.group), _outcome(one, several=several), _critique(one))
    if shown:
        console.print(table)
    if len(shown) < len(summary.cases):
        console.print(f"  {len(shown)} of {len(summary.cases):,} cases shown: those that did not pass\n", style="dim")


def _outcome(one: CaseSummary, *, several: bool) -> Text:
    if several:
        judged = len(one.verdicts)
        style = "green" if judged and one.count("pass") == judged else "red" if judged else "dim"
        text = Text(f"{one.count('pass')}/{judged}", style=style)
        if errors := one.count("error"):
            text.append(f" +{counted(errors, 'error')}", style="yellow")
        return text
    trial = one.trials[0]
    word = trial.outcome or ("not judged" if trial.ended else "not run")
    text = Text(word, style=_STYLE[trial.outcome])
    if judges_disagree(trial):
        text.append(" ≠", style="yellow")
    return text


def _critique(one: CaseSummary) -> Text:
    ended = [trial for trial in one.trials if trial.ended]
    telling = next((trial for trial in ended if trial.outcome != "pass"), ended[0] if ended else None)
    if telling is None:
        return Text("")
    return Text(one_line(_said(telling)), overflow="ellipsis", no_wrap=False)


def _said(trial: TrialRow) -> str:
    said = trial.decided.critique if trial.decided else trial.error or ""
    others = [v for v in trial.verdicts if trial.decided and v.judge != trial.decided.judge]
    if judges_disagree(trial):
        said += "".join(f" ≠ {verdict.judge} says {verdict.outcome}: {verdict.critique}" for verdict in others)
    return said


def _figures(summary: Summary) -> list[tuple[str, str]]:
    judged = summary.passed + summary.failed
    lines = [("pass rate", f"{summary.passed}/{judged} = {rate(summary.pass_rate)}" if judged else "— (no verdicts)")]
    if judged and len(summary.groups) > 1:
        lines += [(f"  {group}", rate(figure)) for group, figure in summary.groups.items()]
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


def _left_over(summary: Summary) -> list[tuple[str, str]]:
    parts = (
        ("errors", summary.errors, "no verdict could be had; not counted in the rate"),
        ("not judged", summary.unjudged, "answers only"),
        ("not run", summary.open, summary.info.reason or "the run is going on, or was killed"),
        ("kept", summary.kept, "answers that came with the golden CSV"),
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
