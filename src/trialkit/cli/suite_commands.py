"""A command of which every suite is a subcommand, with the suite's settings as its options."""

from collections.abc import Callable

import click

from trialkit.errors import InputError
from trialkit.suites import Suite, get_suite, suite_names, suite_of

from .groups import Sectioned
from .options import SettingOption
from .write import summaries


class SuiteCommand(Sectioned):
    """The command's own options, then the suite's, which differ most."""

    own = "This command"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """`--task-ids 2 4 6` too, as benchmarks' own runners take it: no other words could be mistaken for them."""
        several = {
            flag
            for option in self.params
            if isinstance(option, SettingOption) and option.listed
            for flag in option.opts
        }
        spread: list[str] = []
        flag = ""
        for word in args:
            if word.startswith("-"):
                flag = word if word in several else ""
            elif flag and spread[-1] != flag:
                spread.append(flag)
            spread.append(word)
        return super().parse_args(ctx, spread)


class Suites(click.Group):
    def __init__(self, name: str, command: Callable[[Suite], click.Command], help_text: str, example: str = "") -> None:
        example = example or f"Example: trialkit {name} SUITE --model openai/gpt-5-mini --trials 3"
        super().__init__(name, help=help_text, subcommand_metavar="SUITE [OPTIONS]...", epilog=example)
        self._command = command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        return super().resolve_command(ctx, _in_full(args))

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return suite_names()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:  # noqa: ARG002 - click's signature
        try:
            return self._command(get_suite(cmd_name))
        except InputError as error:
            return _NoSuite(cmd_name, error)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        with formatter.section("Suites"):
            formatter.write_dl(list(suite_summaries().items()))


class _NoSuite(click.Command):
    """A suite that cannot be had: whoever calls it is told why."""

    def __init__(self, name: str, error: InputError) -> None:
        super().__init__(name)
        self._error = error

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:  # noqa: ARG002 - click's signature
        raise self._error


def suite_summaries() -> dict[str, str]:
    return summaries(suite_names(), get_suite)


def _in_full(args: list[str]) -> list[str]:
    """`FAMILY --env NAME` is `FAMILY/NAME`: as a benchmark's own runner may name the domain.

    A suite may have a setting of that name, too.
    """
    if "env" in suite_of(args[0]).settings.model_fields:
        return args
    family = args[0].partition("/")[0]
    wanted, rest = _taken("--env", args[1:])
    if wanted is None or not any(name.startswith(f"{family}/") for name in suite_names()):
        return args
    if args[0] not in {family, f"{family}/{wanted}"}:
        raise click.UsageError(f"--env {wanted}: the suite named is {args[0]}; leave one of them out.")
    return [f"{family}/{wanted}", *rest]


def _taken(flag: str, args: list[str]) -> tuple[str | None, list[str]]:
    """A flag's value, and the other words."""
    value, rest, words = None, [], iter(args)
    for word in words:
        if word == flag:
            value = next(words, "")
        elif word.startswith(f"{flag}="):
            value = word.removeprefix(f"{flag}=")
        else:
            rest.append(word)
    return value, rest
