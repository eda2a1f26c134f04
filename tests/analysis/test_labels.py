"""Labels through a CSV and back into the run file, whatever people write."""

import csv
import io
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.run_files import case, ended, verdict, write_run
from trialkit.analysis.labels import draw_labels, import_labels
from trialkit.errors import InputError
from trialkit.runfile import RunFile
from trialkit.text.csvfile import write_rows

WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30)
COLUMNS = ("Scenario ID", "Trial", "Human Outcome", "Human Critique", "Annotator")


def run_of(folder: Path, trials: int = 2, suite: str = "unknown-suite") -> Path:
    record = ended(verdict("pass"), output={"messages": [{"role": "user", "content": "Hi", "tool_calls": None}]})
    return write_run(folder / "a.trial", [(case(name), [record] * trials) for name in ("S1", "S2", "S3")], suite=suite)


def table(folder: Path, rows: list[tuple[str, ...]]) -> Path:
    path = folder / "labels.csv"
    path.write_text(write_rows(COLUMNS, rows), encoding="utf-8", newline="")
    return path


@given(WORDS, WORDS.filter(str.strip))
def test_what_people_write_comes_back(critique: str, annotator: str) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        run = run_of(folder)
        found = import_labels([table(folder, [("S2", "2", "FAIL ", critique, annotator)])], run)
        assert (found.labels, found.changed, found.unlabelled) == (1, 0, 0)
        with RunFile(run) as opened:
            (label,) = [label for trial in opened.trials() for label in trial.labels]
        assert (label.annotator, label.outcome, label.critique) == (annotator.strip(), "fail", critique.strip())


def test_a_label_takes_the_place_of_the_same_annotators_earlier_one(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    import_labels([table(tmp_path, [("S1", "1", "pass", "", "ann"), ("S1", "1", "fail", "", "bob")])], run)
    found = import_labels([table(tmp_path, [("S1", "1", "fail", "", "ann"), ("S2", "1", "", "", "")])], run)
    assert (found.labels, found.changed, found.unlabelled) == (1, 1, 1)
    with RunFile(run) as opened:
        labels = {label.annotator: label.outcome for trial in opened.trials() for label in trial.labels}
    assert labels == {"ann": "fail", "bob": "fail"}


@pytest.mark.parametrize(
    ("row", "word"),
    [
        (("S9", "1", "pass", "", ""), 'no scenario "S9"'),
        (("S1", "7", "pass", "", ""), "no trial 7"),
        (("S1", "one", "pass", "", ""), "whole number"),
        (("S1", "1", "perhaps", "", ""), "must be pass, fail, unsure or empty"),
        (("S1", "1", "", "but why", ""), "without a Human Outcome"),
        (("", "1", "pass", "", ""), "Scenario ID is empty"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path: Path, row: tuple[str, ...], word: str) -> None:
    run = run_of(tmp_path)
    with pytest.raises(InputError, match=word):
        import_labels([table(tmp_path, [("S2", "1", "pass", "", ""), row])], run)
    with RunFile(run) as opened:
        assert not any(trial.labels for trial in opened.trials())


def test_a_trial_without_an_answer_cannot_be_labelled(tmp_path: Path) -> None:
    run = write_run(tmp_path / "a.trial", [(case("S1"), [ended(error="no reply"), None])])
    with pytest.raises(InputError, match="nothing to label"):
        import_labels([table(tmp_path, [("S1", "1", "pass", "", "")])], run)
    with RunFile(run) as opened, pytest.raises(InputError, match="nothing to draw"):
        draw_labels(opened, 5)


def test_a_conversation_is_drawn_for_reading(tmp_path: Path) -> None:
    with RunFile(run_of(tmp_path, suite="tau-bench/retail")) as run:
        sheet = draw_labels(run, 100, seed=1)
    assert (sheet.drawn, sheet.eligible) == (6, 6)
    assert "user: Hi" in sheet.text
    assert sheet.text.startswith("\ufeffScenario ID,")  # so that Excel takes it for UTF-8


def test_a_label_on_another_runs_conversation_is_refused(tmp_path: Path) -> None:
    """The sheet shows a conversation in other words than it was recorded; its hash tells it all the same."""
    sheet = tmp_path / "sheet.csv"
    with RunFile(run_of(tmp_path, suite="tau-bench/retail")) as run:
        rows = list(csv.DictReader(io.StringIO(draw_labels(run, 2, seed=1).text.removeprefix("\ufeff"))))
    sheet.write_text(write_rows(list(rows[0]), [list({**row, "Human Outcome": "pass"}.values()) for row in rows]))
    other = ended(verdict("pass"), output={"messages": [{"role": "user", "content": "Ho", "tool_calls": None}]})
    cases = [(case(name), [other] * 2) for name in ("S1", "S2", "S3")]
    another = write_run(tmp_path / "b.trial", cases, suite="tau-bench/retail")
    with pytest.raises(InputError, match=r"sheet\.csv:2: the Answer Hash of S\d trial \d is not the run's"):
        import_labels([sheet], another)
    assert import_labels([sheet], tmp_path / "a.trial").labels == 2


def test_every_trial_has_the_same_chance_to_be_drawn(tmp_path: Path) -> None:
    with RunFile(run_of(tmp_path, trials=4)) as run:
        drawn = [draw_labels(run, 3, seed=seed).text.count("\r\nS1,") for seed in range(200)]
    assert sum(drawn) / 200 == pytest.approx(1, abs=0.2)  # a third of the trials are S1's


def test_trials_labelled_when_hunting_are_still_in_the_random_draw(tmp_path: Path) -> None:
    """Else the sample would lack just the trials on which judges err, and the correction would be wrong."""
    run = run_of(tmp_path)
    sheet = tmp_path / "hunted.csv"
    rows = [("S1", "1", "fail", "hm", "ann", "disagree"), ("S2", "1", "pass", "", "ann", "random")]
    sheet.write_text(write_rows((*COLUMNS, "Drawn"), rows), encoding="utf-8", newline="")
    import_labels([sheet], run)
    with RunFile(run) as opened:
        drawn = draw_labels(opened, 100, seed=1)
    assert (drawn.drawn, drawn.eligible) == (5, 5)  # all but S2's first, which is in a random sample already
    rows_drawn = csv.DictReader(io.StringIO(drawn.text.removeprefix("\ufeff")))
    (row,) = [row for row in rows_drawn if (row["Scenario ID"], row["Trial"]) == ("S1", "1")]
    assert [row[name] for name in ("Human Outcome", "Human Critique", "Annotator", "Drawn")] == [
        "fail",
        "hm",
        "ann",
        "random",
    ]
    sheet.write_text(drawn.text, encoding="utf-8", newline="")
    import_labels([sheet], run)
    sheet.write_text(write_rows((*COLUMNS, "Drawn"), rows[:1]), encoding="utf-8", newline="")
    import_labels([sheet], run)  # drawn at random once, it stays in the sample
    with RunFile(run) as opened:
        assert {result.drawn for result in opened.results() if result.labels} == {"random"}


def test_two_tables_that_contradict_each_other_are_refused(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    tables = []
    for name, outcome in (("ann", "pass"), ("bob", "fail")):
        tables.append(table(tmp_path, [("S1", "1", outcome, "", "")]).rename(tmp_path / f"{name}.csv"))
    with pytest.raises(InputError, match=r"bob\.csv:2: S1 trial 1 has another label by human than in .*ann\.csv:2; if"):
        import_labels(tables, run)
    assert import_labels([tables[0], tables[0]], run).labels == 1
