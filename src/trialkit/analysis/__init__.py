"""Is it better, or is it noise? Runs against each other, judges against people, sizes against what they can show."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .align import Alignment, JudgeAlignment, align_run
    from .align_pages import alignment_json, alignment_page
    from .all_pairs_pages import all_pairs_csv, all_pairs_json, all_pairs_page
    from .compare import AllPairs, Comparison, compare_all, compare_runs
    from .compare_pages import comparison_csv, comparison_json, comparison_page
    from .gate import Gate, gate_of
    from .judges import judges_page
    from .label_import import import_labels
    from .labels import Sampling, draw_labels
    from .loaded import LoadedCase, LoadedRun, load_run, load_to_compare
    from .plan import Plan, plan_run
    from .plan_pages import plan_json, plan_page
    from .run_page import digest_page, whole_page
    from .runs import ListedRun, list_runs, runs_data, runs_page
    from .summary import CaseSummary, Mean, RoleSummary, Summary, summarize
    from .trend import Trend, trend_data, trend_of, trend_page
    from .words import conclusion

__all__ = [
    "Alignment",
    "AllPairs",
    "CaseSummary",
    "Comparison",
    "Gate",
    "JudgeAlignment",
    "ListedRun",
    "LoadedCase",
    "LoadedRun",
    "Mean",
    "Plan",
    "RoleSummary",
    "Sampling",
    "Summary",
    "Trend",
    "align_run",
    "alignment_json",
    "alignment_page",
    "all_pairs_csv",
    "all_pairs_json",
    "all_pairs_page",
    "compare_all",
    "compare_runs",
    "comparison_csv",
    "comparison_json",
    "comparison_page",
    "conclusion",
    "digest_page",
    "draw_labels",
    "gate_of",
    "import_labels",
    "judges_page",
    "list_runs",
    "load_run",
    "load_to_compare",
    "plan_json",
    "plan_page",
    "plan_run",
    "runs_data",
    "runs_page",
    "summarize",
    "trend_data",
    "trend_of",
    "trend_page",
    "whole_page",
]

#: Module → the names that it gives. They are loaded when first used: a run needs few of them, and not before its end.
_HOMES = {
    "align": "Alignment JudgeAlignment align_run",
    "align_pages": "alignment_json alignment_page",
    "all_pairs_pages": "all_pairs_csv all_pairs_json all_pairs_page",
    "compare": "AllPairs Comparison compare_all compare_runs",
    "compare_pages": "comparison_csv comparison_json comparison_page",
    "gate": "Gate gate_of",
    "judges": "judges_page",
    "label_import": "import_labels",
    "labels": "Sampling draw_labels",
    "loaded": "LoadedCase LoadedRun load_run load_to_compare",
    "plan": "Plan plan_run",
    "plan_pages": "plan_json plan_page",
    "run_page": "digest_page whole_page",
    "runs": "ListedRun list_runs runs_data runs_page",
    "summary": "CaseSummary Mean RoleSummary Summary summarize",
    "trend": "Trend trend_data trend_of trend_page",
    "words": "conclusion",
}

if not TYPE_CHECKING:  # for a type checker the names are those above, and no others

    def __getattr__(name: str) -> object:
        home = next((home for home, names in _HOMES.items() if name in names.split()), None)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return globals().setdefault(name, getattr(import_module(f"{__name__}.{home}"), name))
