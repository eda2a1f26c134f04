"""The command line. A command's module is loaded when the command is used, so `--help` is quick."""

import gc
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

from .groups import Group

#: name → what it is for; the command is `command` in the module `trialkit.cli.NAME` (`NAME_` for a word of Python's).
COMMANDS = {
    "init": "Write a starter folder: a suite with its cases and prompts.",
    "suites": "List the suites.",
    "check": "Show what a suite would send and how it is judged; spends nothing.",
    "plan": "Before spending: calls, cost, time, and what the size can show.",
    "run": "Run a suite and judge every trial.",
    "resume": "Finish an interrupted run; nothing paid for is asked again.",
    "branch": "Go on from a step of a trial; find the step that decided.",
    "replay": "Run again offline from the recorded replies, and compare.",
    "report": "Show a run, or write it: HTML, Markdown, JSON, CSV, JUnit XML.",
    "show": "Show trials step by step, or those of two runs side by side.",
    "view": "Show runs in the browser.",
    "runs": "List the runs in a folder.",
    "trend": "Show a suite's pass rate over time.",
    "compare": "Hold runs against each other: is it better, or is it noise?",
    "rejudge": "Judge recorded answers again: another judge, prompt or model.",
    "audit": "Put a suite on trial, or a judge: what can it not see, what moves it?",
    "align": "Hold judges against human labels.",
    "label": "Draw trials for people to label, into a CSV.",
    "faults": "Let a model say whose fault each failed trial is.",
    "bridge": "Run the same before another simulated user: the offset.",
    "import": "Make run files of other programs' results; read labels of a CSV.",
    "data": "The benchmarks' content: list, fetch, check.",
    "cases": "Generate cases whose truth is known from how they are made.",
    "models": "List models: price, context, abilities, and their end.",
    "agents": "List the agents; check, install or train one.",
    "doctor": "Look at keys, servers, data, caches and disk; say what to do.",
    "config": "Show which settings hold, and who says so: files, variables.",
}
#: The first of those under each heading of the help.
_HEADINGS = {
    "init": "Begin",
    "run": "Run",
    "report": "Look",
    "rejudge": "Judges and people",
    "import": "Content and agents",
    "doctor": "Set up",
}


#: Objects that are made before garbage is looked for. Python's 700 took 4% of a run's time, and found next to nothing.
_GARBAGE_EACH = 20_000


class _Commands(Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        if cmd_name not in COMMANDS:
            return None
        module = f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name
        command: click.Command = import_module(f"trialkit.cli.{module}").command
        gc.freeze()
        gc.enable()  # it was not while modules were loaded: see __main__
        gc.set_threshold(_GARBAGE_EACH, 20, 20)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        sections: dict[str, list[tuple[str, str]]] = {}
        heading = ""
        for name, text in COMMANDS.items():
            heading = _HEADINGS.get(name) or heading
            sections.setdefault(heading, []).append((f"{name:<7}", text))  # so that the texts stand in one column
        for heading, found in sections.items():
            with formatter.section(heading):
                formatter.write_dl(found)


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: trialkit init demo",
)
@click.version_option(__version__, message="trialkit %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Puts LLM agents on trial: runs them many times, judges every trial, and says how good they are, with error bars.

    The first run, offline and without a key, begins with the example below.
    """
    from .environment import read_environment  # noqa: PLC0415 - not for --help

    ctx.obj = read_environment()


def _told(error: click.ClickException) -> str:
    """On one line, as every other error: what is wrong, and where the options are listed."""
    message = error.format_message().rstrip(".")
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None:
        return message
    return f"{message}{'' if message.endswith('?') else ';'} see: {context.command_path} --help"


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
    if "_TRIALKIT_COMPLETE" in os.environ:
        from .completion import complete_quickly  # noqa: PLC0415 - only a shell asks

        complete_quickly()
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
        from trialkit.models import Secrets  # noqa: PLC0415 - as above

        click.echo(f"trialkit: {Secrets.of_environment().hide(str(error))}", err=True)
        return 2
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except OSError as error:  # the output leads to a full disk, say
        from trialkit.cli.write import unheard  # noqa: PLC0415 - as above

        click.echo(f"trialkit: {error}", err=True)
        unheard(sys.stdout)
        return 2
