"""`trialkit check SUITE`: the options of `trialkit run SUITE`, and what the run would ask and judge first."""

import click

from trialkit.analysis.check_pages import check_page
from trialkit.engine import blocking, rehearse
from trialkit.pages import WRITERS, write_page
from trialkit.suites import Suite
from trialkit.suites.files import suite_schema
from trialkit.text.json import pretty

from .defaults import with_defaults
from .options import build, given, options_for
from .suite_commands import SuiteCommand, Suites
from .write import write


def _suite_command(suite: Suite) -> click.Command:
    own_settings = with_defaults(suite.settings)

    @click.pass_context
    def check_suite(ctx: click.Context, /, case_id: str | None, form: str, **_: object) -> None:
        settings = build(own_settings, given(ctx, own_settings))
        found = blocking(rehearse(suite, settings, case_id))
        write(write_page(check_page(found), form), None)
        for ending in found.endings:
            click.echo(ending, err=True)

    own = [
        click.Option(["--case", "case_id"], metavar="ID", help="The case to show [default: the first]."),
        click.Option(["--format", "form"], type=click.Choice(list(WRITERS)), default="console"),
    ]
    return SuiteCommand(
        suite.name,
        callback=check_suite,
        params=[*own, *options_for(own_settings)],
        help=f"Check a suite, and show what its first case would send. {suite.summary}",
        epilog=f"Example: trialkit check {suite.name} --model openai/gpt-5-mini",
    )


def _show_schema(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted:
        write(pretty(suite_schema()), None)
        ctx.exit()


command = Suites(
    "check",
    _suite_command,
    "Check a suite and show, spending nothing, what its first case would send and what each judge would do.",
)
command.params.append(
    click.Option(
        ["--schema"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_show_schema,
        help="Print the JSON schema of a suite's YAML file, for editors.",
    )
)
