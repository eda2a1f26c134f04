"""One run: its result first, then what is wrong with it, then its trials, chosen by what the address says."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from starlette.responses import Response

from trialkit.analysis.charts import distributions, distributions_told, pass_hat_chart
from trialkit.analysis.run_facts import figures, made_with, result
from trialkit.analysis.run_page import evidence, own_tables
from trialkit.analysis.runs import state_of
from trialkit.analysis.summary import Summary, summarize
from trialkit.pages import Bar, Cell, Chart, Code, Count, Facts, Money, Name, Table, measured

from .asked import PageRequest
from .chosen import LABELS, MARKED, OUTCOMES, TrialChoice
from .render import address
from .shelf import OpenedRun
from .trials import chosen_trials

#: The tables of a suite take all answers: of a larger run they are shown when somebody asks for them.
_AT_ONCE = 1_000


class _KindCount(NamedTuple):
    name: str
    trials: int
    link: str


def run_view(asked: PageRequest) -> Response:
    name, choice = asked.query.get("run", ""), TrialChoice.of(asked.query)
    run = asked.shelf.opened(name)
    summary = run.summary
    listed = chosen_trials(asked, name, run, choice)
    return asked.shown(
        "run.html",
        name=name,
        summary=summary,
        state=state_of(asked.shelf.path(name), summary.info),
        called=summary.info.called(summary.prompts),
        title=" · ".join(filter(None, (summary.info.name, summary.info.subject))),
        tags=(*(f"{prompt.role} {prompt.version}" for prompt in summary.prompts), *summary.info.tags),
        headline=measured(summary.headline.figure, summary.headline.measure),
        bar=_bar(summary),
        notes=tuple(evidence(summary)),
        facts=(Facts(rows=_facts(summary)),),
        roles=_roles(summary),
        made=(Facts(rows=(*made_with(summary, name),)),),
        charts=_charts(summary),
        kinds={outcome: _kinds(name, run, outcome) for outcome in ("fail", "error")},
        at_once=summary.counts.total <= _AT_ONCE,
        choice=choice,
        outcomes=_outcomes(summary),
        groups=sorted({one.case.group for one in summary.cases}),
        labels={**LABELS, **{f"{MARKED}{kind}": f"{MARKED}{kind}" for kind in _marks(summary)}},
        listed=listed,
        at=lambda **changes: address("/run", run=name, **{**choice.query, "view": listed.view, **changes}),
    )


def further_view(asked: PageRequest) -> Response:
    """What the suite itself has to show; that takes all answers of a run, so it is asked for apart."""
    name = asked.query.get("run", "")
    with asked.shelf.open(name) as run:
        summary = summarize(run)
    parts = (*distributions_told(summary), *own_tables(summary))
    return asked.shown("further.html", name=name, called=summary.info.called(summary.prompts), parts=parts)


def _facts(summary: Summary) -> tuple[tuple[str, Cell | str], ...]:
    """Without the headline, which stands above, and the roles, which have a table."""
    _, *rest = (*result(summary), *figures(summary))
    roles = {role.role for role in summary.roles}
    return tuple(row for row in rest if row[0] not in roles)


def _bar(summary: Summary) -> Bar | None:
    measure = summary.headline.measure
    if measure.low is None or measure.high is None:
        return None
    return Bar(summary.headline.figure, low=measure.low, high=measure.high)


def _roles(summary: Summary) -> tuple[Table, ...]:
    turns = ("Turns",) if summary.told_calls else ()  # of an agent that is no model
    rows = tuple(
        (
            Name(role.role),
            Code(role.model),
            Count(role.calls),
            *([Count(role.turns) if role.turns is not None else "—"] if turns else []),
            *([Count(role.stored)] if any(one.stored for one in summary.roles) else []),
            Count(role.input_tokens),
            Count(role.output_tokens),
            Money(role.cost),
        )
        for role in summary.roles
    )
    stored = ("Stored",) if any(one.stored for one in summary.roles) else ()
    columns = ("Role", "Model", "Calls", *turns, *stored, "Tokens in", "Tokens out", "Cost")
    return (Table(title="Cost and tokens", columns=columns, rows=rows),) if rows else ()


def _charts(summary: Summary) -> tuple[Chart, ...]:
    """How many model calls a trial took stands for its steps: to count those takes all transcripts."""
    told = {
        trial.id: {"model_calls": calls}
        for one in summary.cases
        for trial in one.trials
        if trial.spending and (calls := summary.model_calls(trial)) is not None
    }
    hats = pass_hat_chart({"": summary.pass_hat_k})
    return (*([hats] if hats else []), *distributions(replace(summary, facts=told)))


def _kinds(name: str, run: OpenedRun, outcome: str) -> list[_KindCount]:
    """The most frequent first."""
    trials = (trial for one in run.summary.cases for trial in one.trials if trial.outcome == outcome)
    counted = Counter(run.kinds.get(trial.id, "") for trial in trials)
    return [
        _KindCount(kind, count, address("/run", run=name, show=outcome, kind=kind, view="list") + "#trials")
        for kind, count in counted.most_common()
        if kind
    ]


def _outcomes(summary: Summary) -> Mapping[str, str]:
    """Those that there are, and how many."""
    counted: Counter[str] = Counter(trial.outcome or "none" for one in summary.cases for trial in one.trials)
    return {
        kind: f"{told} ({counted[kind] if kind else counted.total():,})"
        for kind, told in OUTCOMES.items()
        if not kind or counted[kind]
    }


def _marks(summary: Summary) -> list[str]:
    return sorted({mark.kind for one in summary.cases for trial in one.trials for mark in trial.marks})
