"""Reports: everything printed or exported is derived from the run file."""

from .brief import Brief, brief
from .summary import CaseSummary, RoleSummary, Summary, summarize

__all__ = ["Brief", "CaseSummary", "RoleSummary", "Summary", "brief", "summarize"]
