"""`trialkit faults RUN`."""

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from trialkit.engine import Revisited, blocking, connected, revisit
from trialkit.models import ModelSpec, Traffic
from trialkit.pages import Count, Money, Page, Rate, Table, write_page
from trialkit.runfile import Prompt, RunFile
from trialkit.settings import RunSettings
from trialkit.stats import Figure
from trialkit.suites import Role
from trialkit.suites.tau.faults import ROLE, FaultJudge, fault_counts, fault_prompt, plan
from trialkit.text.shown import counted

from .finish import BAD_INPUT, INTERRUPTED, WITH_ERRORS
from .options import build, given, session_options


@click.command(params=session_options())
@click.argument("path", metavar="RUN")
@click.option("--judge-model", metavar="MODEL", required=True, help="Model that says whose fault a failure was.")
@click.option("--judge-prompt", metavar="VERSION", default="v1", help="Version of its prompt [default: v1].")
@click.option("--provider", help="Provider of a model given by its bare name.")
@click.option("--api-base", metavar="URL", help="URL of an OpenAI-compatible server.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    path: str,
    judge_model: str,
    judge_prompt: str,
    provider: str | None,
    api_base: str | None,
    **_: object,
) -> None:
    """Let a model say whose fault each failed trial is: the agent's, the simulated user's or the environment's.

    What it says is added to the run file and to the reports. Trials that it has judged already are not asked about
    again, unless nothing could be read from its replies.
    """
    prompt = fault_prompt(judge_prompt)
    settings = build(RunSettings, given(ctx, RunSettings))
    spec = ModelSpec(
        name=judge_model,
        provider=None if "/" in judge_model else provider,
        api_base=api_base,
        timeout=settings.timeout,
        retries=settings.retries,
    )
    revisited, author = blocking(_visit(Path(path), prompt, Role(spec=spec, phase="judge"), settings))
    with RunFile(Path(path)) as run:
        left = plan(run, author)
        _print(Path(path), fault_counts(run).get(author, {}), _cost(run))
    ctx.exit(_status(revisited, unread=len(left.again), path=path))


async def _visit(path: Path, prompt: Prompt, role: Role, settings: RunSettings) -> tuple[Revisited, str]:
    traffic = Traffic(settings.max_concurrency)
    async with connected({ROLE: role}, settings, traffic) as peers:
        author = f"{peers[ROLE].name}@{prompt.version}"
        with RunFile(path) as run:
            found = plan(run, author)
        click.echo(f"{counted(len(found.rows), 'failed trial')} to judge, {found.known} judged already", err=True)
        revisited = await revisit(
            path,
            found.rows,
            FaultJudge(prompt, author),
            settings=settings,
            prompts={ROLE: prompt},
            peers=peers,
            traffic=traffic,
            again=found.again,
        )
    return revisited, author


def _cost(run: RunFile) -> float | None:
    costs = [part.cost for row in run.trials() for part in row.later if part.role == ROLE]
    return None if None in costs else sum(cost for cost in costs if cost is not None)


def _print(path: Path, counts: Mapping[str, Any], cost: float | None) -> None:
    tables = [
        Table(
            title=title,
            columns=(what, "Trials", "Share"),
            rows=tuple(
                (name, Count(one["count"]["value"]), Rate(Figure(**one["share"]))) for name, one in counts[part].items()
            ),
        )
        for part, title, what in (("fault", "Whose fault", "Fault"), ("type", "What the agent did wrong", "Type"))
        if counts.get(part)
    ]
    if tables:
        click.echo(write_page(Page(title=f"Failed trials of {path.name}", parts=tuple(tables)), "console"))
    click.echo(f"cost of the fault judge so far: {Money(cost)}")


def _status(revisited: Revisited, *, unread: int, path: str) -> int:
    if revisited.reason:
        left = counted(revisited.left, "trial")
        click.echo(f"stopped: {revisited.reason}\n{left} left; the same command goes on with them", err=True)
        return BAD_INPUT if revisited.setup_fault else INTERRUPTED
    if unread:
        report = shlex.join(["trialkit", "report", path, "--format", "json"])
        click.echo(
            f"{counted(unread, 'trial')} without a fault that could be read; the same command asks again", err=True
        )
        click.echo(f"why: the remarks in {report}", err=True)
        return WITH_ERRORS
    return 0
