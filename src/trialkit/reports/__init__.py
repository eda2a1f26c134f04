"""Reports: everything printed or exported is derived from the run file."""

from ._summary import CaseSummary, RoleSummary, Summary, summarize

__all__ = ["CaseSummary", "RoleSummary", "Summary", "summarize"]
