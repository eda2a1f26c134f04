"""The command line. A command's module is loaded when the command is used, so `--help` is quick."""

import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from keyword import iskeyword
from typing import NoReturn

import click

from trialkit import __version__

#: name → what it is for; the command is `command` in the module `trialkit.cli.NAME` (`NAME_` for a word of Python's).
COMMANDS = {
    "plan": "Before spending: calls, cost, time, and what the size can show.",
    "run": "Run a suite and judge every trial.",
    "resume": "Finish an interrupted run; nothing paid for is asked again.",
    "replay": "Run again offline from the recorded replies, and compare.",
    "report": "Show a run, or write it as JSON, CSV, Markdown or JUnit XML.",
    "compare": "Hold runs against each other: is it better, or is it noise?",
    "rejudge": "Judge recorded answers again: another judge, prompt or model.",
    "audit": "Put a judge on trial: what moves its verdicts that should not?",
    "align": "Hold judges against human labels.",
    "label": "Draw trials for people to label, into a CSV.",
    "faults": "Let a model say whose fault each failed trial of a tau run is.",
    "import": "Make run files of results of tau-bench or tau2; bring labels back from a CSV.",
    "runs": "List the runs in a folder.",
    "trend": "Show a suite's pass rate over time.",
    "suites": "List the suites.",
    "agents": "List the agents; check, install or train one.",
    "data": "The benchmarks' content: list, fetch, check.",
    "cases": "Generate cases whose truth is known from how they are made.",
    "doctor": "Look at keys, servers, data, caches and disk; say what to do.",
    "init": "Write a starter folder: golden CSV and prompts.",
}


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        if cmd_name not in COMMANDS:
            return None
        module = f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name
        command: click.Command = import_module(f"trialkit.cli.{module}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="trialkit %(version)s")
def cli() -> None:
    """Puts LLM agents on trial: runs them many times, judges every trial, and says how good they are, with error bars.

    First run, offline and without a key: trialkit run commodity --model baseline
    """


def _told(error: click.ClickException) -> str:
    """On one line, as every other error: what is wrong, and where the options are listed."""
    message = error.format_message().rstrip(".")
    context = error.ctx if isinstance(error, click.UsageError) else None
    return f"{message}; see: {context.command_path} --help" if context else message


def main(args: Sequence[str] | None = None) -> NoReturn:
    """The program `trialkit`. An interrupt ends it in one line, however often it comes."""
    heard = signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
    sys.unraisablehook = _unraisable
    try:
        if heard:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        status = _status(args)
    except (click.Abort, KeyboardInterrupt):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        click.echo("trialkit: interrupted", err=True)
        status = 130
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done but for Python's own end
    sys.exit(status)


def _unraisable(what: "sys.UnraisableHookArgs") -> None:
    """An interrupt that comes up in a finalizer would be printed there, with a traceback, and forgotten."""
    if isinstance(what.exc_value, KeyboardInterrupt):
        os._exit(130)
    sys.__unraisablehook__(what)


def _status(args: Sequence[str] | None) -> int | None:
    from trialkit.errors import TrialkitError  # noqa: PLC0415 - only needed once something runs

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a character is no reason to fail
    try:
        status: int | None = cli.main(args, prog_name="trialkit", standalone_mode=False)
        return status  # noqa: TRY300 - it may exit instead
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return error.exit_code
    except click.ClickException as error:
        click.echo(f"trialkit: {_told(error)}", err=True)
        return error.exit_code
    except TrialkitError as error:
        click.echo(f"trialkit: {error}", err=True)
        return 2
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except OSError as error:  # the output leads to a full disk, say
        from trialkit.cli.write import unheard  # noqa: PLC0415 - as above

        click.echo(f"trialkit: {error}", err=True)
        unheard(sys.stdout)
        return 2
