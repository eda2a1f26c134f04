"""A command of which every suite is a subcommand, with the suite's settings as its options."""

from collections.abc import Callable
from itertools import groupby

import click

from trialkit.suites import Suite, get_suite, suite_names

from ._options import SettingOption


class SuiteCommand(click.Command):
    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The command's own options, then the suite's: those are what differs from one suite to the next."""
        for section, options in groupby(sorted(self.params, key=_section, reverse=True), key=_section):
            with formatter.section(section):
                formatter.write_dl([record for option in options if (record := option.get_help_record(ctx))])


def _section(option: click.Parameter) -> str:
    return option.section if isinstance(option, SettingOption) else "This command"


class Suites(click.Group):
    def __init__(self, name: str, command: Callable[[Suite], click.Command], help_text: str) -> None:
        super().__init__(name, help=help_text, subcommand_metavar="SUITE [OPTIONS]...")
        self._command = command

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return suite_names()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:  # noqa: ARG002 - click's signature
        return self._command(get_suite(cmd_name))
