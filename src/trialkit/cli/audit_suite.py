"""`trialkit audit SUITE`: what the suite itself cannot see, found without a model."""

import click

from trialkit.analysis.floor_pages import floor_page
from trialkit.engine import blocking, probe_suite
from trialkit.pages import WRITERS, write_page
from trialkit.suites import Suite

from .defaults import with_defaults
from .finish import GATE_NOT_MET
from .options import build, given, options_for
from .suite_commands import SuiteCommand
from .write import write


def suite_command(suite: Suite) -> click.Command:
    own_settings = with_defaults(suite.settings)

    @click.pass_context
    def audit_suite(ctx: click.Context, /, form: str, output: str | None, fail_if_blind: bool, **_: object) -> None:
        settings = build(own_settings, given(ctx, own_settings))
        found = blocking(probe_suite(suite, settings))
        write(write_page(floor_page(found), form), output)
        if fail_if_blind and any(one.unlike for one in found.probed):
            ctx.exit(GATE_NOT_MET)

    own = [
        click.Option(["--format", "form"], type=click.Choice(list(WRITERS)), default="console"),
        click.Option(["--output", "-o"], metavar="FILE", help="Write to this file instead of the terminal."),
        click.Option(["--fail-if-blind"], is_flag=True, help="Exit with status 1 if anything is found."),
    ]
    return SuiteCommand(
        suite.name,
        callback=audit_suite,
        params=[*own, *options_for(own_settings)],
        help="Judge answers that need no model, such as doing nothing, the ground truth, and the ground truth with a"
        f" write too few or too many; list what the suite cannot see. {suite.summary}",
        epilog=f"Example: trialkit audit {suite.name}",
    )
