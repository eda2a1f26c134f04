"""What runs are written as for spreadsheets and programs: `--format csv` and `parquet`, of any suite."""

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.e2e.court import Court
from tests.packages import needs
from tests.run_files import REWARD, case, ended, verdict, write_run
from tests.server import Server
from trialkit.runfile import ModelInUse
from trialkit.vocabulary import PASS, Measure

PRICE = {"litellm_provider": "openai", "input_cost_per_token": 1e-5, "output_cost_per_token": 1e-4}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Of a suite that is installed nowhere: two cases, one of them with an error."""
    depth = Measure(name="depth", low=-5, high=5)
    deep = ended(verdict("pass", "Good.", score=1.0, scores={"depth": -0.5}))
    formula = ended(verdict("fail", "=HYPERLINK(1)", score=0.0))
    return write_run(
        tmp_path / "a.trial",
        [(case("a"), [deep, ended(error="too slow")]), (case("b", "hard"), [formula, None])],
        subject="openai/gpt-5",
        settings={"name": "gentler", "tags": ["branch=main", "n=1"]},
        models=[ModelInUse(role="agent", name="openai/gpt-5", endpoint="e", key="k")],
        measures=(PASS, REWARD, depth),
    )


def test_the_csv_of_any_suite_has_a_row_for_each_trial(trialkit: Command, run: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(trialkit("report", run, "--format", "csv").out)))
    told = ("case", "group", "trial", "outcome", "passed", "reward", "depth", "critique", "error")
    assert [tuple(row[name] for name in told) for row in rows] == [
        ("a", "test", "1", "pass", "yes", "1.0", "-0.5", "Good.", ""),
        ("a", "test", "2", "error", "", "", "", "", "too slow"),
        ("b", "hard", "1", "fail", "no", "0.0", "", "'=HYPERLINK(1)", ""),
        ("b", "hard", "2", "", "", "", "", "", ""),
    ]
    of_run = ("suite", "name", "tags", "subject", "agent_model", "agent_prompt")
    assert {tuple(row[name] for name in of_run) for row in rows} == {
        ("unknown-suite", "gentler", "branch=main n=1", "openai/gpt-5", "openai/gpt-5", "v1")
    }


def test_parquet_holds_the_same_with_types(trialkit: Command, run: Path, tmp_path: Path) -> None:
    needs("pyarrow", "uv sync --group tables")
    from pyarrow import parquet  # type: ignore[import-not-found,import-untyped,unused-ignore]  # noqa: PLC0415

    assert trialkit("report", run, "--format", "parquet", "-o", tmp_path / "a.parquet").status == 0
    rows = parquet.read_table(tmp_path / "a.parquet").to_pylist()
    assert [(row["passed"], row["depth"], row["trial"]) for row in rows] == [
        (True, -0.5, 1),
        (None, None, 2),
        (False, None, 1),
        (None, None, 2),
    ]


def test_parquet_without_pyarrow_says_what_to_install(
    trialkit: Command, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    done = trialkit("report", run, "--format", "parquet", "-o", "a.parquet")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "writing Parquet needs pyarrow: pip install pyarrow; or take --format csv" in done.err


def test_a_csv_and_its_run_file_count_the_same_cost(
    trialkit: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "prices.json").write_text(json.dumps({"subject": PRICE, "judge": PRICE}))
    monkeypatch.setenv("TRIALKIT_PRICES", str(tmp_path / "prices.json"))
    with Server(Court()) as server:
        models = ["--model", "openai/subject", "--judge-model", "openai/judge", "--api-base", server.openai_base]
        for name in ("a", "b"):
            asked = ["run", "commodity", *models, "--ids", "S01,S06", "--no-cache", "--name", name]
            assert trialkit(*asked, "--output-dir", name).status == 0
    files = [next((tmp_path / name).glob("*.trial")) for name in ("a", "b")]
    sheets = [file.with_suffix(".csv") for file in files]
    found = [json.loads(trialkit("compare", *pair, "--format", "json").out) for pair in (files, sheets)]
    mixed = json.loads(trialkit("compare", files[0], sheets[1], "--format", "json").out)
    costs = [one["cost_per_trial_usd"] for one in (*found, mixed)]
    assert costs[0]["a"]["value"] == 400e-5 + 60e-4  # of the answers alone: the judge's replies cost as well
    assert costs[1] == costs[2] == costs[0]
    seconds = [one["seconds_per_trial"]["a"]["value"] for one in found]
    assert seconds[1] == pytest.approx(seconds[0], abs=0.001)
    with sheets[0].open(newline="") as file:
        row = next(csv.DictReader(file))
    assert (row["Analyzer Model"], row["Analyzer Prompt"], row["Run Name"]) == ("openai/subject", "v1", "a")
    assert float(row["Cost USD"]) > float(row["Answer Cost USD"])
