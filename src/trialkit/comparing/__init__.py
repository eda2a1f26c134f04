"""Is it better, or is it noise? Runs against each other, judges against people, sizes against what they can show."""

from ._compare import Comparison, Contest, Flip, Side, compare_runs, contest
from ._compare_pages import comparison_csv, comparison_json, comparison_page, contest_json, contest_page
from ._loaded import Loaded, LoadedCase, load_run
from ._pages import Page, console_page, html_page, markdown_page
from ._words import verdict

__all__ = [
    "Comparison",
    "Contest",
    "Flip",
    "Loaded",
    "LoadedCase",
    "Page",
    "Side",
    "compare_runs",
    "comparison_csv",
    "comparison_json",
    "comparison_page",
    "console_page",
    "contest",
    "contest_json",
    "contest_page",
    "html_page",
    "load_run",
    "markdown_page",
    "verdict",
]
