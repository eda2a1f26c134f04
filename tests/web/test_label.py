"""Labelling by HTTP, as the page does it: what is shown when, what is written, and what it changes."""

import csv
import io
import json
import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from html import unescape
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

from tests.e2e.program import Program
from tests.run_files import case, ended, verdict, write_run
from tests.runfile.test_kept_files import written
from tests.runfile.writing import call
from trialkit.analysis.align import align_run
from trialkit.analysis.loaded import load_run
from trialkit.models import Reply
from trialkit.runfile import CallRecord, Event, Label, Mark, Phase, RunFile, RunWriter, run_lock, write_labels
from trialkit.vocabulary import Measure

from .conftest import Viewer
from .test_pages import HOSTILE

SECRET = "The judge has seen through it."


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Twelve trials, of which the judge passes every other."""
    rows = [
        (case(f"S{at}"), [ended(verdict("pass" if at % 2 else "fail", SECRET), output={"text": f"answer {at}"})])
        for at in range(12)
    ]
    return write_run(tmp_path / "a.trial", rows)


def page(viewer: Viewer, **query: str) -> str:
    status, text, _ = viewer.ask(f"/label?{urlencode({'run': 'a.trial', **query})}")
    assert status == 200, text
    return text


def post(viewer: Viewer, path: str = "/label", **values: str) -> tuple[int, str]:
    return viewer.write(path, json.dumps({"run": "a.trial", "by": "ann", **values}))


def draw(viewer: Viewer, sample: int = 10, where: str = "random") -> None:
    assert post(viewer, "/label/draw", sample=str(sample), where=where) == (200, str(sample))


def asked_about(text: str) -> str:
    return unescape(str(re.findall(r'data-case="([^"]*)"', text)[0]))


def left(text: str) -> str:
    return str(re.findall(r'id="left">([^<]*)<', text)[0])


def test_a_queue_is_labelled_one_after_the_other_and_kappa_and_csv_follow(viewer: Viewer, run: Path) -> None:
    draw(viewer)
    for number in range(10):
        text = page(viewer, by="ann")
        assert left(text) == f"{10 - number} of 10 left"
        one = asked_about(text)
        passed = int(one[1:]) % 2 == (number > 0)  # all but the first as the judge says
        assert (
            post(viewer, case=one, trial="1", outcome="pass" if passed else "fail", critique=f"No. {number}")[0] == 200
        )
    text = page(viewer, by="ann")
    assert "All 10 are labelled" in text
    assert "kappa" in viewer.ask("/label/figures?run=a.trial")[1]
    (judge,) = align_run(load_run(run)).judges
    assert judge.overall.confusion.n == 10
    assert len(judge.disagreements) == 1
    _, table, headers = viewer.ask("/label/results?run=a.trial")
    rows = list(csv.DictReader(io.StringIO(table)))
    assert headers["content-disposition"] == "attachment; filename*=UTF-8''a.csv"
    assert sum(row["label"] in {"pass", "fail"} for row in rows) == 10
    assert {row["label_critique"] for row in rows} == {"", *(f"No. {number}" for number in range(10))}
    with RunFile(run) as read:
        assert {one.drawn for one in read.results() if one.labels} == {"random"}


def test_the_verdict_is_hidden_until_it_is_labelled(viewer: Viewer, run: Path) -> None:
    draw(viewer)
    before = page(viewer, by="ann")
    one = asked_about(before)
    assert (SECRET in before, "/trial?" in before) == (False, False)
    post(viewer, case=one, trial="1", outcome="unsure")
    assert SECRET in page(viewer, by="ann", case=one, trial="1")
    assert SECRET not in page(viewer, by="bob", case=one, trial="1")
    assert run.exists()


def test_what_a_suite_tells_of_a_case_stands_once_and_in_short(viewer: Viewer, tmp_path: Path) -> None:
    data = {"code": "4711", "text": "a\nb", "id": "S1"}
    path = write_run(tmp_path / "a.trial", [(case("S1", **data), [ended(verdict("pass"), output={"text": "x"})])])
    with closing(sqlite3.connect(path)) as db:
        document = {"cases": [data], "prompt": "{{ text }}", "judges": {"j": {"contains": "x"}}}
        definition = {"yaml": "mine.yaml", "suite": "mine", "folder": str(tmp_path), "document": document}
        db.execute("UPDATE run SET suite = 'mine', definition = ?", (json.dumps(definition),))
        db.commit()
    text = page(viewer, by="ann", case="S1", trial="1")
    assert re.findall(r"<summary>(\w[^<]*)</summary>", text) == ["text"]
    assert re.findall(r"<th[^>]*>(\w[^<]*)</th>", text) == ["code", "Answer", "Model Response"]


def said(phase: Phase, words: str) -> CallRecord:
    reply = Reply(text=words)
    return replace(call(1, reply, phase), phase=phase, role="r")


async def test_what_a_judge_was_asked_and_said_is_hidden_as_well(viewer: Viewer, tmp_path: Path) -> None:
    answered = replace(ended(verdict("fail", "so"), output={"text": "x"}), events=())
    path = write_run(tmp_path / "a.trial", [(case("S1"), [None])])
    writer = RunWriter(path)
    await writer.start()
    for made in (said("attempt", "An answer."), said("judge", SECRET)):
        reply = {"role": "r", "request_key": made.phase, "nth": 0}
        writer.events(1, [Event(kind="message", data={"role": "user", "text": f"Asked for {made.phase}."})])
        writer.events(1, [Event(kind="reply", data=reply)])
        await writer.call(made)
    await writer.trial(1, answered, 1.0)
    await writer.finish("done", "", 1.0)
    blind = page(viewer, by="ann", case="S1", trial="1")
    assert ("An answer." in blind, "Asked for judge." in blind, SECRET in blind) == (True, False, False)
    post(viewer, case="S1", trial="1", outcome="pass")
    seen = page(viewer, by="ann", case="S1", trial="1")
    assert ("Asked for judge." in seen, SECRET in seen) == (True, True)


def test_strata_are_drawn_as_the_command_draws_them(viewer: Viewer, run: Path) -> None:
    assert post(viewer, "/label/draw", sample="3", where="per-stratum") == (200, "6")
    with RunFile(run) as read:
        drawn = {(one.drawn, one.outcome) for one in read.results() if one.drawn}
        assert drawn == {("passed", "pass"), ("failed", "fail")}
    assert left(page(viewer, by="ann")) == "6 of 6 left"
    draw(viewer, 6)
    assert left(page(viewer, by="ann")) == "12 of 12 left"
    status, told = post(viewer, "/label/draw", sample="1", where="random")
    assert (status, "nothing to draw" in told) == (400, True)


def test_the_order_of_the_queue_tells_nothing_and_is_the_same_for_all(viewer: Viewer, run: Path) -> None:
    post(viewer, "/label/draw", sample="6", where="per-stratum")
    seen: list[str] = []
    for _ in range(12):
        one = asked_about(page(viewer, by="ann"))
        assert seen or one == asked_about(page(viewer, by="bob"))
        seen.append(one)
        post(viewer, case=one, trial="1", outcome="pass")
    assert seen != sorted(seen)
    assert len({int(one[1:]) % 2 for one in seen[:6]}) == 2
    assert run.exists()


def test_what_annotators_disagree_on_is_settled(viewer: Viewer, run: Path) -> None:
    labels = [
        Label(annotator="ann", outcome="pass", critique="says ann"),
        Label(annotator="bob", outcome="fail", critique="says bob"),
    ]
    write_labels(run, [(1, label) for label in labels], {1: "random"})
    assert "1 disagreement between annotators" in page(viewer, by="ann")
    text = page(viewer, by="ann", queue="settle")
    assert (asked_about(text), "says bob" in text, SECRET in text) == ("S0", True, False)
    assert post(viewer, case="S0", trial="1", outcome="unsure", settles="yes")[0] == 400
    assert post(viewer, case="S0", trial="1", outcome="fail", settles="yes", critique="It is.")[0] == 200
    assert SECRET in page(viewer, by="ann", queue="settle", case="S0", trial="1")
    assert "Nothing is left to settle" in page(viewer, by="ann", queue="settle")
    found = align_run(load_run(run))
    assert (found.tied, found.judges[0].overall.confusion.both_fail) == ((), 1)
    with RunFile(run) as read:
        assert [(one.annotator, one.outcome, one.settles) for one in read.trial(1).labels] == [
            ("ann", "pass", False), ("ann", "fail", True), ("bob", "fail", False)
        ]  # fmt: skip


def test_a_trial_that_somebody_picked_is_in_no_rate(viewer: Viewer, run: Path) -> None:
    post(viewer, case="S3", trial="1", outcome="fail")
    found = align_run(load_run(run))
    assert (found.labelled, found.not_random, found.judges[0].overall.confusion.n) == (1, 1, 0)
    text = page(viewer, by="bob")
    assert ("Nothing is drawn yet" in text, 'id="left"' in text) == (True, False)


def test_scores_are_labelled_by_scores(viewer: Viewer, tmp_path: Path) -> None:
    rows = [(case("S1"), [ended(verdict("scored", score=4.0), output={"text": "x"})])]
    path = write_run(tmp_path / "a.trial", rows, measures=(Measure(name="quality", low=1, high=5),))
    assert post(viewer, case="S1", trial="1", outcome="6") == (400, "'6' is none of quality (1 to 5).")
    assert post(viewer, case="S1", trial="1", outcome="pass")[0] == 400
    assert post(viewer, case="S1", trial="1", outcome="3.5", critique="Fair.")[0] == 200
    assert 'value="3.5"' in page(viewer, by="ann", case="S1", trial="1")
    with RunFile(path) as read:
        assert read.trial(1).labels == (Label(annotator="ann", outcome="scored", score=3.5, critique="Fair."),)


def test_steps_and_trials_are_marked_in_words_of_their_own(viewer: Viewer, run: Path) -> None:
    at = {"case": "S1", "trial": "1"}
    assert post(viewer, "/label/mark", **at, step="1", kind="hallucinated", critique="Says who?", on="yes")[0] == 200
    assert post(viewer, "/label/mark", **at, kind="rude", on="yes")[0] == 200
    text = page(viewer, by="ann", **at)
    assert ("hallucinated" in text, "Says who?" in text) == (True, True)
    assert "Says who?" not in page(viewer, by="bob", **at)  # who has not labelled it yet
    assert post(viewer, "/label/mark", **at, kind="rude", on="")[0] == 200
    with RunFile(run) as read:
        trial = next(one for one in read.trials() if one.case_id == "S1")
        assert trial.marks == (Mark(annotator="ann", kind="hallucinated", critique="Says who?", step=1),)
    rows = list(csv.DictReader(io.StringIO(viewer.ask("/label/results?run=a.trial")[1])))
    assert [row["marks"] for row in rows if row["case"] == "S1"] == ["hallucinated"]


@pytest.mark.parametrize(
    ("path", "values", "told"),
    [
        ("/label", {"case": "S1", "trial": "1", "outcome": "maybe"}, "pass, fail or unsure"),
        ("/label", {"case": "S1", "trial": "9", "outcome": "pass"}, "no trial 9"),
        ("/label", {"case": "nobody", "trial": "1", "outcome": "pass"}, "case nobody"),
        ("/label", {"case": "S1", "trial": "1", "outcome": "pass", "by": "  "}, "needs a name"),
        ("/label", {"case": "S1", "trial": "1", "outcome": "pass", "by": "x" * 101}, "100 letters"),
        ("/label", {"run": "../a.trial", "outcome": "pass"}, "no run of this folder"),
        ("/label/draw", {"sample": "0", "where": "random"}, "no number"),
        ("/label/draw", {"sample": "²", "where": "random"}, "no number"),
        ("/label/draw", {"sample": "1", "where": "everywhere"}, "no way to draw"),
        ("/label/mark", {"case": "S1", "trial": "1", "kind": " "}, "needs a word"),
        ("/label/mark", {"case": "S1", "trial": "1", "kind": "x", "step": "-1"}, "no step"),
        ("/label/mark", {"case": "S1", "trial": "1", "kind": "x", "step": "99"}, "has no step 99"),
        ("/label/mark", {"case": "S1", "trial": "1", "kind": "\x1b[31mx"}, "needs a word"),
        ("/label", {"case": "S1", "trial": "1", "outcome": "pass", "by": "\x1b[31mann"}, "needs a name"),
    ],
)
def test_what_cannot_be_said_is_told(viewer: Viewer, run: Path, path: str, values: dict[str, str], told: str) -> None:
    status, text = post(viewer, path, **values)
    assert (status, told in text) == (400, True), text
    with RunFile(run) as read:
        assert not any(one.labels or one.marks or one.remarks for one in read.trials())


def test_strangers_words_stay_words(viewer: Viewer, tmp_path: Path) -> None:
    row = (case(HOSTILE, HOSTILE), [ended(verdict("fail", HOSTILE), output={"text": HOSTILE})])
    write_run(tmp_path / "a.trial", [row], subject=HOSTILE)
    at = {"case": HOSTILE, "trial": "1"}
    for who in (HOSTILE[:100], "ann"):
        said = {"by": who, **at, "critique": HOSTILE}
        assert post(viewer, **said, outcome="pass" if who == "ann" else "fail")[0] == 200
        assert post(viewer, "/label/mark", **said, kind=HOSTILE[:100], on="yes")[0] == 200
    for text in (
        page(viewer, by="ann", **at),
        page(viewer, by="ann", queue="settle"),
        page(viewer, by=HOSTILE[:100]),
        page(viewer, who=HOSTILE),
        viewer.ask("/label/figures?run=a.trial")[1],
    ):
        assert "<img" not in text
        assert set(re.findall(r"<script[^>]*>", text)) <= {
            f'<script src="/static/{name}.js" defer>' for name in ("app", "live", "label")
        }


def test_the_csv_of_a_suite_that_has_human_columns_carries_them(viewer: Viewer, tmp_path: Path) -> None:
    assert Program(tmp_path)("run", "commodity", "--model", "baseline", "--ids", "S01,S02").status == 0
    (path,) = tmp_path.rglob("*.trial")
    name = viewer.shelf.name(path)
    for outcome, one in {"fail": "S01", "unsure": "S02"}.items():
        assert post(viewer, run=name, case=one, trial="1", outcome=outcome, critique=f"It is {outcome}.")[0] == 200
    rows = list(csv.DictReader(io.StringIO(viewer.ask(f"/label/results?run={quote(name)}")[1])))
    assert [(row["Human Outcome"], row["Human Critique"]) for row in rows] == [
        ("fail", "It is fail."),
        ("unsure", "It is unsure."),
    ]


def test_the_name_is_remembered(viewer: Viewer, run: Path) -> None:
    assert "Who labels?" in page(viewer)
    cookie = viewer.ask(f"/label?run=a.trial&by={quote('Jürgen ✓')}")[2]["set-cookie"].split(";")[0]
    _, text, _ = viewer.ask("/label?run=a.trial", cookie=cookie)
    assert "you are Jürgen ✓" in text
    assert "Who labels?" in viewer.ask("/label?run=a.trial&who=else", cookie=cookie)[1]
    assert run.exists()


def test_two_people_and_a_run_in_progress_lose_nothing(viewer: Viewer, run: Path) -> None:
    draw(viewer, 12)

    def annotate(who: str) -> list[str]:
        seen: list[str] = []
        while "data-case" in (text := page(viewer, by=who)):
            seen.append(asked_about(text))
            assert post(viewer, by=who, case=seen[-1], trial="1", outcome="pass", critique=who)[0] == 200
        return seen

    with run_lock(run), ThreadPoolExecutor(2) as pool:
        ann, bob = pool.map(annotate, ("ann", "bob"))
    assert (len(ann), ann) == (12, bob)
    with RunFile(run) as read:
        assert [[label.annotator for label in one.labels] for one in read.trials()] == [["ann", "bob"]] * 12


def test_an_older_file_that_a_run_writes_is_left_alone(viewer: Viewer, tmp_path: Path) -> None:
    path = written("v7", tmp_path)
    with run_lock(path):
        status, told = post(viewer, run="v7.trial", case="S01", trial="1", outcome="pass")
    assert (status, "going on in another process" in told) == (400, True)
    assert post(viewer, run="v7.trial", case="S01", trial="1", outcome="pass")[0] == 200


def test_who_says_a_name_first_comes_to_the_trial_that_was_asked_for(viewer: Viewer, run: Path) -> None:
    asked = page(viewer, case="S7", trial="1", queue="settle")
    kept = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', asked))
    assert kept == {"run": run.name, "case": "S7", "trial": "1", "queue": "settle"}
    assert asked_about(page(viewer, by="ann", **{key: kept[key] for key in ("case", "trial")})) == "S7"
