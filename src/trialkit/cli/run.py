"""`trialkit run SUITE`: each suite is a command whose options are its settings."""

from functools import partial

import click

from trialkit.analysis.until import open_until
from trialkit.engine import start_run
from trialkit.suites import Suite

from .finish import session
from .options import build, given, options_for
from .suite_commands import SuiteCommand, Suites


def _suite_command(suite: Suite) -> click.Command:
    @click.pass_context
    def run_suite(ctx: click.Context, /, **_: object) -> None:
        settings = build(suite.settings, given(ctx, suite.settings))
        ctx.exit(session(partial(start_run, suite, settings, open_until=open_until)))

    return SuiteCommand(suite.name, callback=run_suite, params=options_for(suite.settings), help=suite.summary)


command = Suites(
    "run",
    _suite_command,
    "Run a suite and judge every trial. `trialkit run SUITE --help` shows its options.",
)
