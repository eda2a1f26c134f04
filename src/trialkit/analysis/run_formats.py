"""The formats that every run has, whatever its suite."""

from collections.abc import Iterator

from trialkit.pages import html_pieces, write_page
from trialkit.runfile import RunFile
from trialkit.suites import Format

from .run_json import json_report
from .run_page import digest_page, report_page, whole_page
from .summary import summarize


def console_report(run: RunFile) -> str:
    return write_page(digest_page(summarize(run)), "console")


def markdown_report(run: RunFile) -> str:
    return write_page(whole_page(summarize(run), run.path.name), "md")


def html_report(run: RunFile) -> Iterator[str]:
    return html_pieces(report_page(summarize(run), run))


CONSOLE = Format(suffix=".txt", write=console_report)
MARKDOWN = Format(suffix=".md", write=markdown_report)
HTML = Format(suffix=".html", write=html_report)
JSON = Format(suffix=".json", write=json_report)
