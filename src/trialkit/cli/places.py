"""What a command is given where a run belongs: a run file, `latest`, a folder, or a pattern."""

from collections.abc import Iterable
from glob import glob, has_magic
from pathlib import Path

import click
from click.shell_completion import CompletionItem
from click.types import StringParamType

from trialkit.errors import InputError
from trialkit.runfile import newest_run

from .project import output_dir

_LATEST = "latest"


class _RunType(StringParamType):
    """Gives the path of a run file, as it was typed where it was typed."""

    name = "run"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ARG002 - click's signature
        return one_run(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002 - click's signature
        from .completion import runs_there  # noqa: PLC0415 - only a shell asks

        return runs_there(incomplete)


RUN = _RunType()


def one_run(value: str) -> str:
    """As `run_named`, and a pattern that means one file."""
    found = matching(value)
    if len(found) > 1:
        raise InputError(f"{value}: matches {len(found)} files, and one run is wanted: {found[-1]}, say")
    return run_named(found[0])


def names_a_run(value: str) -> bool:
    """Where something else may stand, too: whether it looks like a run."""
    return value == _LATEST or value.endswith(".trial") or Path(value).exists() or bool(glob(value))  # noqa: PTH207 - as below


def run_named(value: str) -> str:
    """`latest` is the newest run in the output folder, a folder the newest in it; all else is a path."""
    path = Path(value)
    if value == _LATEST and not path.exists():
        return str(newest_run(output_dir()))
    return str(newest_run(path)) if path.is_dir() else value


def matching(value: str) -> list[str]:
    """The files that a pattern means, for shells that leave it as it is; what is none stands for itself."""
    if not has_magic(value) or Path(value).exists():
        return [value]
    found = sorted(glob(value, recursive=True))  # noqa: PTH207 - the pattern may be absolute
    if not found:
        raise InputError(f"{value}: there is no such file")
    return found


def spread(values: Iterable[str]) -> list[str]:
    """All files that several patterns mean."""
    return [path for value in values for path in matching(value)]
