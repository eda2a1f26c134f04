"""The views that people find who open a run file with a tool of their own."""

import asyncio
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest

from tests.runfile.writing import call, ended, planned, write
from trialkit.models import Reply, ToolCall, Usage
from trialkit.runfile import Event, Label, RunFile, write_labels
from trialkit.vocabulary import Finding

_PEOPLE: tuple[tuple[str, Literal["pass", "fail"]], ...] = (("a", "pass"), ("b", "fail"))


PAGE = (Path(__file__).resolve().parents[2] / "docs" / "runfile.md").read_text(encoding="utf-8")


def rows(path: Path, query: str) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(path)) as db:
        db.row_factory = sqlite3.Row
        return [dict(row) for row in db.execute(query)]


def test_a_row_for_each_trial_as_the_reader_has_it(tmp_path: Path) -> None:
    path = planned(tmp_path / "x.trial", trials=4)
    reply = Reply(text="said", cost=0.5, usage=Usage(input_tokens=10, output_tokens=2))
    calls = [
        call(1, reply, "r1"),
        call(1, replace(reply, cost=None, usage=None), "r2"),
        call(1, None, "r3", error="broke"),
        call(2, reply, "r4"),
        replace(call(2, reply, "r5"), phase="after"),
    ]
    crash = replace(ended(), output=None, verdicts=(), error="no", error_kind="crash")
    asyncio.run(write(path, [(1, ended("fail", score=0.25)), (2, ended("pass")), (3, crash)], calls))
    good, bad = (Label(annotator=who, outcome=said, critique="") for who, said in _PEOPLE)
    write_labels(path, [(1, good), (1, bad), (2, good), (2, replace(good, annotator="c"))], {})
    with RunFile(path) as run:
        wanted = [
            {
                "trial_id": trial.id,
                "case_id": trial.case_id,
                "trial": trial.number,
                "outcome": trial.outcome,
                "score": trial.decided.score if trial.decided else None,
                "judge": trial.decided.judge if trial.decided else None,
                "cost_usd": trial.cost,
                "seconds": trial.elapsed_s,
                "error": trial.error,
            }
            for trial in run.trials()
        ]
    found = rows(path, "SELECT * FROM trial_results ORDER BY trial_id")
    assert [{name: row[name] for name in wanted[0]} for row in found] == wanted
    assert [row["headline"] for row in found] == [0.0, 1.0, None, None]
    assert [row["label"] for row in found] == ["split", "pass", None, None]
    assert [(row["calls"], row["failed_calls"]) for row in found] == [(2, 1), (1, 0), (0, 0), (0, 0)]
    assert [row["input_tokens"] for row in found] == [None, 10, None, None]


def test_a_row_for_each_call(tmp_path: Path) -> None:
    path = planned(tmp_path / "x.trial")
    reply = Reply(text="said", tool_calls=(ToolCall(id="1", name="look", arguments="{}"),), cost=0.5)
    asyncio.run(write(path, [], [call(1, reply), call(1, None, "r2", error="broke", error_kind="server")]))
    answered, failed = rows(path, "SELECT * FROM model_calls")
    assert (answered["case_id"], answered["role"], answered["text"], answered["cost_usd"]) == (
        "a",
        "agent",
        "said",
        0.5,
    )
    assert '"look"' in answered["tool_calls"]
    assert (failed["text"], failed["error"], failed["error_kind"]) == (None, "broke", "server")


def test_a_row_for_each_label(tmp_path: Path) -> None:
    path = planned(tmp_path / "x.trial", trials=2)
    asyncio.run(write(path, [(1, ended("fail")), (2, ended("error"))]))
    for how in ("disagree", "random", "disagree"):
        write_labels(path, [(1, Label(annotator="a", outcome="pass", critique="good"))], {1: how})
    write_labels(path, [(2, Label(annotator="a", outcome="pass", critique=""))], {2: "disagree"})
    first, second = rows(path, "SELECT * FROM labels_by_trial ORDER BY trial_id")
    assert (first["label"], first["verdict"], first["agrees"], first["drawn"]) == ("pass", "fail", 0, "random")
    assert (second["verdict"], second["agrees"], second["drawn"]) == ("error", None, "disagree")
    with RunFile(path) as run:
        assert [trial.drawn for trial in run.results()] == ["random", "disagree"]


def told(path: Path) -> None:
    """A run with something in each table."""
    reply = Reply(text="said", cost=0.5, usage=Usage(input_tokens=10, output_tokens=2))
    asyncio.run(write(path, [(1, ended("fail"))], [call(1, reply), call(1, None, "r2", error="broke")]))
    write_labels(path, [(1, Label(annotator="a", outcome="pass", critique=""))], {1: "random"})


@pytest.mark.parametrize("query", re.findall(r"^```sql\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
def test_the_queries_of_the_page_find_something(query: str, tmp_path: Path) -> None:
    path = planned(tmp_path / "x.trial")
    finding = Finding(check="c", met=True, evidence="e")
    told(path)
    asyncio.run(write(path, [(1, replace(ended("fail", findings=(finding,)), events=(Event(kind="x", data={}),)))]))
    assert rows(path, query)


@pytest.mark.parametrize("view", ["trial_results", "model_calls", "labels_by_trial"])
def test_the_page_tells_of_every_column_of_a_view(view: str, tmp_path: Path) -> None:
    path = planned(tmp_path / "x.trial")
    (table,) = re.findall(rf"^### {view}\n.*?^\|---.*?\n(.*?)^$", PAGE, re.MULTILINE | re.DOTALL)
    named = [name for line in table.splitlines() for name in re.findall(r"`(\w+)`", line.split("|")[1])]
    assert named == [row["name"] for row in rows(path, f"PRAGMA table_info({view})")]


def test_the_page_tells_of_every_table(tmp_path: Path) -> None:
    path = planned(tmp_path / "x.trial")
    tables = [row["name"] for row in rows(path, "SELECT name FROM sqlite_master WHERE type = 'table'")]
    section = PAGE.split("## Tables")[1]
    assert [name for name in tables if f"`{name}`" not in section] == []
