"""Which cases always end the same, and where the variance comes from: in every format."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.run_files import case, ended, verdict, write_run
from trialkit.analysis.run_formats import console_report, html_report, markdown_report
from trialkit.analysis.run_json import json_report
from trialkit.runfile import RunFile, TrialRecord
from trialkit.vocabulary import PASS, Measure


def trials(letters: str) -> list[TrialRecord]:
    """p: pass, f: fail, e: error."""
    return [ended(error="timed out") if c == "e" else ended(verdict("pass" if c == "p" else "fail")) for c in letters]


def write(path: Path, cases: dict[str, str]) -> Path:
    return write_run(path, [(case(name), trials(letters)) for name, letters in cases.items()], measures=(PASS,))


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """d has one verdict: whether it always ends so, nobody knows."""
    return write(tmp_path / "r.trial", {"a": "ppp", "b": "pfp", "c": "fff", "d": "pee", "e": "ppe", "f": "ffp"})


def test_cases_are_sorted_by_whether_they_always_end_the_same(mixed: Path) -> None:
    with RunFile(mixed) as run:
        told = json.loads(json_report(run))["metrics"]
    found = {kind: (one["cases"], one["share_of_trials"]["value"]) for kind, one in told["steady"].items()}
    assert found == {
        "sometimes": (["b", "f"], pytest.approx(6 / 18)),
        "always_pass": (["a", "e"], pytest.approx(6 / 18)),
        "always_fail": (["c"], pytest.approx(3 / 18)),
    }
    parts = [told["variance"][name]["value"] for name in ("alike", "rest")]
    assert sum(parts) == pytest.approx(1)
    assert told["variance"]["alike"]["n"] == 5
    assert told["variance"]["judge"]["value"] is None


@pytest.mark.parametrize("width", [80, 120])
def test_every_page_tells_of_them(mixed: Path, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("NO_COLOR", "1")
    with RunFile(mixed) as run:
        lines = console_report(run).splitlines()
        pages = markdown_report(run), "".join(html_report(run))
    assert any(re.match(r" pass sometimes +2 +33.3% +\S+ +b, f$", line) for line in lines)
    assert any(re.match(r" between cases +\d+\.\d% \[\d+\.\d%, \d+\.\d%\]$", line) for line in lines)
    assert not any("judge, asked again" in line for line in lines)
    assert max(map(len, lines)) <= width
    for page in pages:
        assert "Which cases always end the same" in page
        assert "between trials of a case" in page


def test_one_trial_of_each_tells_nothing_of_it(tmp_path: Path) -> None:
    with RunFile(write(tmp_path / "r.trial", {"a": "p", "b": "f"})) as run:
        assert "variance" not in console_report(run)
        metrics = json.loads(json_report(run))["metrics"]
    assert (metrics["variance"], metrics["steady"]) == (None, {})


def test_who_answers_the_other_has_no_share_of_its_own(mixed: Path) -> None:
    """A judge is asked about what is there already: its share is told from asking it again."""
    said = "Trials of a case differ by what agent and user do together"
    with RunFile(mixed) as run:
        assert said not in markdown_report(run)
    with closing(sqlite3.connect(mixed)) as db, db:
        for number, (role, phase) in enumerate((("user", "attempt"), ("agent", "attempt"), ("judge", "judge"))):
            row = {"trial_id": 1, "phase": phase, "role": role, "model": "m", "request_key": str(number), "nth": 1}
            row |= {"source": "live", "attempts": 1, "latency_s": 0.1, "void": 0, "at": ""}
            db.execute(f"INSERT INTO calls ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", [*row.values()])
    with RunFile(mixed) as run:
        assert said in markdown_report(run)


def test_a_long_list_of_names_is_cut_with_a_count(tmp_path: Path) -> None:
    with RunFile(write(tmp_path / "r.trial", {f"case{number}": "pf" for number in range(53)})) as run:
        told = markdown_report(run)
    assert "case49 … and 3 more |" in told


def test_scores_have_parts_and_no_passes(tmp_path: Path) -> None:
    said = [[ended(verdict("scored", score=score)) for score in pair] for pair in ((1.0, 2.0), (4.0, 4.5), (3.0, 3.5))]
    cases = [(case(str(number)), records) for number, records in enumerate(said)]
    path = write_run(tmp_path / "r.trial", cases, measures=(Measure(name="tone", low=1, high=5),))
    with RunFile(path) as run:
        metrics = json.loads(json_report(run))["metrics"]
    assert metrics["variance"]["alike"]["value"] == pytest.approx(0.83, abs=0.05)
    assert metrics["steady"] == {}
