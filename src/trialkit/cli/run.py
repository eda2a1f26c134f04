"""`trialkit run SUITE`: each suite is a command whose options are its settings."""

from functools import partial

import click

from trialkit.analysis.until import open_until
from trialkit.engine import combinations, start_many_runs, start_run
from trialkit.errors import InputError
from trialkit.suites import Suite

from .defaults import with_defaults
from .finish import session
from .options import build, given, options_for
from .suite_commands import SuiteCommand, Suites

_SEVERAL = "An option that is given several times makes a run of each of its values, and they are compared."


def _suite_command(suite: Suite) -> click.Command:
    own_settings = with_defaults(suite.settings)

    @click.pass_context
    def run_suite(ctx: click.Context, /, **_: object) -> None:
        several = [build(own_settings, one) for one in combinations(suite, own_settings, given(ctx, own_settings))]
        if len(several) == 1:
            ctx.exit(session(partial(start_run, suite, several[0], open_until=open_until)))
        if several[0].until_decided:
            raise InputError("--until-decided holds one run against another: give each setting one value")
        from .together import sessions  # noqa: PLC0415 - few runs need it

        ctx.exit(sessions(partial(start_many_runs, suite, several)))

    return SuiteCommand(
        suite.name,
        callback=run_suite,
        params=options_for(own_settings, several=True),
        help=f"{suite.summary}\n\n{_SEVERAL}",
        epilog=f"Example: trialkit run {suite.name} --model openai/gpt-5 --trials 3",
    )


command = Suites(
    "run",
    _suite_command,
    "Run a suite and judge every trial. SUITE is one of those below, or yours: FILE.yaml, FILE.py, MODULE:NAME."
    " `trialkit run SUITE --help` shows its options.",
)
