"""Suites whose trials are scored, from `run` to `compare`, through the program."""

import csv
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tests.e2e.program import Program, Result
from trialkit import compare, open_run

from .conftest import Run

GOOD = [f"{0.8 + n / 100:.2f} 0.{9 - n // 2}" for n in range(12)]
POOR = [f"{0.25 + n * 7 % 12 / 100:.2f} 0.{9 - n // 2}" for n in range(12)]


def test_replay_and_resume_know_scores(trialkit: Program, run: Run) -> None:
    done = run("quality", [*GOOD, "no number"], "--min-score", "0.8")
    assert done.status == 3, done.text
    assert "12 scored · 1 error" in done.err
    path = str(trialkit.last_run())
    assert trialkit("replay", path).status == 0
    audit = trialkit("audit", "judge", path)
    assert (audit.status, "its trials are measured by quality (0 to 1); an audit counts passes" in audit.err) == (
        2,
        True,
    )
    again = trialkit("resume", "--errors", path)
    assert (again.status, "1/1 trials · 0 passed · 0 failed · 1 error" in again.err) == (3, True)
    assert "gate met: the average quality (point estimate) is 0.855, --min-score asks for 0.8" in again.out


@pytest.mark.parametrize(
    ("replies", "wrong"),
    [
        (["0.5 0.5", "1.5 0.5"], "the score 1.5 is none of quality (0 to 1). It said: 1.5 it is."),
        (["0.5 0.5", "0.5 nan"], "the score nan is none of brevity (0 to 1)"),
    ],
)
def test_a_score_outside_of_its_range_is_no_verdict(
    trialkit: Program, run: Run, replies: list[str], wrong: str
) -> None:
    assert run("quality", replies).status == 3
    data = json.loads(trialkit("report", str(trialkit.last_run()), "--format", "json").out)
    verdicts = [case["trials"][0]["verdicts"][0] for case in data["cases"]]
    assert [verdict["outcome"] for verdict in verdicts] == ["scored", "error"]
    assert wrong in verdicts[1]["critique"]
    assert verdicts[1]["score"] is None


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["run", "quality", "--min-pass", "0.9"], "by quality (0 to 1), so the gate is --min-score"),
        (["run", "latency", "--min-score", "-1"], "--min-score -1: it is none of latency (from 0, s, lower is better)"),
        (
            ["run", "commodity", "--min-score", "0.9"],
            "these trials pass or fail, so the gate is --min-pass",
        ),
    ],
)
def test_a_gate_that_does_not_fit_is_refused_before_anything_is_asked(
    trialkit: Program, command: list[str], says: str
) -> None:
    done = trialkit(*command)
    assert (done.status, says in done.err) == (2, True), done.err
    assert not trialkit.results.exists()


def test_compare_and_its_gate(trialkit: Program, run: Run) -> None:
    for name, replies in (("good", GOOD), ("poor", POOR)):
        assert run("quality", replies, name=name).status == 0
    a, b = map(str, trialkit.run_files())
    gated = trialkit("compare", a, b, "--gate")
    assert gated.status == 1
    assert "lower than A's; with 12 cases a difference of this size is more than noise (p < 0.001)" in " ".join(
        gated.out.split()
    )
    assert trialkit("compare", b, a, "--gate").status == 0
    data = json.loads(trialkit("compare", a, b, "--format", "json").out)
    assert data["headline"]["difference"]["value"] == pytest.approx(-0.55)
    assert data["measures"]["brevity"]["difference"]["value"] == 0
    listed = json.loads(trialkit("runs", "--format", "json").out)
    assert [one["headline"]["value"] for one in listed] == pytest.approx([0.305, 0.855])
    trend = json.loads(trialkit("trend", "--format", "json").out)
    assert [one["headline"]["value"] for one in trend] == pytest.approx([0.855, 0.305])
    assert "100" not in trialkit("trend").out.replace(Path(a).name, "")


