"""A run in every format: each holds whatever models say, and shows what the suite adds."""

import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.run_files import case, conversation, ended, verdict, write_run
from trialkit.errors import InputError
from trialkit.runfile import RunFile
from trialkit.suites import find_format, general_formats
from trialkit.suites import written as written_as

HOSTILE = "a|b\n| c `d` <e> </script> \x07"


#: The formats that are reports; the others are a row for each trial, or what CI shows.
REPORTS = {"console", "html", "json", "md"}


def written(path: Path, form: str) -> str:
    with RunFile(path) as run:
        found = find_format(run, form)
        if form == "parquet":
            return _rows(found.write(run))
        text = written_as(run, found)
    return text.decode() if isinstance(text, bytes) else text


def _rows(table: object) -> str:
    """As CSV, so that the two are held to the same."""
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow: uv sync --extra parquet")
    assert isinstance(table, bytes)
    text = io.StringIO()
    rows = parquet.read_table(io.BytesIO(table)).to_pylist()
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


@pytest.fixture
def tau(tmp_path: Path) -> Path:
    trials = [conversation("pass"), conversation("fail")]
    return write_run(tmp_path / "r.trial", [(case("0"), trials)], suite="tau-bench/retail")


def test_figures_the_suites_tables_and_the_cases_in_markdown(tau: Path) -> None:
    text = written(tau, "md")
    for line in (
        "| pass rate | **1/2 = 50.0%",
        "| pass^2 | 0.0%",
        "| average reward | 0.500",
        "### Leaderboard: tau-bench/retail",
        "| 0 | 1/2 | trial 2: The outcome is fail. |",
        "| prompt of the agent | v1 000000000000 |",
    ):
        assert line in text
    assert "| missing\\_write | 1 |" in text


@pytest.mark.parametrize("form", general_formats())
def test_a_suites_table_is_in_every_format_that_is_for_people_or_programs(tau: Path, form: str) -> None:
    text = written(tau, form)
    assert ("Why trials failed" in text) == (form in REPORTS)
    if form == "json":
        table = next(one for one in json.loads(text)["tables"] if one["table"] == "Why trials failed")
        assert table["columns"] == ["Class", "Trials", "Share"]
        assert [cell["value"] for cell in table["rows"][0][1:]] == [1, 1.0]
    elif form == "html":
        assert '<td>missing_write</td><td class="number" data-value="1"' in text


def test_html_has_every_trial_where_markdown_has_every_case(tau: Path) -> None:
    assert written(tau, "html").count("The outcome is") == 3  # once in the case's row
    assert written(tau, "md").count("The outcome is") == 1


@pytest.mark.parametrize("form", general_formats())
def test_whatever_models_say_breaks_no_format(tmp_path: Path, form: str) -> None:
    path = write_run(tmp_path / "r.trial", [(case("x|y\n<b>"), [ended(verdict("fail", HOSTILE))])], suite="s|<i>")
    text = written(path, form)
    if form == "md":
        for table in text.split("\n\n"):
            rows = [line.replace("\\|", "") for line in table.splitlines() if line.startswith("|")]
            assert len({row.count("|") for row in rows}) <= 1
    elif form == "junit":
        assert "a|b" in ET.fromstring(text)[0][0].attrib["message"]  # noqa: S314 - our own
    elif form == "json":
        assert json.loads(text)["cases"][0]["trials"][0]["verdicts"][0]["critique"] == HOSTILE
    elif form not in REPORTS:
        row = next(csv.DictReader(io.StringIO(text, newline="")))
        assert (row["case"], row["critique"], row["suite"]) == ("x|y\n<b>", HOSTILE, "s|<i>")
    else:
        assert "\x07" not in text
        assert form == "console" or "<i>" not in text
        assert form == "console" or text.count("</script>") == text.count("<script")


def test_one_trial_a_case_needs_no_pass_hat_k(tmp_path: Path) -> None:
    assert "pass^" not in written(write_run(tmp_path / "r.trial", [(case("x"), [ended(verdict("pass"))])]), "md")


@pytest.mark.parametrize(
    ("suite", "form", "says"),
    [
        ("commodity", "tau2", "a run of commodity has no format 'tau2'; there are console, csv, html, json, junit"),
        ("tau2/retail", "xlsx", "there are console, csv, html, json, junit, md, parquet, tau2"),
        ("tau-bench/airline", "tau_bench", "did you mean tau-bench? There are console, csv, html"),
        ("not-installed", "xlsx", "there are console, csv, html, json, junit, md, parquet"),
    ],
)
def test_a_format_that_this_run_has_not_is_refused(tmp_path: Path, suite: str, form: str, says: str) -> None:
    path = write_run(tmp_path / "r.trial", [(case("x"), [ended(verdict("pass"))])], suite=suite)
    with pytest.raises(InputError, match="a run of") as error:
        written(path, form)
    assert says in str(error.value)


def test_however_many_formats_are_written_the_trials_are_read_once(tau: Path) -> None:
    statements: list[str] = []
    with RunFile(tau) as run:
        run._db.set_trace_callback(statements.append)
        for form in (*general_formats(), "tau-bench"):
            find_format(run, form).write(run)
    assert sum("FROM trials " in statement for statement in statements) == 1
    assert sum("FROM verdicts " in statement for statement in statements) == 1
