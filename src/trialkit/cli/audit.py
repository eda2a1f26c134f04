"""`trialkit audit SUITE`, and `trialkit audit judge RUN`."""

import shlex
import sys
from pathlib import Path

import click

from trialkit.analysis.audit import audit_of
from trialkit.analysis.audit_pages import audit_json, audit_page
from trialkit.analysis.audit_plan import what_it_takes
from trialkit.analysis.loaded import load_run
from trialkit.engine import Audit, blocking
from trialkit.pages import WRITERS, write_page
from trialkit.settings import OfJudge
from trialkit.text.shown import counted

from .audit_suite import suite_command
from .finish import BAD_INPUT, INTERRUPTED, WITH_ERRORS
from .groups import Sectioned
from .options import changes_of, session_options
from .places import RUN
from .suite_commands import Suites
from .write import write


class _AuditGroup(Suites):
    """`judge` is a command; whatever else stands there is a suite."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        return ("judge", judge_command, args[1:]) if args[0] == "judge" else super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return ["judge", *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        return judge_command if cmd_name == "judge" else super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([("judge", judge_command.get_short_help_str(limit=200))])
        super().format_commands(ctx, formatter)


@click.command(
    "judge",
    cls=Sectioned,
    epilog="Example: trialkit audit judge latest --sample 50 --plan",
    params=[
        click.Argument(["path"], metavar="RUN", type=RUN),
        click.Option(["--sample"], metavar="N", type=click.IntRange(min=1), help="So many answers, drawn [all]."),
        click.Option(["--seed"], type=int, default=0, show_default=True, help="Makes the draw another one."),
        click.Option(["--plan"], is_flag=True, help="Only say what it would take; nothing is asked."),
        click.Option(["--format", "form"], type=click.Choice(list(WRITERS)), default="console"),
        click.Option(["--output", "-o"], metavar="FILE", help="Write to this file instead of the terminal."),
        *session_options(),
        click.Argument(["rest"], nargs=-1, type=click.UNPROCESSED, metavar="[JUDGE OPTIONS]..."),
    ],
    context_settings={"ignore_unknown_options": True},
)
@click.pass_context
def judge_command(
    ctx: click.Context,
    /,
    *,
    path: str,
    sample: int | None,
    seed: int,
    plan: bool,
    form: str,
    output: str | None,
    rest: tuple[str, ...],  # noqa: ARG001 - read by changes_of
    **_: object,
) -> None:
    """Ask a judge about a run's answers again, as they are and said otherwise, and show what moves its verdicts.

    Which judge is said as in `trialkit rejudge`; without it the run's own is meant. What was asked before is not asked
    again, and all judges that were put on trial are shown.
    """
    run = Path(path)
    audit = Audit.of(run, changes_of(ctx, run, OfJudge), sample, seed)
    click.echo(what_it_takes(audit), err=True)
    if plan:
        return
    found = blocking(audit.run())
    loaded = load_run(run)
    judges = audit_of(loaded)
    write(audit_json(loaded, judges) if form == "json" else write_page(audit_page(loaded, judges), form), output)
    if found.done.reason:
        again = shlex.join(["trialkit", *sys.argv[1:]])
        left = counted(found.done.left, "answer")
        click.echo(f"stopped: {found.done.reason}\n{left} left; go on with: {again}", err=True)
        ctx.exit(BAD_INPUT if found.done.setup_fault else INTERRUPTED)
    if found.failed:
        click.echo(f"{counted(found.failed, 'call')} failed; the same command asks again", err=True)
        ctx.exit(WITH_ERRORS)


command = _AuditGroup(
    "audit",
    suite_command,
    "Put on trial what trials are judged by: a suite (what can it not see?) or, with `judge`, the judge of a run.",
    example="Example: trialkit audit SUITE",
)
