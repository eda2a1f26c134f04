"""The document model of every report: pages of typed cells, and their writers."""

from typing import TYPE_CHECKING

from trialkit.doors import door

if TYPE_CHECKING:
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
    from .chart import (
        Chart,
        Curve,
        CurveLine,
        Dot,
        Dots,
        HeatCell,
        HeatMap,
        HeatRow,
        Histogram,
        Scatter,
        Spot,
        histogram,
    )
    from .chat import Chat, ChatPair, ChatStep, ChatTool
    from .json import part_data
    from .page import WRITERS, Facts, Heading, Note, Page, Part, Passage, html_pieces, notebook_html, write_page
    from .table import Table

__all__ = [
    "BAR_WIDTH",
    "WRITERS",
    "Amount",
    "Bar",
    "Cell",
    "Change",
    "Chart",
    "Chat",
    "ChatPair",
    "ChatStep",
    "ChatTool",
    "Code",
    "Count",
    "Curve",
    "CurveLine",
    "Dot",
    "Dots",
    "Facts",
    "Heading",
    "HeatCell",
    "HeatMap",
    "HeatRow",
    "Histogram",
    "Line",
    "Money",
    "Name",
    "Note",
    "Number",
    "OutcomeCell",
    "PValue",
    "Page",
    "Part",
    "Passage",
    "Passed",
    "Prose",
    "Rate",
    "Scatter",
    "Seconds",
    "Spot",
    "Table",
    "Words",
    "changed",
    "fact",
    "histogram",
    "html_pieces",
    "measured",
    "notebook_html",
    "part_data",
    "write_page",
]

if not TYPE_CHECKING:
    __getattr__ = door(
        __name__,
        {
            "amounts": "BAR_WIDTH Amount Bar Change Count Line Money Number PValue Rate Seconds changed fact measured",
            "cells": "Cell Code Name OutcomeCell Passed Prose Words",
            "chart": "Chart Curve CurveLine Dot Dots HeatCell HeatMap HeatRow Histogram Scatter Spot histogram",
            "chat": "Chat ChatPair ChatStep ChatTool",
            "json": "part_data",
            "page": "WRITERS Facts Heading Note Page Part Passage html_pieces notebook_html write_page",
            "table": "Table",
        },
    )
