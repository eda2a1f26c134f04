"""Judges held against labels, through run files."""

import json
from pathlib import Path
from typing import Literal

import pytest

from tests.run_files import case, ended, verdict, write_run
from trialkit.analysis.align import align_run
from trialkit.analysis.align_pages import alignment_json, alignment_page
from trialkit.analysis.loaded import load_run
from trialkit.pages import WRITERS, write_page
from trialkit.runfile import Header, Label, PlannedTrial, RunFile, TrialRecord, create_run, write_labels
from trialkit.vocabulary import Measure, Outcome

WORDS: dict[str, Outcome] = {"p": "pass", "f": "fail", "e": "error", "s": "scored"}


def label(letter: str, annotator: str = "human") -> Label:
    outcome: Literal["pass", "fail"] = "pass" if letter == "p" else "fail"
    return Label(annotator=annotator, outcome=outcome, critique=f"{annotator} says {outcome}")


def record(letters: str) -> TrialRecord:
    """A letter for each judge; the first decides."""
    verdicts = [verdict(WORDS[letter], f"judge {n}", f"judge{n}") for n, letter in enumerate(letters)]
    return ended(*verdicts, output={"a": 1})


def labelled(path: Path, rows: list[tuple[str, str]], group: str = "strict") -> Path:
    """Each row a case of one trial: the judges' letters, and the label's (or nothing)."""
    header = Header(suite="s", subject="m", settings={}, versions={}, prompts=(), models=())
    every = [case(f"C{n:02}", group if n % 2 else "criteria") for n in range(len(rows))]
    trials = [
        PlannedTrial(case_id=f"C{n:02}", number=1, ended=record(said), label=label(human) if human else None)
        for n, (said, human) in enumerate(rows)
    ]
    create_run(path, header, every, trials)
    return path


def told(path: Path) -> str:
    found = align_run(load_run(path))
    page = alignment_page(found)
    text = "\n".join([*(write_page(page, form) for form in WRITERS), alignment_json(found)])
    assert "NaN" not in text
    return " ".join(text.split())


def test_a_judge_against_labels(tmp_path: Path) -> None:
    rows = [("p", "p")] * 14 + [("f", "f")] * 9 + [("p", "f")] * 3 + [("f", "p")] * 2 + [("p", "")] * 12
    found = align_run(load_run(labelled(tmp_path / "a.trial", rows)))
    (judge,) = found.judges
    counts = judge.overall.confusion
    assert (counts.both_pass, counts.both_fail, counts.people_fail_judge_pass, counts.people_pass_judge_fail) == (
        14,
        9,
        3,
        2,
    )
    both, people = 29 / 40 * 14 / 17, 11 / 40 * 2 / 11  # pass it: people and judge, people alone
    assert judge.overall.tpr.value == pytest.approx(both / (both + people))
    assert judge.overall.tnr.value == pytest.approx(9 / 40 / (9 / 40 + 29 / 40 * 3 / 17))
    assert judge.pass_rate.value == pytest.approx(29 / 40)
    assert judge.overall.corrected_pass_rate.value == pytest.approx(both + people)
    assert set(judge.groups) == {"strict", "criteria"}
    assert len(judge.disagreements) == 5
    assert judge.disagreements[0].critique_people == "human says fail"
    assert judge.disagreements[0].critique_judge == "judge 0"


def test_judges_are_ranked(tmp_path: Path) -> None:
    rows = [("pp", "p")] * 5 + [("pf", "f")] * 5 + [("fe", "f")]
    found = align_run(load_run(labelled(tmp_path / "a.trial", rows)))
    assert [one.judge for one in found.judges] == ["judge1", "judge0"]
    assert [one.decides for one in found.judges] == [False, True]
    assert found.judges[0].without_verdict == 1
    assert "Judges, the best first" in write_page(alignment_page(found), "console")


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "There are no labels yet"),
        ([("p", "")] * 3, "Label trials in the browser, `trialkit view "),
        ([("p", "")] * 3, "There are no labels yet"),
        ([("p", "p")], "Too few labels for the TNR"),
        ([("p", "p")] * 12, "Too few labels for the TNR: people fail 0 of the labelled trials."),
        ([("e", "p")] * 4, "It has no verdict on a labelled trial"),
        ([("", "p")] * 4, "No judge has given a verdict"),
        ([("f", "f")] * 5, "It agrees with people on 5 of 5 labelled trials"),
    ],
)
def test_degenerate_labels_get_a_clear_answer(tmp_path: Path, rows: list[tuple[str, str]], words: str) -> None:
    assert words in told(labelled(tmp_path / "a.trial", rows))


