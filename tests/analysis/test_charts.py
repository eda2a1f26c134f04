"""A run in pictures: each shows what the run file has, and is left out where it would show nothing."""

from pathlib import Path

from tests.run_files import case, conversation, ended, verdict, write_run
from trialkit.analysis.charts import charts, distributions, heat_map, pass_hat_chart
from trialkit.analysis.runs import list_runs
from trialkit.analysis.summary import Summary, summarize
from trialkit.analysis.trend import trend_chart, trend_of, trend_page
from trialkit.pages import Curve, HeatMap, Histogram, write_page
from trialkit.runfile import RunFile, TrialRecord
from trialkit.vocabulary import Measure

TONE = Measure(name="tone", low=1, high=5)
SECONDS = Measure(name="seconds", low=0, higher_is_better=False)


def summary_of(path: Path) -> Summary:
    with RunFile(path) as run:
        return summarize(run)


def scored(score: float) -> TrialRecord:
    return ended(verdict("scored", score=score))


def test_a_run_of_several_trials_has_a_curve_and_a_heat_map_with_the_worst_first(tmp_path: Path) -> None:
    path = write_run(
        tmp_path / "a.trial",
        [
            (case("good"), [ended(verdict("pass")), ended(verdict("pass"))]),
            (case("bad"), [ended(verdict("fail")), ended(verdict("fail"))]),
            (case("mixed"), [ended(verdict("pass")), ended(verdict("error"), error="down"), ended(verdict("fail"))]),
            (case("none"), [None, None]),
        ],
    )
    found = charts(summary_of(path), link=lambda trial: f"#{trial.case_id}/{trial.number}")
    curve, heat = found
    assert isinstance(curve, Curve)
    assert isinstance(heat, HeatMap)
    assert [row.label for row in heat.rows] == ["none", "bad", "mixed", "good"]
    assert [cell.outcome for cell in heat.rows[2].cells] == ["pass", "error", "fail"]
    assert heat.rows[1].cells[1].link == "#bad/2"


def test_a_run_of_one_trial_each_has_neither(tmp_path: Path) -> None:
    trials = [(case(f"c{number}"), [ended(verdict("pass"), elapsed_s=number + 1)]) for number in range(9)]
    summary = summary_of(write_run(tmp_path / "a.trial", trials))
    assert heat_map(summary) is None
    assert pass_hat_chart({"": summary.pass_hat_k}) is None
    (seconds,) = distributions(summary)
    assert seconds.title == "Time of a trial"
    assert sum(one.count for one in seconds.bins) == 9
    assert seconds.note == "half at most 5.00 s, nine in ten 8.20 s"


def test_what_the_suite_counts_is_shown_too(tmp_path: Path) -> None:
    trials = [(case(f"c{number}"), [conversation("pass", steps=5 + number % 3)]) for number in range(12)]
    run = write_run(tmp_path / "a.trial", trials, suite="tau-bench/retail")
    found = {one.title: one for one in distributions(summary_of(run))}
    steps = found["Steps of a trial"]
    assert [(one.low, one.count) for one in steps.bins] == [(5, 4), (6, 4), (7, 4)]
    assert "Turns of a trial" not in found  # all the same
    assert all(isinstance(one, Histogram) for one in found.values())


def test_scores_are_shades_of_their_scale(tmp_path: Path) -> None:
    trials = [(case("low"), [scored(1), scored(2)]), (case("high"), [scored(5), scored(3)])]
    heat = heat_map(summary_of(write_run(tmp_path / "a.trial", trials, measures=(TONE,))))
    assert heat is not None
    assert [[cell.level for cell in row.cells] for row in heat.rows] == [[0, 0.25], [1, 0.5]]
    assert heat.rows[0].cells[0].told == "1.00"


def test_where_lower_is_better_low_is_good_and_the_trials_make_the_scale(tmp_path: Path) -> None:
    trials = [(case("quick"), [scored(2), scored(4)]), (case("slow"), [scored(10), scored(6)])]
    heat = heat_map(summary_of(write_run(tmp_path / "a.trial", trials, measures=(SECONDS,))))
    assert heat is not None
    assert [row.label for row in heat.rows] == ["slow", "quick"]
    assert [[cell.level for cell in row.cells] for row in heat.rows] == [[0, 0.4], [0.8, 0.6]]


def test_a_trend_is_a_line_over_its_table(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_run(tmp_path / f"20260101T000000Z-{name}.trial", [(case("c"), [ended(verdict("pass"))])], subject=name)
    trend = trend_of(tmp_path)
    assert len(list_runs(tmp_path)[0]) == len(trend_chart(trend).places) == 2
    html, console = (write_page(trend_page(trend), form) for form in ("html", "console"))
    assert html.count('<svg class="chart"') == 1
    assert html.count("<table>") == 1
    assert console.count("Pass rate") == 1  # the table alone
    assert trend_chart(trend, link=lambda run: f"/{run.info.subject}").links == ("/a", "/b")


def test_no_line_leads_from_one_subject_to_another(tmp_path: Path) -> None:
    for day, name in enumerate(("one", "one", "two"), start=1):
        created = f"2026010{day}T000000Z"
        write_run(tmp_path / f"{created}-{name}.trial", [(case("c"), [ended(verdict("pass"))])], subject=name)
    of_all, of_one = (write_page(trend_page(trend_of(tmp_path, subject=name)), "html") for name in (None, "one"))
    assert ("<polyline" in of_all, "<polyline" in of_one) == (False, True)
