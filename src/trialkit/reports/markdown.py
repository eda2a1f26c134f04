"""The report as Markdown, for a pull request or a wiki."""

from collections.abc import Iterator

from trialkit.pages.old_markdown import cell, table
from trialkit.suites import Section
from trialkit.text.shown import dollars, number, rate, seconds

from .summary import CaseSummary, Summary

_LONGEST = 200


def markdown_report(summary: Summary) -> str:
    info = summary.info
    judged = summary.passed + summary.failed
    facts = [
        ("Pass rate", f"**{summary.passed}/{judged} = {rate(summary.pass_rate)}**" if judged else "no verdicts"),
        *(
            (cell(group), rate(figure))
            for group, figure in summary.groups.items()
            if judged and len(summary.groups) > 1
        ),
        *((f"pass^{k}", rate(one)) for k, one in enumerate(summary.pass_hat_k, start=1) if len(summary.pass_hat_k) > 1),
        *([("Average reward", number(summary.average_reward))] if summary.average_reward else []),
        ("Errors", str(summary.errors)),
        ("Not run", str(summary.open)),
        ("Cost", dollars(summary.cost.value)),
        ("Time", seconds(info.wall_s)),
        *((f"Model: {model.role}", f"`{model.name}`") for model in summary.models),
        *((f"Prompt: {prompt.role}", f"{prompt.version} (`{prompt.hash[:12]}`)") for prompt in summary.prompts),
    ]
    lines = [f"## {cell(info.suite)}: {cell(info.subject)}", "", "| | |", "|---|---|"]
    lines += [f"| {name} | {value} |" for name, value in facts]
    lines += ["", *table(("Case", "Type", "Passed", "Critique"), [_row(one) for one in summary.cases])]
    for section in summary.details.sections:
        lines += _section(section)
    return "\n".join(lines) + "\n"


def _row(one: CaseSummary) -> list[str]:
    passed = f"{one.count('pass')}/{len(one.verdicts)}"
    if errors := one.count("error"):
        passed += f" (+{errors} error)"
    telling = next((trial for trial in one.trials if trial.outcome != "pass"), one.trials[0])
    critique = telling.decided.critique if telling.decided else telling.error or ""
    critique = critique if len(critique) <= _LONGEST else f"{critique[:_LONGEST]}…"
    return [one.case.id, one.case.group, passed, critique]


def _section(section: Section) -> Iterator[str]:
    yield from ("", f"### {cell(section.title)}", "")
    yield from table(section.columns, section.rows)
    if section.note:
        yield from ("", cell(section.note))
