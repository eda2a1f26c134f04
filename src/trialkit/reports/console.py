"""The report in the terminal: a table of cases or trials, the figures, and the suite's own tables."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.padding import Padding, PaddingDimensions
from rich.table import Table
from rich.text import Text

from trialkit.pages.old_cells import Clamped, add_column
from trialkit.runfile import RecordedTrial
from trialkit.suites import Section
from trialkit.text.shown import counted, fact, one_line

from .figures import figure_lines
from .summary import CaseSummary, Summary, judges_disagree

#: More rows than this are no table but a flood: then only those that did not pass are shown, up to as many.
_MOST_ROWS = 50
#: Of the cells of tables with many columns.
_NARROW = (0, 1, 0, 0)
_STYLE = {"pass": "green", "fail": "red", "error": "yellow", None: "dim"}


def console_report(summary: Summary) -> str:
    """As it would look in this terminal, with colours if it has them."""
    console = Console()
    with console.capture() as capture:
        if not summary.done:
            pass  # a column of `not run` tells nothing: the figures say why
        elif summary.facts and (summary.total <= _MOST_ROWS or not _several(summary.cases)):
            _print_trials(summary, console)
        else:
            _print_cases(summary, console)
        _print_figures(summary, console)
        for section in summary.details.sections:
            _print_section(section, console)
    # rich fills every line of a table up with blanks, which a log or a paste shows
    return "".join(f"{line.rstrip()}\n" for line in capture.get().splitlines())


def _print_cases(summary: Summary, console: Console) -> None:
    shown = list(summary.cases)
    if len(shown) > _MOST_ROWS:
        shown = [one for one in shown if one.count("pass") < len(one.trials)][:_MOST_ROWS]
    several = _several(shown)
    table, grouped = _table(summary)
    table.add_column("Passed" if several else "Outcome", no_wrap=True)
    table.add_column("Critique", ratio=1)
    for one in shown:
        outcome = _share(one) if several else _outcome(one.trials[0])
        table.add_row(*_name(one, grouped=grouped), outcome, Clamped(_telling(one, several=several)))
    _print_table(table, console, shown=len(shown), of=len(summary.cases), what="cases")


def _several(cases: Sequence[CaseSummary]) -> bool:
    return any(len(one.trials) > 1 for one in cases)


def _print_trials(summary: Summary, console: Console) -> None:
    """One row each, with the suite's facts as columns."""
    every = [(one, trial) for one in summary.cases for trial in one.trials]
    shown = every
    if len(every) > _MOST_ROWS:
        shown = [(one, trial) for one, trial in every if trial.outcome != "pass"][:_MOST_ROWS]
    several = _several(summary.cases)
    facts = _columns([summary.facts.get(trial.id, {}) for _, trial in shown])
    table, grouped = _table(summary, _NARROW)
    if several:
        table.add_column("Trial", no_wrap=True, justify="right")
    table.add_column("Outcome", no_wrap=True)
    for name in facts:
        table.add_column(name.replace("_", " ").capitalize(), no_wrap=True, justify="right")
    table.add_column("Critique", ratio=1)
    for one, trial in shown:
        found = summary.facts.get(trial.id, {})
        table.add_row(
            *_name(one, grouped=grouped),
            *([Text(str(trial.number))] if several else []),
            _outcome(trial),
            *(Text(fact(found.get(name))) for name in facts),
            Clamped(one_line(_said(trial))),
        )
    _print_table(table, console, shown=len(shown), of=len(every), what="trials")


def _table(summary: Summary, padding: PaddingDimensions = (0, 1)) -> tuple[Table, bool]:
    """A table with the columns that name a case; its group is one of them if there are several."""
    grouped = len(summary.groups) > 1
    table = Table(box=box.SIMPLE_HEAD, expand=True, pad_edge=False, padding=padding)
    table.add_column("Case", no_wrap=True, max_width=24, overflow="ellipsis")
    if grouped:
        table.add_column("Type", no_wrap=True, style="dim", max_width=16, overflow="ellipsis")
    return table, grouped


def _name(one: CaseSummary, *, grouped: bool) -> list[Text]:
    return [Text(one.case.id), *([Text(one.case.group)] if grouped else [])]


def _columns(facts: Sequence[Mapping[str, Any]]) -> list[str]:
    """The facts that fit a cell, in the order in which the suite gives them; those that no row has are left out."""
    return list(
        dict.fromkeys(name for one in facts for name, value in one.items() if not isinstance(value, dict | list | None))
    )


def _print_table(table: Table, console: Console, *, shown: int, of: int, what: str) -> None:
    if shown:
        console.print(table)
    if shown < of:
        which = f"{shown} of {of:,} {what} shown: those that did not pass" if shown else f"all {of:,} {what} passed"
        console.print(f"  {which}\n", style="dim")


def _share(one: CaseSummary) -> Text:
    judged = len(one.verdicts)
    style = "green" if judged and one.count("pass") == judged else "red" if judged else "dim"
    text = Text(f"{one.count('pass')}/{judged}", style=style)
    if errors := one.count("error"):
        told = Text(counted(errors, "error"), style="yellow")
        return text.append(" +").append(told) if judged else told
    return text


def _outcome(trial: RecordedTrial) -> Text:
    word = trial.outcome or ("not judged" if trial.ended else "not run")
    text = Text(word, style=_STYLE[trial.outcome])
    if judges_disagree(trial):
        text.append(" ≠", style="yellow")
    return text


def _telling(one: CaseSummary, *, several: bool) -> str:
    """Of several trials, why the first that did not pass did not, and which it is."""
    ended = [trial for trial in one.trials if trial.ended]
    telling = next((trial for trial in ended if trial.outcome != "pass" or not several), None)
    if telling is None:
        return ""
    return one_line(f"trial {telling.number}: {_said(telling)}" if several else _said(telling))


def _said(trial: RecordedTrial) -> str:
    said = trial.decided.critique if trial.decided else trial.error or ""
    others = [v for v in trial.verdicts if trial.decided and v.judge != trial.decided.judge]
    if judges_disagree(trial):
        said += "".join(f" ≠ {verdict.judge} says {verdict.outcome}: {verdict.critique}" for verdict in others)
    return said


def _print_figures(summary: Summary, console: Console) -> None:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in figure_lines(summary):
        grid.add_row(f"  {name}", Text(value, style="bold" if name == "pass rate" else ""))
    console.print(grid)


def _print_section(section: Section, console: Console) -> None:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=_NARROW)
    columns = [
        add_column(table, name, [row[place] for row in section.rows]) for place, name in enumerate(section.columns)
    ]
    for row in zip(*columns, strict=True):
        table.add_row(*row)
    console.print()
    console.print(Text(f" {section.title}", style="bold"))
    console.print(Padding(table, (0, 0, 0, 1)))
    if section.note:
        console.print(Padding(Text(section.note, style="dim"), (0, 0, 0, 1)))
