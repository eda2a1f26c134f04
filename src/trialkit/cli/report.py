"""`trialkit report RUN`."""

import sys
from pathlib import Path

import click

from trialkit.errors import InputError
from trialkit.reports import summarize
from trialkit.runfile import RunFile
from trialkit.suites import get_suite

_FORMATS = ("console", "json", "csv", "md", "junit")


@click.command()
@click.argument("path", metavar="RUN")
@click.option("--format", "form", type=click.Choice(_FORMATS), default="console", help="Default: console.")
@click.option("--output", "-o", metavar="FILE", help="Write to this file instead of the terminal.")
def command(path: str, form: str, output: str | None) -> None:
    """Show a run, also while it goes on."""
    with RunFile(Path(path)) as run:
        text = _text(run, form)
    if output is None:
        sys.stdout.write(text)
        return
    try:
        Path(output).write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise InputError(f"{output}: cannot be written: {error.strerror}") from None


def _text(run: RunFile, form: str) -> str:
    if form == "csv":
        return _csv(run)
    summary = summarize(run)
    if form == "json":
        from trialkit.reports.json import json_report  # noqa: PLC0415 - only the format that is asked for

        return json_report(summary, run)
    if form == "md":
        from trialkit.reports.markdown import markdown_report  # noqa: PLC0415 - likewise

        return markdown_report(summary)
    if form == "junit":
        from trialkit.reports.junit import junit_report  # noqa: PLC0415 - likewise

        return junit_report(summary)
    from trialkit.reports.console import console_report  # noqa: PLC0415 - likewise

    return console_report(summary)


def _csv(run: RunFile) -> str:
    suite = run.info().suite
    exports = get_suite(suite).exports(run)
    if ".csv" not in exports:
        raise InputError(f"the suite {suite} has no CSV; choose another --format")
    return exports[".csv"]
