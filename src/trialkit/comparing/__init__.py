"""Is it better, or is it noise? Runs against each other, judges against people, sizes against what they can show."""

from ._align import Alignment, JudgeAlignment, align_run
from ._align_pages import alignment_json, alignment_page
from ._compare import Comparison, Contest, compare_runs, contest
from ._compare_pages import comparison_csv, comparison_json, comparison_page
from ._contest_pages import contest_csv, contest_json, contest_page
from ._judges import judges_page
from ._labels import Where, draw_labels
from ._loaded import Loaded, LoadedCase, load_run, load_to_compare
from ._pages import Page, console_page, html_page, markdown_page
from ._plan import Plan, plan_run
from ._plan_pages import plan_json, plan_page
from ._trend import Trend, trend_data, trend_of, trend_page
from ._words import verdict

__all__ = [
    "Alignment",
    "Comparison",
    "Contest",
    "JudgeAlignment",
    "Loaded",
    "LoadedCase",
    "Page",
    "Plan",
    "Trend",
    "Where",
    "align_run",
    "alignment_json",
    "alignment_page",
    "compare_runs",
    "comparison_csv",
    "comparison_json",
    "comparison_page",
    "console_page",
    "contest",
    "contest_csv",
    "contest_json",
    "contest_page",
    "draw_labels",
    "html_page",
    "judges_page",
    "load_run",
    "load_to_compare",
    "markdown_page",
    "plan_json",
    "plan_page",
    "plan_run",
    "trend_data",
    "trend_of",
    "trend_page",
    "verdict",
]