def test_it_says_how_many_more_labels_of_which_kind(tmp_path: Path) -> None:
    rows = [("p", "p")] * 8 + [("f", "f")] * 4 + [("p", "f")] * 2 + [("f", "p")] + [("p", "")] * 200 + [("f", "")] * 90
    text = told(labelled(tmp_path / "a.trial", rows))
    assert "To know the corrected rate to ±10 points, label about" in text
    assert "more trials that the judge passed" in text
    assert "--where passed --sample" in text
    assert "more that they" not in text  # to pick trials by what people say of them would bend the rates


def test_annotators_who_disagree(tmp_path: Path) -> None:
    """By CSV, where each has a row; an even split counts half and half."""
    table = tmp_path / "results.csv"
    lines = ["Scenario ID,Trial,Eval Type,Judge,Model Outcome,Model Critique,Human Outcome,Human Critique,Annotator"]
    votes = {"S1": "pp", "S2": "pf", "S3": "ff", "S4": "fff", "S5": "p"}
    words, names = {"p": "pass", "f": "fail"}, ("ann", "bob", "cy")
    lines += [
        f"{name},1,strict,rules,pass,fine,{words[letter]},why {who},{names[who]}"
        for name, letters in votes.items()
        for who, letter in enumerate(letters)
    ]
    table.write_text("\n".join(lines) + "\n")
    found = align_run(load_run(table))
    assert found.tied == ("S2 trial 1",)
    assert found.labelled == 5
    assert found.krippendorff_alpha.n == 4
    assert found.annotators == {"ann": 5, "bob": 4, "cy": 1}
    counts = found.judges[0].overall.confusion
    assert (counts.both_pass, counts.people_fail_judge_pass) == (2.5, 2.5)
    assert len(found.judges[0].disagreements) == 2
    assert json.loads(alignment_json(found))["krippendorff_alpha"]["value"] == pytest.approx(
        found.krippendorff_alpha.value
    )
    assert "Krippendorff's alpha" in told(table)


def test_a_csv_without_trials_or_verdicts_is_read_too(tmp_path: Path) -> None:
    table = tmp_path / "seed.csv"
    table.write_text("Scenario ID,Model Outcome,Human Outcome\nS1,pass,fail\nS2,fail,fail\nS3,,\n")
    found = align_run(load_run(table))
    assert found.judges[0].overall.confusion.people_fail_judge_pass == 1
    assert found.judges[0].judge == "csv"


def test_it_says_what_it_assumes_of_labels_that_nobody_says_how_they_were_drawn(tmp_path: Path) -> None:
    rows = [("p", "p")] * 3 + [("f", "f")] * 2 + [("p", "")] * 4
    path = labelled(tmp_path / "a.trial", rows)
    assert "How 5 labelled trials were drawn nobody noted." in told(path)
    with RunFile(path) as run:
        ids = [trial.id for trial in run.trials() if trial.labels]
    write_labels(path, [], dict.fromkeys(ids, "random"))
    assert "nobody noted" not in told(path)
    assert "nobody noted" not in told(labelled(tmp_path / "b.trial", rows[:5]))  # all there are: nothing was drawn


def test_labels_on_fails_alone_tell_no_rate(tmp_path: Path) -> None:
    """Two judges: the first decides, and by its verdict the labels were drawn."""
    rows = [("ff", "f")] * 12 + [("fp", "p")] * 3 + [("pp", "")] * 30 + [("pf", "")] * 2
    path = labelled(tmp_path / "a.trial", rows)
    first, second = sorted(align_run(load_run(path)).judges, key=lambda one: one.judge)
    assert [(one.verdict, one.decided, one.trials) for one in first.unlabelled] == [("pass", None, 30 + 2)]
    assert {(one.verdict, one.decided, one.trials) for one in second.unlabelled} == {
        ("pass", "pass", 30),
        ("fail", "pass", 2),
    }
    assert [one.overall.tpr.value for one in (first, second)] == [None, None]
    text = told(path)
    assert "No label on any of the 32 trials that it passed: what people make of them is unknown" in text
    assert "No label on any of the 2 trials that it failed and the judge that decides passed:" in text
    open_to = first.overall.tpr
    assert open_to.low is not None
    assert open_to.high is not None
    assert f"in [{100 * open_to.low:.0f}%, {100 * open_to.high:.0f}%]" in text
    assert "label about 10 more trials that the judge passed" in text


def test_what_is_drawn_by_verdict_bends_no_rate_before_somebody_labels_it(tmp_path: Path) -> None:
    """The random draw that came after it had hardly a fail to draw from: of another judge's passes it tells less."""
    path = labelled(tmp_path / "a.trial", [("pp", "p")] * 5 + [("pp", "")] * 5 + [("fp", "f")] * 2 + [("fp", "")] * 8)
    with RunFile(path) as run:
        ids = [trial.id for trial in run.trials()]
    drawn = dict.fromkeys((*ids[:5], *ids[10:12]), "random")
    write_labels(path, [], drawn | dict.fromkeys(ids[12:], "failed"))
    other = next(one for one in align_run(load_run(path)).judges if one.judge == "judge1")
    assert other.overall.corrected_pass_rate.value == pytest.approx(0.5)  # and not 5 of 7


