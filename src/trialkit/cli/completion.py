"""What a shell offers to complete. Runs, suites and models are found without loading a command: a key waits for them.

The rest, options above all, click finds in the command itself. Loaded only when a shell asks.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
)

from trialkit.errors import InputError

from . import COMMANDS
from .project import in_project, project_defaults

_MOST = 200
Find = Callable[[str], Iterable[CompletionItem]]


def complete_quickly() -> None:
    """For the shells that click knows."""
    for shell in (BashComplete, ZshComplete, FishComplete):
        add_completion_class(_quick(shell))


def _quick(shell: type[ShellComplete]) -> type[ShellComplete]:
    class Quick(shell):  # type: ignore[valid-type,misc]  # the same for each of them
        def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
            try:
                find = _finder(args, incomplete)
                items = super().get_completions(args, incomplete) if find is None else find(incomplete)
                return list(items)[:_MOST]
            except (click.ClickException, InputError, OSError):
                return []  # a message would stand in the middle of what is being typed

    return Quick


def _finder(args: list[str], incomplete: str) -> Find | None:
    """Who knows what may stand here; None: click does."""
    if incomplete.startswith("-"):
        return None
    if not args:
        return _commands
    if args[-1].startswith("--"):
        return _of_option(args[0], args[-1])
    if args[-1].startswith("-"):
        return None
    if len(args) == 1 and args[0] in _FIRST:
        return _FIRST[args[0]]
    return runs_there if args[0] == "compare" else None


def _of_option(command: str, option: str) -> Find | None:
    """By the option's name alone: to know better takes its command, and that takes time."""
    if option.endswith("model"):
        return _models
    if option == "--against":
        return runs_there
    return _formats if (command, option) == ("report", "--format") else None


def _commands(incomplete: str) -> Iterable[CompletionItem]:
    return (CompletionItem(name, help=text) for name, text in COMMANDS.items() if name.startswith(incomplete))


def _suites(incomplete: str) -> Iterable[CompletionItem]:
    """Those that are installed, and files, of which one may be a suite, too."""
    from trialkit.plugins import plugin_names  # noqa: PLC0415 - not for the other kinds

    found = [CompletionItem(name) for name in plugin_names("trialkit.suites") if name.startswith(incomplete)]
    return found or _files(incomplete)


def runs_there(incomplete: str) -> list[CompletionItem]:
    """`latest`, and those of the output folder, the newest first; a path that is begun is the shell's to go on with."""
    from trialkit.runfile import run_files  # noqa: PLC0415 - as above

    named = project_defaults().get("output-dir")
    folder = Path(str(in_project(named.value, named.by))) if named else Path("eval_results")
    names = ["latest", *map(str, run_files(folder)[:_MOST])]
    return [CompletionItem(name) for name in names if name.startswith(incomplete)] or list(_files(incomplete))


def _models(incomplete: str) -> Iterable[CompletionItem]:
    """Of the price list. As long as several providers fit, these: of all models there are thousands."""
    from trialkit.models import known_models  # noqa: PLC0415 - as above

    names = [name for name in known_models() if name.startswith(incomplete)]
    providers = dict.fromkeys(name.partition("/")[0] for name in names)
    return map(CompletionItem, names if len(providers) == 1 else [f"{one}/" for one in providers])


def _formats(incomplete: str) -> Iterable[CompletionItem]:
    """Those of any run; a suite may have more."""
    from trialkit.plugins import plugin_names  # noqa: PLC0415 - as above

    return (CompletionItem(name) for name in plugin_names("trialkit.formats") if name.startswith(incomplete))


def _files(incomplete: str) -> Iterable[CompletionItem]:
    return [CompletionItem(incomplete, type="file")]


#: What a command's first argument is.
_FIRST: Mapping[str, Find] = {
    **dict.fromkeys(("run", "plan", "check", "config"), _suites),
    **dict.fromkeys(
        ("resume", "replay", "report", "rejudge", "align", "label", "faults", "compare", "show", "view"), runs_there
    ),
}
