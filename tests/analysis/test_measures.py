"""Runs whose trials are scored: compare, trend and the gate follow the suite's measure, its range and its direction."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.e2e.program import Program
from tests.run_files import case, ended, verdict, write_run
from trialkit.analysis.all_pairs_pages import all_pairs_csv, all_pairs_json, all_pairs_page
from trialkit.analysis.compare import Comparison, compare_all, compare_runs
from trialkit.analysis.compare_csv import comparison_csv
from trialkit.analysis.compare_gate import GateRule, compare_gate
from trialkit.analysis.compare_pages import comparison_json, comparison_page
from trialkit.analysis.judges import judges_page
from trialkit.analysis.labels import draw_labels
from trialkit.analysis.loaded import load_run
from trialkit.analysis.summary import summarize
from trialkit.analysis.trend import trend_data, trend_of, trend_page
from trialkit.errors import InputError
from trialkit.pages import write_page
from trialkit.runfile import RunFile, TrialRecord
from trialkit.vocabulary import PASS, Measure

QUALITY = Measure(name="quality", low=0, high=1)
STARS = Measure(name="stars", low=1, high=5)
LATENCY = Measure(name="latency", low=0, higher_is_better=False, unit="s")
BREVITY = Measure(name="brevity", low=0, high=1)


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")


def scored(score: float, **further: float) -> TrialRecord:
    return ended(verdict("scored", f"It is worth {score:g}.", score=score, scores=further))


def run(path: Path, scores: Sequence[float | Sequence[float]], *measures: Measure) -> Path:
    trials = [one if isinstance(one, Sequence) else (one,) for one in scores]
    cases = [(case(f"S{n}"), [scored(score) for score in found]) for n, found in enumerate(trials)]
    return write_run(path, cases, measures=measures)


def compared(folder: Path, before: Sequence[float], after: Sequence[float], measure: Measure) -> Comparison:
    paths = [run(folder / f"{name}.trial", scores, measure) for name, scores in (("a", before), ("b", after))]
    return compare_runs(*map(load_run, paths))


def drawn(mean: float, n: int = 30, spread: float = 20.0) -> list[float]:
    random = np.random.default_rng(round(mean * 100))
    return [float(score) for score in random.beta(mean * spread, (1 - mean) * spread, size=n)]


def shown(one: Comparison) -> str:
    return " ".join(write_page(comparison_page(one), "console").split())


def test_mean_scores_of_30_and_85_percent_are_told_apart(tmp_path: Path) -> None:
    one = compared(tmp_path, drawn(0.85), drawn(0.3), QUALITY)
    assert one.regression
    assert one.headline.difference.p is not None
    assert one.headline.difference.p < 1e-6
    assert one.headline.before.value == pytest.approx(0.85, abs=0.03)
    text = shown(one)
    assert "average quality 0.8" in text
    assert "B's average quality is 0.5" in text
    assert "lower than A's; with 30 cases a difference of this size is more than noise (p < 0.001)." in text
    assert "Worse quality in B (30 cases)" in text
    assert "passes" not in text
    assert one.pass_hat_k == ()


def test_scores_without_an_end_that_are_all_the_same_have_no_interval(tmp_path: Path) -> None:
    one = compared(tmp_path, [2.0, 2.0], [2.0, 2.0], LATENCY)
    assert "there is no telling what could go unseen at this size" in shown(one)
    assert compare_gate({"B": one}, GateRule(margin=0.5)).state == "undecided"
    single = compared(tmp_path / "1", [1.0], [2.0], LATENCY)
    assert "with 1 case a difference of this size is not distinguishable from noise. One case" in shown(single)


def test_lower_seconds_are_no_regression(tmp_path: Path) -> None:
    slow, fast = [2.0 + n / 10 for n in range(20)], [1.0 + n / 20 for n in range(20)]
    better, worse = compared(tmp_path, slow, fast, LATENCY), compared(tmp_path, fast, slow, LATENCY)
    assert (better.regression, worse.regression) == (False, True)
    assert better.headline.difference.significant
    assert {flip.direction for flip in better.flips} == {"better"}
    assert "latency: lower is better" in shown(better)
    assert "B's average latency is 1.48 s lower than A's, which is better; with 20 cases" in shown(better)
    assert "which is worse" in shown(worse)


def test_critiques_are_of_the_trials_that_tell_most(tmp_path: Path) -> None:
    paths = [run(tmp_path / f"{name}.trial", [found], STARS) for name, found in (("a", (4, 5, 2)), ("b", (3, 1, 2)))]
    (flip,) = compare_runs(*map(load_run, paths)).flips
    assert flip.before == pytest.approx(11 / 3)
    assert flip.after == 2
    assert flip.direction == "worse"
    assert (flip.critique_before, flip.critique_after) == ("It is worth 5.", "It is worth 1.")


def test_noise_is_told_with_what_the_size_can_show(tmp_path: Path) -> None:
    before = [3.0, 4.0, 5.0, 2.0, 4.0, 3.0, 5.0, 1.0, 4.0, 2.0]
    after = [4.0, 3.0, 5.0, 3.0, 4.0, 3.0, 4.0, 2.0, 5.0, 2.0]
    text = shown(compared(tmp_path, before, after, STARS))
    assert (
        "B's average stars is 0.2 higher than A's; with 10 cases a difference of this size is not distinguishable"
        in text
    )
    assert "At this size only differences of about 0.6" in text
    assert "half of that takes four times the cases" in text
    same = shown(compared(tmp_path, before, before, STARS))
    assert "B's average stars is exactly A's, over 10 cases. A difference of up to" in same


def test_further_measures_are_compared_beside_the_headline(tmp_path: Path) -> None:
    paths = []
    for name, brevity in (("a", 0.9), ("b", 0.2)):
        cases = [(case(f"S{n}"), [scored(0.5 + n / 100, brevity=brevity - n / 50)]) for n in range(10)]
        paths.append(write_run(tmp_path / f"{name}.trial", cases, measures=(QUALITY, BREVITY, PASS)))
    one = compare_runs(*map(load_run, paths))
    assert list(one.further) == [BREVITY, PASS]
    assert one.headline.difference.value == 0
    assert one.further[BREVITY].difference.value == pytest.approx(-0.7)
    assert one.further[PASS].difference.n == 0  # none of these trials passed or failed
    assert not one.regression
    assert "average brevity 0.81 [" in shown(one)
    data = json.loads(comparison_json(one))
    assert data["measures"]["brevity"]["difference"]["value"] == pytest.approx(-0.7)


def test_a_further_measure_that_a_verdict_does_not_tell_is_not_the_first_one(tmp_path: Path) -> None:
    loaded = load_run(run(tmp_path / "a.trial", [0.5, 0.7], QUALITY, BREVITY))
    assert loaded.figure(QUALITY).value == pytest.approx(0.6)
    assert loaded.figure(BREVITY).value is None


def test_scores_beside_pass_and_fail_do_not_change_the_headline(tmp_path: Path) -> None:
    reward = Measure(name="reward", low=0, high=1)
    cases = [(case(f"S{n}"), [ended(verdict("pass" if n else "fail", score=float(n > 1)))]) for n in range(4)]
    paths = [write_run(tmp_path / f"{name}.trial", cases, measures=(PASS, reward)) for name in "ab"]
    one = compare_runs(*map(load_run, paths))
    assert one.headline.before.value == 0.75
    assert one.further[reward].before.value == 0.5


def test_errors_and_verdicts_without_the_score_have_no_value(tmp_path: Path) -> None:
    cases: list[tuple[str, TrialRecord]] = [
        ("S1", scored(0.5)),
        ("S2", ended(verdict("error", "no", score=1.0))),
        ("S3", ended(verdict("pass"))),
    ]
    path = write_run(tmp_path / "a.trial", [(case(name), [record]) for name, record in cases], measures=(QUALITY,))
    loaded = load_run(path)
    assert {name: one.values for name, one in loaded.cases.items()} == {"S1": (0.5,), "S2": (), "S3": ()}
    assert (loaded.count("scored"), loaded.count("error")) == (1, 1)


def test_runs_of_other_measures_are_refused(tmp_path: Path) -> None:
    a, b = run(tmp_path / "a.trial", [0.5], QUALITY), run(tmp_path / "b.trial", [3.0], LATENCY)
    wanted = r"a\.trial is measured by quality \(0 to 1\), .*b\.trial by latency \(from 0, s, lower is better\)"
    with pytest.raises(InputError, match=wanted):
        compare_runs(load_run(a), load_run(b))


def test_several_runs_are_told_by_their_measure(tmp_path: Path) -> None:
    means = {"a": 0.7, "b": 0.69, "c": 0.3}
    several = compare_all(
        [load_run(run(tmp_path / f"{name}.trial", drawn(mean), QUALITY)) for name, mean in means.items()]
    )
    gate = compare_gate(several.against_first, GateRule(margin=None))
    assert (gate.state, gate.why[:24]) == ("worse", "C is significantly worse")
    text = " ".join(write_page(all_pairs_page(several), "console").split())
    assert "Average quality" in text
    assert "C's average quality is 0." in text
    data = json.loads(all_pairs_json(several))
    assert data["runs"][0]["headline"]["value"] == pytest.approx(0.7, abs=0.04)
    assert data["runs"][0]["pass_rate"] is None
    (row, *_) = csv.DictReader(io.StringIO(all_pairs_csv(several)))
    assert float(row["A quality"]) == pytest.approx(drawn(0.7)[0])


def test_the_csv_has_the_mean_of_each_case(tmp_path: Path) -> None:
    one = compared(tmp_path, [1.0, 3.0], [2.0, 3.0], STARS)
    rows = list(csv.DictReader(io.StringIO(comparison_csv(one))))
    assert [(row["A stars"], row["B stars"], row["B trials"], row["Change"]) for row in rows] == [
        ("1.0", "2.0", "1", "better"),
        ("3.0", "3.0", "1", "same"),
    ]


@pytest.mark.parametrize(
    ("measure", "scores", "header", "value"),
    [
        (QUALITY, [0.8, 0.9, 0.7], "0 1 Average quality", "0.80 ["),
        (STARS, [4, 5, 3], "1 5 Average stars", "4.00 ["),
        (LATENCY, [1.5, 2.5, 3.5], "0 6.508 Average latency", "2.50 s ["),
    ],
)
def test_trend_shows_the_mean_with_its_unit(
    tmp_path: Path, measure: Measure, scores: Sequence[float], header: str, value: str
) -> None:
    run(tmp_path / "a.trial", scores, measure)
    trend = trend_of(tmp_path)
    text = " ".join(write_page(trend_page(trend), "console").split())
    assert f"unknown-suite: average {measure.name} over time" in text
    assert header in text
    assert value in text
    assert "100%" not in text
    (point,) = trend_data(trend)
    assert point["pass_rate"] is None
    assert isinstance(point["measure"], Mapping)
    assert point["measure"]["name"] == measure.name


def test_runs_and_the_gate_through_the_program(tmp_path: Path) -> None:
    trialkit = Program(tmp_path)
    trialkit.results.mkdir()
    good, bad = drawn(0.85), drawn(0.3)
    a, b = run(trialkit.results / "a.trial", good, QUALITY), run(trialkit.results / "b.trial", bad, QUALITY)
    gated = trialkit("compare", str(a), str(b), "--gate")
    assert (gated.status, "significantly worse" in gated.err) == (1, True)
    assert trialkit("compare", str(b), str(a), "--gate").status == 0
    listed = trialkit("runs")
    assert "Average quality" in listed.out
    assert "100.0%" not in listed.out
    slow = run(trialkit.results / "c.trial", [1.0, 2.0], LATENCY)
    assert "1.50 s [" in trialkit("runs").out
    assert slow.exists()
    found = {
        one["file"][-7:-6]: one["headline"]["value"] for one in json.loads(trialkit("runs", "--format", "json").out)
    }
    assert found == {"a": pytest.approx(sum(good) / 30), "b": pytest.approx(sum(bad) / 30), "c": 1.5}


def test_judges_are_told_by_their_mean_score(tmp_path: Path) -> None:
    def judged(first: float, second: float) -> TrialRecord:
        return ended(verdict("scored", judge="one", score=first), verdict("scored", judge="two", score=second))

    cases = [(case(f"S{n}"), [judged(4, 4 if n else 1)]) for n in range(4)]
    page = judges_page(load_run(write_run(tmp_path / "a.trial", cases, measures=(STARS,))))
    text = " ".join(write_page(page, "console").split())
    assert "Average stars" in text
    assert "one * 4 4.00 [" in text
    assert "two 4 3.25 [" in text
    assert "75% [" in text  # as decided


def test_judges_that_score_neither_agree_nor_disagree_but_a_hunt_finds_them(tmp_path: Path) -> None:
    def judged(first: float, second: float) -> TrialRecord:
        scores = (verdict("scored", judge="one", score=first), verdict("scored", judge="two", score=second))
        return ended(*scores, output={"text": "so"})

    cases = [(case(f"S{n}"), [judged(4, 4 if n else 1)]) for n in range(4)]
    with RunFile(write_run(tmp_path / "a.trial", cases, measures=(STARS,))) as opened:
        assert summarize(opened).agreement is None
        sheet = draw_labels(opened, 9, "disagree")
    assert (sheet.drawn, sheet.eligible) == (1, 1)
    assert "\nS0," in sheet.text
