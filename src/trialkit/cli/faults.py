"""`trialkit faults RUN`."""

import shlex
from pathlib import Path

import click

from trialkit.engine import Reviewed, blocking, review, review_of
from trialkit.models import ModelSpec
from trialkit.pages import Money, Page, write_page
from trialkit.runfile import RunFile
from trialkit.settings import RunSettings
from trialkit.text.shown import counted

from .defaults import with_defaults
from .finish import BAD_INPUT, INTERRUPTED, WITH_ERRORS
from .groups import Sectioned
from .options import build, given, session_options
from .places import RUN


@click.command(
    cls=Sectioned,
    epilog="Example: trialkit faults latest --judge-model openai/gpt-5",
    params=[
        click.Argument(["path"], metavar="RUN", type=RUN),
        click.Option(["--judge-model"], metavar="MODEL", required=True, help="Who says whose fault a failure was."),
        click.Option(["--judge-prompt"], metavar="VERSION", default="v1", help="Version of its prompt [default: v1]."),
        click.Option(["--provider"], help="Provider of a model given by its bare name."),
        click.Option(["--api-base"], metavar="URL", help="URL of an OpenAI-compatible server."),
        *session_options(),
    ],
)
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
    run, question = Path(path), review_of(Path(path), "fault")
    settings = build(with_defaults(RunSettings), given(ctx, RunSettings))
    spec = ModelSpec(
        name=judge_model,
        provider=None if "/" in judge_model else provider,
        api_base=api_base,
        timeout=settings.timeout,
        timeout_in_all=settings.timeout_in_all,
        retries=settings.retries,
    )
    found = blocking(review(run, question, judge_prompt, spec, settings, _begun))
    with RunFile(run) as opened:
        tables = tuple(question.tables(opened, found.author))
    if tables:
        click.echo(write_page(Page(title=f"Failed trials of {run.name}", parts=tables), "console"))
    click.echo(f"cost of the fault judge so far: {Money(found.cost)}")
    ctx.exit(_status(found, path))


def _begun(asked: int, known: int) -> None:
    click.echo(f"{counted(asked, 'failed trial')} to judge, {known} judged already", err=True)


def _status(found: Reviewed, path: str) -> int:
    done = found.done
    if done.reason:
        left = counted(done.left, "trial")
        click.echo(f"stopped: {done.reason}\n{left} left; the same command goes on with them", err=True)
        return BAD_INPUT if done.setup_fault else INTERRUPTED
    if found.unread:
        report = shlex.join(["trialkit", "report", path, "--format", "json"])
        unread = counted(found.unread, "trial")
        click.echo(f"{unread} without a fault that could be read; the same command asks again", err=True)
        click.echo(f"why: the remarks in {report}", err=True)
        return WITH_ERRORS
    return 0
