"""Reports: everything printed or exported is derived from the run file."""

from ._brief import Brief, brief
from ._summary import CaseSummary, RoleSummary, Summary, summarize

__all__ = ["Brief", "CaseSummary", "RoleSummary", "Summary", "brief", "summarize"]