def test_a_judge_that_changed_its_mind_is_weighed_by_both_verdicts(tmp_path: Path) -> None:
    """By its first verdict, which decides, the labels were drawn; the newest is held against them."""
    said = [("p", "p")] * 20 + [("p", "f")] * 4 + [("f", "f")] * 10
    verdicts = {"p": verdict("pass"), "f": verdict("fail")}
    trials = [[ended(*(verdicts[letter] for letter in one), output={"n": n})] for n, one in enumerate(said)]
    path = write_run(tmp_path / "a.trial", [(case(f"S{n:02}"), trials[n]) for n in range(len(said))])
    ids = [*range(1, 11), *range(25, 35)]  # ten that it passed, all that it failed
    write_labels(path, [(one, label("p" if one < 25 else "f")) for one in ids], dict.fromkeys(ids, "passed"))
    (judge,) = align_run(load_run(path)).judges
    assert [(one.verdict, one.decided, one.trials) for one in judge.unlabelled] == [("fail", "pass", 4)]
    assert judge.overall.tpr.value is None
    write_labels(path, [(21, label("p"))], {21: "passed"})
    (judge,) = align_run(load_run(path)).judges
    assert judge.overall.tpr.value == pytest.approx(20 / 24)


@pytest.mark.parametrize("columns", ["80", "120"])
def test_it_fits_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    rows = [("pp", "p")] * 14 + [("fp", "f")] * 9 + [("pf", "f")] * 3 + [("ff", "p")] * 2
    shown = write_page(alignment_page(align_run(load_run(labelled(tmp_path / "a.trial", rows)))), "console")
    assert max(map(len, shown.splitlines())) <= int(columns)


def test_without_labels_it_says_what_to_do(tmp_path: Path) -> None:
    table = tmp_path / "seed.csv"
    table.write_text("Scenario ID,Model Outcome\nS1,pass\n")
    assert "Fill in the column Human Outcome" in told(table)
    assert "trialkit label" in told(labelled(tmp_path / "a.trial", [("p", "")]))
    header = Header(suite="s", subject="m", settings={}, versions={}, prompts=(), models=())
    create_run(tmp_path / "b.trial", header, [case("C1")], [PlannedTrial(case_id="C1", number=1)])
    assert "no trial has ended" in told(tmp_path / "b.trial")


def test_scores_are_left_out_with_a_word(tmp_path: Path) -> None:
    path = labelled(tmp_path / "a.trial", [("ps", "p")] * 12 + [("fs", "f")] * 11 + [("pe", "p")])
    rules, scorer = align_run(load_run(path)).judges
    assert (rules.scored, rules.without_verdict, rules.overall.confusion.n) == (0, 0, 24)
    assert (scorer.scored, scorer.without_verdict, scorer.overall.confusion.n) == (23, 1, 0)
    assert "It gave 23 labelled trials a score alone, and labels say pass or fail: they are left out." in told(path)


def test_scores_are_held_against_scores(tmp_path: Path) -> None:
    """The judge is a point too kind, but for the ends of the range; a hunted trial is in no figure."""
    stars = Measure(name="stars", low=1, high=5)
    people = [1 + n % 5 for n in range(30)]
    kind = [min(5, score + 1) for score in people]
    trials = [[ended(verdict("scored", score=float(score)), output={"n": n})] for n, score in enumerate(kind)]
    cases = [(case(f"S{n:02}"), trials[n]) for n in range(30)]
    path = write_run(tmp_path / "a.trial", cases, measures=(stars,))
    assert "There are no labels yet" in told(path)
    assert "fill in Human Score" in told(path)
    given = [Label(annotator="ann", outcome="scored", critique="So so.", score=score) for score in people]
    other = Label(annotator="bob", outcome="scored", critique="", score=people[0] + 2)
    write_labels(
        path, [*enumerate(given[:26], start=1), (1, other)], dict.fromkeys(range(1, 26), "random") | {26: "hunt"}
    )
    (judge,) = align_run(load_run(path)).scores
    said = [people[0] + 1, *people[1:25]]
    off = [mine - theirs for mine, theirs in zip(kind[:25], said, strict=True)]
    assert (judge.labels, judge.without_verdict, judge.decides) == (25, 0, True)
    assert judge.difference.value == pytest.approx(sum(off) / 25)
    assert judge.corrected_mean.value == pytest.approx(sum(kind) / 30 - sum(off) / 25)
    assert [one.random for one in judge.disagreements].count(False) == 1
    shown = told(path)
    assert "Labelled, but not drawn at random: 1 trial; among" in shown
    assert "ann 26, bob 1" in shown
    assert json.loads(alignment_json(align_run(load_run(path))))["judges"][0]["labels"] == 25
