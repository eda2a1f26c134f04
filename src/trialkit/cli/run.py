"""`trialkit run SUITE`: each suite is a command whose options are its settings."""

from itertools import groupby

import click

from trialkit.engine import start_run
from trialkit.suites import Suite, get_suite, suite_names

from ._finish import finish
from ._options import SettingOption, build, given, options_for
from ._screen import open_screen


class _SuiteCommand(click.Command):
    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The suite's own options first: those are what differs from one suite to the next."""
        own = sorted((one for one in self.params if isinstance(one, SettingOption)), key=_section, reverse=True)
        for section, options in groupby(own, key=_section):
            with formatter.section(section):
                formatter.write_dl([record for option in options if (record := option.get_help_record(ctx))])


def _section(option: SettingOption) -> str:
    return option.section


class _Suites(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return suite_names()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:  # noqa: ARG002 - click's signature
        return _suite_command(get_suite(cmd_name))


def _suite_command(suite: Suite) -> click.Command:
    @click.pass_context
    def run_suite(ctx: click.Context, /, **_: object) -> None:
        ctx.exit(finish(start_run(suite, build(suite.settings, given(ctx)), open_screen)))

    return _SuiteCommand(suite.name, callback=run_suite, params=options_for(suite.settings), help=suite.summary)


@click.group(cls=_Suites, subcommand_metavar="SUITE [OPTIONS]...")
def command() -> None:
    """Run a suite and judge every trial. `trialkit run SUITE --help` shows its options."""
