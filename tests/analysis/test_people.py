"""What people say of a trial: several of them, unsure ones, and who settles it."""

from pathlib import Path

import pytest

from tests.run_files import case, ended, verdict, write_run
from trialkit.analysis.align import Alignment, align_run
from trialkit.analysis.align_pages import alignment_page
from trialkit.analysis.draw import draw_trials
from trialkit.analysis.loaded import load_run
from trialkit.analysis.show import trials_page
from trialkit.errors import InputError
from trialkit.pages import write_page
from trialkit.runfile import Label, Mark, RunFile, remove_mark, write_labels, write_mark
from trialkit.vocabulary import Measure


def says(annotator: str, outcome: str, *, settles: bool = False, score: float | None = None) -> Label:
    return Label(annotator=annotator, outcome=outcome, critique="", settles=settles, score=score)  # type: ignore[arg-type]


def run(path: Path) -> Path:
    """Four trials, all passed by the judge."""
    return write_run(path, [(case(name), [ended(verdict("pass"), output={"text": name})]) for name in "abcd"])


def aligned(path: Path) -> Alignment:
    return align_run(load_run(path))


def test_unsure_is_neither_a_pass_nor_a_fail_and_is_told(tmp_path: Path) -> None:
    path = run(tmp_path / "x.trial")
    write_labels(path, [(1, says("ann", "pass")), (2, says("ann", "unsure")), (3, says("ann", "unsure"))], {})
    write_labels(path, [(3, says("bob", "fail"))], {})
    found = aligned(path)
    confusion = found.judges[0].overall.confusion
    assert (found.labelled, found.unsure) == (2, 1)
    assert (confusion.both_pass, confusion.people_fail_judge_pass, confusion.n) == (1, 1, 2)
    assert "On 1 trial people are unsure" in write_page(alignment_page(found), "md")


def test_who_settles_it_counts_in_place_of_the_annotators_who_still_disagree(tmp_path: Path) -> None:
    path = run(tmp_path / "x.trial")
    write_labels(path, [(1, says("ann", "pass")), (1, says("bob", "fail"))], {})
    before = aligned(path)
    assert before.tied == ("a trial 1",)
    write_labels(path, [(1, says("ann", "pass", settles=True))], {})
    write_labels(path, [(1, says("bob", "fail", settles=True))], {})
    after = aligned(path)
    assert (after.tied, after.judges[0].overall.confusion.people_fail_judge_pass) == ((), 1)
    assert after.krippendorff_alpha == before.krippendorff_alpha
    with RunFile(path) as read:
        trial = read.trial(1)
        assert [(one.annotator, one.settles) for one in trial.labels] == [("ann", False), ("bob", False), ("bob", True)]
        assert trial.label == says("bob", "fail", settles=True)


def test_a_score_that_settles_it_is_no_mean(tmp_path: Path) -> None:
    quality = Measure(name="quality", low=1, high=5)
    rows = [(case(name), [ended(verdict("scored", score=4.0))]) for name in "ab"]
    path = write_run(tmp_path / "x.trial", rows, measures=(quality,))
    write_labels(path, [(1, says("ann", "scored", score=1)), (1, says("bob", "scored", score=5))], {})
    assert aligned(path).scores[0].disagreements[0].people == 3
    write_labels(path, [(1, says("eve", "scored", score=2, settles=True)), (2, says("ann", "unsure"))], {})
    found = aligned(path)
    assert (found.scores[0].disagreements[0].people, found.labelled, found.unsure) == (2, 1, 1)


def test_marks_are_kept_by_annotator_step_and_kind(tmp_path: Path) -> None:
    path = run(tmp_path / "x.trial")
    first = Mark(annotator="ann", kind="hallucinated", critique="no such price", step=2)
    with RunFile(path) as read:
        seen = read.change()
    for mark in (first, Mark(annotator="bob", kind="hallucinated", step=2), Mark(annotator="ann", kind="rude")):
        write_mark(path, 1, mark)
    remove_mark(path, 1, Mark(annotator="ann", kind="rude"))
    with RunFile(path) as read:
        assert read.trial(1).marks == (first, Mark(annotator="bob", kind="hallucinated", step=2))
        assert [trial.id for trial in read.trials(since=seen)] == [1]


def test_what_is_drawn_is_not_drawn_again_though_nobody_has_labelled_it_yet(tmp_path: Path) -> None:
    path = run(tmp_path / "x.trial")
    write_labels(path, [], {1: "random", 2: "disagree"})
    with RunFile(path) as read:
        drawn = draw_trials(read, 4)
        assert {row.id for row, _ in drawn.trials} == {2, 3, 4}
    write_labels(path, [], {2: "random", 3: "random", 4: "random"})
    with RunFile(path) as read, pytest.raises(InputError, match="or are drawn already"):
        draw_trials(read, 4)


def test_a_trial_on_the_screen_tells_who_said_what(tmp_path: Path) -> None:
    path = run(tmp_path / "x.trial")
    write_labels(path, [(1, says("ann", "pass")), (1, says("ann", "fail", settles=True))], {})
    write_labels(path, [(1, says("bob", "scored", score=2.5))], {})
    write_mark(path, 1, Mark(annotator="bob", kind="rude", step=3, critique="“Tss.”"))
    with RunFile(path) as read:
        text = write_page(trials_page(read, "a", None, None), "md")
    for said in ("ann says pass", "ann settles it: fail", "bob says 2.5", "bob marks step 3 as rude: “Tss.”"):
        assert said in text