def test_seconds_are_better_when_lower(trialkit: Program, run: Run) -> None:
    for name, factor in (("slow", 2.0), ("fast", 1.0)):
        replies = [[f"{factor * (1 + n / 10 + trial / 7):.3f}" for trial in range(3)] for n in range(8)]
        assert run("latency", replies, "--trials", "3", name=name).status == 0
    a, b = map(str, trialkit.run_files())
    better = trialkit("compare", a, b, "--gate")
    assert (better.status, "which is better" in " ".join(better.out.split())) == (0, True)
    assert trialkit("compare", b, a, "--gate").status == 1


def test_plan_takes_the_spread_from_past_runs(trialkit: Program, run: Run) -> None:
    def plan(suite: str, *more: str) -> dict[str, Any]:
        done = trialkit("plan", suite, "--model", f"scripted:{trialkit.folder / 'model.json'}", "--number", "12", *more)
        assert done.status == 0, done.err
        return {"text": " ".join(done.out.split())} if "--format" not in more else dict(json.loads(done.out))

    unknown = plan("latency")["text"]
    assert "What this size can show depends on how far latency spreads: a first run of it would tell." in unknown
    cautious = plan("stars", "--format", "json")
    assert cautious["assumed"]["deviation"] == 2
    assert run("latency", [f"{1 + n / 10:.1f}" for n in range(12)]).status == 0
    known = plan("latency", "--format", "json")
    assert known["assumed"]["deviation"] == pytest.approx(0.36, abs=0.01)
    a_pair = 0.36 * (2 * (0.45 * (1 - 0.3) + 0.55)) ** 0.5  # what is not known of cases is assumed
    assert known["detectable_difference"] == pytest.approx(a_pair / 12**0.5 * (2.201 + 0.842), rel=0.02)
    assert known["assumed"]["pass_rate"] is None
    told = plan("latency", "--detect", "0.1")["text"]
    assert "detects a difference of 0.422 s or more" in told
    assert "To detect 0.1 s: no number of trials of these 12 cases will do" in told
    assert "deviation between trials 0.361 s 0.2" in told
    assert "cannot be so far apart, measured by stars (1 to 5)" in trialkit("plan", "stars", "--detect", "4").err


@pytest.mark.parametrize(
    ("suite", "replies", "more", "status", "told"),
    [
        ("quality", GOOD, ["--min-score", "0.86"], 1, "gate not met: the average quality (point estimate) is 0.855"),
        ("quality", GOOD, ["--min-score", "0.84", "--min-score-on", "low"], 1, "the low end of the average quality's"),
        ("stars", ["4", "5", "3"], ["--min-score", "3.5"], 0, "gate met: the average stars (point estimate) is 4.00"),
        ("latency", ["1", "2", "3"], ["--min-score", "2"], 0, "is 2.00 s, --min-score asks for 2 or less"),
        ("latency", ["1", "2", "3"], ["--min-score", "2", "--min-pass-on", "low"], 1, "the high end of the average"),
        ("latency", ["1", "2", "3"], ["--min-score", "1.5"], 1, "gate not met: the average latency (point estimate)"),
        (
            "latency",
            ["none"],
            ["--min-score", "1.5"],
            1,
            "there are no verdicts, so no average latency",
        ),
        (
            "latency",
            ["2"],
            ["--min-score", "3", "--min-score-on", "low"],
            1,
            "so few cases give no interval",
        ),
    ],
)
def test_the_gate_respects_unit_and_direction(
    run: Run, suite: str, replies: list[str], more: list[str], status: int, told: str
) -> None:
    done = run(suite, replies, *more)
    assert (done.status, told in done.text) == (status, True), done.text


