"""The JSON report: its schema, its figures, and that the page about it tells of every field."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from tests.analysis import schema
from tests.run_files import case, conversation, ended, verdict, write_run
from trialkit.analysis.run_json import json_report
from trialkit.runfile import ModelInUse, RunFile
from trialkit.vocabulary import Measure

DOCS = Path(__file__).resolve().parents[2] / "docs" / "json-report.md"


def report_of(path: Path) -> dict[str, Any]:
    with RunFile(path) as run:
        data: dict[str, Any] = json.loads(json_report(run))
    return data


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """Passed, failed, in error, not judged and not run, of a suite that is not installed here."""
    both = (verdict("pass", score=0.75), verdict("fail", judge="llm"))
    return write_run(
        tmp_path / "run.trial",
        [
            (case("a", "strict"), [ended(*both, output={"x": 1}), ended(verdict("fail", score=0.5))]),
            (case("b", "criteria"), [ended(error="the model timed out"), ended(output={})]),
            (case("c", "criteria"), [ended(verdict("pass", score=1.0)), None]),
        ],
        models=[ModelInUse(role="agent", name="openai/subject", endpoint="http://e", key="k")],
    )


@pytest.fixture
def tau(tmp_path: Path) -> Path:
    return write_run(
        tmp_path / "tau.trial",
        [
            (case("0", instruction="You are Ada."), [conversation("pass", turns=2), conversation("fail")]),
            (case("1"), [conversation("pass"), conversation("fail", end="max_steps", failure="max_steps")]),
        ],
        suite="tau-bench/retail",
    )


def test_any_run_keeps_to_the_schema(mixed: Path) -> None:
    schema.Report.model_validate(report_of(mixed))


def test_a_tau_run_keeps_to_the_schema(tau: Path) -> None:
    schema.TauReport.model_validate(report_of(tau))


def test_the_schema_can_fail(mixed: Path) -> None:
    data = report_of(mixed)
    data["metrics"]["pass_rate"].pop("low")
    data["metrics"]["luck"] = 1
    with pytest.raises(ValidationError, match="2 validation errors"):
        schema.Report.model_validate(data)


def test_a_long_text_stands_once(tmp_path: Path) -> None:
    long, short = "answer " * 10_000, "answer " * 1000
    trials = [ended(verdict("pass"), output={"text": long, "again": [long], "short": short}) for _ in range(2)]
    path = write_run(tmp_path / "run.trial", [(case("a"), trials)])
    with RunFile(path) as run:
        written = json_report(run)
    assert (written.count(long), written.count(short)) == (1, 10 + 2)  # ten of them in the long one
    data = json.loads(written)
    place = data["cases"][0]["trials"][1]["output"]["again"][0]
    assert data["texts"][place["$text"]] == long
    schema.Report.model_validate(data)


def test_figures_count_what_has_a_verdict(mixed: Path) -> None:
    metrics = report_of(mixed)["metrics"]
    counts = {name: figure["value"] for name, figure in metrics["trials"].items()}
    assert counts == {"total": 6, "passed": 2, "failed": 1, "scored": 0, "errors": 1, "unjudged": 1, "open": 1}
    assert metrics["pass_rate"]["value"] == 0.75
    assert metrics["pass_rate"]["n"] == 3
    assert [(one["value"], one["n"]) for one in metrics["pass_hat_k"]] == [(0.75, 2)]  # c has one verdict, b none
    assert metrics["average_reward"]["value"] == pytest.approx(0.8125)
    assert metrics["judges_agree"]["value"] == 0.0


def test_without_scores_there_is_no_average_reward(tmp_path: Path) -> None:
    path = write_run(tmp_path / "run.trial", [(case("a"), [ended(verdict("pass"))])])
    assert report_of(path)["metrics"]["average_reward"] is None


def test_a_case_comes_with_its_task_and_a_trial_with_all_that_happened(tau: Path) -> None:
    first = report_of(tau)["cases"][0]
    assert first["data"] == {"instruction": "You are Ada."}
    trial = first["trials"][0]
    assert trial["facts"] == {"reward": 1.0, "steps": 9, "turns": 2, "success_turn": 2}
    assert trial["output"]["turns"] == 2
    assert trial["transcript"] == [{"kind": "message", "role": "user", "text": "Hello."}]


def test_the_page_tells_of_every_field() -> None:
    told = set(re.findall(r"`([a-z_0-9]+)`", DOCS.read_text(encoding="utf-8")))
    assert _fields(schema.TauReport) - told == set()


def _fields(model: type[BaseModel]) -> set[str]:
    """The names of a model's fields and of all models below."""
    found = set(model.model_fields)
    for definition in model.model_json_schema().get("$defs", {}).values():
        found |= set(definition.get("properties", ()))
    return found


def test_a_run_that_is_scored_has_its_measures(tmp_path: Path) -> None:
    measures = (Measure(name="tone", low=1, high=5), Measure(name="length", higher_is_better=False))
    said = [verdict("scored", score=tone, scores={"length": 10 * tone}) for tone in (2.0, 4.0)]
    path = write_run(tmp_path / "r.trial", [(case("a"), list(map(ended, said)))], measures=measures)
    data = report_of(path)
    schema.Report.model_validate(data)
    metrics = data["metrics"]
    assert (metrics["measure"]["name"], metrics["headline"]["value"]) == ("tone", 3)
    assert {name: found["mean"]["value"] for name, found in metrics["measures"].items()} == {"tone": 3, "length": 30}
    assert metrics["pass_rate"] is None
    assert metrics["pass_hat_k"] == []
    assert metrics["trials"]["scored"]["value"] == 2
    assert data["run"]["measures"][1]["higher_is_better"] is False
