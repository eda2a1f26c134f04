"""The document model of every report: pages of typed cells, and their writers."""

from .amounts import (
    BAR_WIDTH,
    Amount,
    Bar,
    Change,
    Count,
    Line,
    Money,
    Number,
    PValue,
    Rate,
    Seconds,
    changed,
    fact,
    measured,
)
from .cells import Cell, Code, Name, OutcomeCell, Passed, Prose, Words
from .json import part_data
from .page import WRITERS, Facts, Heading, Note, Page, Part, Table, write_page

__all__ = [
    "BAR_WIDTH",
    "WRITERS",
    "Amount",
    "Bar",
    "Cell",
    "Change",
    "Code",
    "Count",
    "Facts",
    "Heading",
    "Line",
    "Money",
    "Name",
    "Note",
    "Number",
    "OutcomeCell",
    "PValue",
    "Page",
    "Part",
    "Passed",
    "Prose",
    "Rate",
    "Seconds",
    "Table",
    "Words",
    "changed",
    "fact",
    "measured",
    "part_data",
    "write_page",
]