def test_reports_tell_scores(trialkit: Program, run: Run) -> None:
    done = run("latency", [["1.5", "2.5"], ["3", "oh"]], "--trials", "2")
    shown = " ".join(done.out.split())
    assert "average latency 2.50 s [" in shown
    path = str(trialkit.last_run())
    metrics = json.loads(trialkit("report", path, "--format", "json").out)["metrics"]
    assert metrics["pass_rate"] is None
    # a case counts the same, however many of its trials have a score
    assert metrics["measures"]["latency"]["mean"]["value"] == 2.5
    assert metrics["trials"]["scored"]["value"] == 3
    junit = ET.fromstring(trialkit("report", path, "--format", "junit").out)  # noqa: S314 - ours
    assert [(junit.get(name)) for name in ("tests", "failures", "errors")] == ["4", "0", "1"]
    for form in ("md", "html"):
        assert "latency" in trialkit("report", path, "--format", form).out
    assert trialkit("label", path, "--sample", "2").status == 0
    assert "There are no labels yet" in " ".join(trialkit("align", path).out.split())
    assert trialkit("rejudge", path).status == 3
    assert "Average latency" in trialkit("rejudge", path).out


def test_the_python_door_tells_scores(trialkit: Program, run: Run) -> None:
    assert run("quality", GOOD).status == 0
    opened = open_run(trialkit.last_run())
    assert opened.to_rows()[0]["score"] == 0.8
    assert opened.to_rows()[0]["passed"] is None
    assert opened.to_rows()[0]["outcome"] == "scored"
    assert compare(opened, opened).headline.difference.value == 0


def test_plan_knows_how_much_trials_of_a_case_are_alike(trialkit: Program, run: Run) -> None:
    """Cases at 2, 3 and 4 whose two trials are 1 apart: a variance of 0.5 within, of 1 - 0.5 / 2 between."""
    done = run("stars", [["1.5", "2.5"], ["2.5", "3.5"], ["3.5", "4.5"]], "--trials", "2")
    assert done.status == 0, done.text
    command = ("plan", "stars", "--model", f"scripted:{trialkit.folder / 'model.json'}", "--format", "json")
    assumed = json.loads(trialkit(*command).out)["assumed"]
    assert assumed["deviation"] == pytest.approx(1.25**0.5)
    assert assumed["alike"] == pytest.approx(0.75 / 1.25)


def test_a_suite_may_have_a_setting_called_as_the_flag_of_tau_benchs_runner(trialkit: Program, run: Run) -> None:
    assert run("place/here", ["4"], "--env", "prod").status == 0
    assert open_run(trialkit.last_run()).info.settings["env"] == "prod"


def test_labels_are_scores_too(trialkit: Program, run: Run) -> None:
    """The judge is always half a star too kind."""
    assert run("stars", [f"{1.5 + n / 10}" for n in range(30)]).status == 0
    path, sheet = str(trialkit.last_run()), trialkit.folder / "sheet.csv"
    drawn = trialkit("label", path, "--sample", "20", "--seed", "1", "-o", "sheet.csv")
    assert "fill in Human Score (stars (1 to 5)), then: trialkit import" in drawn.out
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["Measure"] for row in rows} == {"stars (1 to 5)"}
    assert "Human Outcome" not in rows[0]
    for row in rows:
        row["Human Score"] = f"{float(json.loads(row['Model Response'])['text']) - 0.5:.2f}"

    def bring(score: str) -> Result:
        first = {**rows[0], "Human Score": score}
        with sheet.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows([first, *rows[1:]])
        return trialkit("import", "sheet.csv", "--run", path)

    assert "sheet.csv:2: the Human Score 7 is none of stars (1 to 5); write one that is" in bring("7").err
    assert "must be a number or empty" in bring("good").err
    assert bring(rows[0]["Human Score"]).status == 0
    (judge,) = json.loads(trialkit("align", path, "--format", "json").out)["judges"]
    assert judge["labels"] == 20
    assert judge["difference"]["value"] == pytest.approx(0.5)
    assert judge["correlation"]["value"] == pytest.approx(1)
    assert judge["corrected_mean"]["value"] == pytest.approx(judge["mean"]["value"] - 0.5)
    assert "Off by" in trialkit("align", path).out
    assert "they neither pass nor fail" in trialkit("label", path, "--where", "passed", "-o", "b.csv").err
    assert trialkit("replay", path).status == 0
