"""`trialkit data`: the benchmarks' content, which is not part of trialkit."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from trialkit.errors import InputError
from trialkit.suites import CheckedContent, Source, every_suite, get_suite
from trialkit.text.shown import counted

from .finish import GATE_NOT_MET
from .groups import Group
from .write import list_names


@click.group(cls=Group, invoke_without_command=True, epilog="Example: trialkit data fetch NAME")
@click.pass_context
def command(ctx: click.Context) -> None:
    """List the benchmarks' content: what there is, under which licence, and where it lies."""
    if ctx.invoked_subcommand is None:
        click.echo("\n\n".join(map(_described, _sources().values())))


def _described(source: Source) -> str:
    try:
        lies = str(source.locate(None))
    except InputError as error:
        named = os.environ.get(source.variable)
        lies = str(error) if named else f"not here; get it with: trialkit data fetch {source.name}"
    lines = {
        "version": source.version,
        "licence": source.licence,
        "size": source.size,
        "sha256": f"{source.checksum} (of its {len(source.checksums())} checksums)",
        "from": source.origin,
        "folder": lies,
        "or": f"a folder of your own, with --data-dir or {source.variable}"
        if source.variable
        else f"of those that are here it is the one that --data-dir {source.name} names",
    }
    return f"{source.name}  {source.title}\n{list_names(lines, indent='  ')}"


@command.command("fetch", epilog="Example: trialkit data fetch NAME")
@click.argument("name")
@click.option("--url", help="Another git repository, such as a mirror, or a folder [default: its own].")
@click.option("--commit", help="Another commit of it [default: the pinned one]. The databases must be the same.")
def fetch_command(name: str, url: str | None, commit: str | None) -> None:
    """Bring a source into the cache: checked, and whole or not at all."""
    sources = _sources()
    named = {**{f"{one.name}@{one.version}": one for one in sources.values()}, **sources}
    if name not in named:
        raise InputError(f"there is no source {name!r}; there are {', '.join(sources)}")
    with _progress() as progress:
        named[name].fetch(progress, url, commit)


@command.command("check", epilog="Example: trialkit data check NAME --strict")
@click.argument("name", required=False)
@click.option("--data-dir", type=Path, metavar="DIR", help="Where the content lies, if not in the usual places.")
@click.option("--strict", is_flag=True, help="Exit with status 1 if anything is off.")
@click.pass_context
def check_command(ctx: click.Context, name: str | None, data_dir: Path | None, strict: bool) -> None:
    """Print what is off in the tasks of a source, or of one of its suites; without NAME, of all that are here."""
    problems = 0
    for suite in _suites_of(name) if name else _suites_here(data_dir):
        checked = get_suite(suite).check(data_dir or _named(name))
        problems += len(checked.problems)
        click.echo("\n".join(_report(suite, checked)))
    if strict and problems:
        ctx.exit(GATE_NOT_MET)


def _named(name: str | None) -> Path | None:
    """A source that is asked for by its name."""
    source = _sources().get(name or "")
    return Path(source.name) if source and not source.variable else None


def _sources() -> dict[str, Source]:
    return {source.name: source for sources in _by_suite().values() for source in sources}


def _by_suite() -> dict[str, Sequence[Source]]:
    return every_suite(lambda suite: suite.sources(), tell=partial(click.echo, err=True))


def _suites_of(name: str) -> list[str]:
    """Of a source, or the suite itself."""
    known = {suite: [one.name for one in sources] for suite, sources in _by_suite().items()}
    found = [suite for suite, sources in known.items() if sources and name in {suite, *sources}]
    if not found:
        there = [*_sources(), *(suite for suite, sources in known.items() if sources)]
        raise InputError(f"there is neither a source nor a domain {name!r}; there are {', '.join(there)}")
    return found


def _suites_here(data_dir: Path | None) -> list[str]:
    found: list[str] = []
    for source in filter(lambda one: one.variable, _sources().values()):
        try:
            source.locate(data_dir)
        except InputError as error:
            click.echo(f"{source.name} is not checked: {error}", err=True)
        else:
            found += _suites_of(source.name)
    if not found:
        raise InputError("there is no content to check; `trialkit data` says how to get it")
    return found


def _report(suite: str, checked: CheckedContent) -> Iterator[str]:
    off = f"something is off in {len(checked.problems)}" if checked.problems else "nothing is off"
    yield f"{suite}: {counted(checked.tasks, 'task')} in {', '.join(checked.splits)}; {off}"
    for problem in checked.problems:
        where = f"{', '.join(problem.splits)} {problem.task}"
        yield from (f"  {where}: {sentence}" for sentence in problem.sentences)


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """In a terminal one line that changes until the last, elsewhere a line for each stage without the percentages."""
    if not sys.stderr.isatty():
        yield lambda text: None if "%" in text else click.echo(text, err=True)
        return
    said = [""]
    with Console(stderr=True).status("") as status:

        def show(text: str) -> None:
            said.append(text)
            status.update(Text(text))

        yield show
    click.echo(said[-1], err=True)
