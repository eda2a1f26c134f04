"""The pages of a run, a trial, a comparison: what stands in them, and that strangers' words stay words."""

import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from html import unescape
from pathlib import Path
from urllib.parse import quote

from tests.run_files import case, conversation, ended, verdict, write_run
from trialkit.runfile import Label, TrialRecord, write_labels
from trialkit.vocabulary import Finding, Outcome

from .conftest import Viewer

HOSTILE = '"><img src=x onerror=alert(1)><script>alert(1)</script>'


def shown(viewer: Viewer, path: str) -> str:
    status, text, _ = viewer.ask(path)
    assert status == 200, text
    assert "<img" not in text
    assert re.findall(r"<script[^>]*>", text) == [f'<script src="/static/{name}.js" defer>' for name in ("app", "live")]
    return text


def write(path: Path, passed: bool) -> Path:
    finding = Finding(check=HOSTILE, met=passed, evidence=HOSTILE)
    calls = [{"id": "1", "function": {"name": HOSTILE, "arguments": '{"a": 1}'}}]
    output = {
        "messages": [
            {"role": "user", "content": HOSTILE},
            {"role": "assistant", "content": None, "tool_calls": calls},
            {"role": "tool", "name": HOSTILE, "content": HOSTILE},
        ]
    }
    one = ended(verdict("pass" if passed else "fail", HOSTILE, findings=(finding,)), output=output)
    one = replace(one, events=())  # as an import leaves it
    other = ended(verdict("fail", "Not at all."))
    return write_run(path, [(case(HOSTILE, HOSTILE), [one]), (case("b"), [other])], subject=HOSTILE)


def test_all_pages_show_hostile_words_as_words(viewer: Viewer, tmp_path: Path) -> None:
    write(tmp_path / "a.trial", passed=True)
    write(tmp_path / "b.trial", passed=False)
    shown(viewer, "/")
    run = shown(viewer, "/run?run=a.trial")
    trial = shown(viewer, f"/trial?run=a.trial&case={quote(HOSTILE)}&trial=1")
    compared = shown(viewer, "/compare?run=a.trial&run=b.trial")
    shown(viewer, "/align?run=a.trial")
    assert "50.0%" in run
    assert "&lt;script&gt;alert(1)" in trial
    assert "&lt;img" in trial
    assert "passed only in A" in compared or "-50.0" in compared


def test_cases_are_filtered_by_the_address(viewer: Viewer, tmp_path: Path) -> None:
    write(tmp_path / "a.trial", passed=True)
    failed = shown(viewer, "/run?run=a.trial&show=fail")
    assert len(re.findall(r'class="main"', failed)) == 1
    assert re.findall(r'class="main"[^>]*>b<', failed)
    assert len(re.findall(r'class="main"', shown(viewer, "/run?run=a.trial&words=title%20of"))) == 2


def test_what_is_not_there_is_told(viewer: Viewer, tmp_path: Path) -> None:
    write(tmp_path / "a.trial", passed=True)
    for path, told in {
        "/run?run=none.trial": "no such run file",
        "/run": "no run of this folder",
        "/run?run=a%00b.trial": "no run of this folder",
        "/trial?run=a.trial&case=nobody&trial=1": "has no trial 1 of a case nobody",
        "/trial?run=a.trial&case=b&trial=x": "has no trial x",
        "/compare?run=a.trial": "two runs or more",
        "/pair?a=a.trial&b=a.trial&case=nobody": "no trial of a case nobody in common",
        "/prompts?suite=one&role=chef": "has a prompt of the role chef",
        "/call?run=a.trial&case=b&trial=1&key=0&nth=0": "no call 0 0",
        "/nowhere": "There is no such page.",
    }.items():
        status, text, _ = viewer.ask(path)
        assert (status, told in text) == (404, True), path


def test_a_case_that_changed_leads_to_both_transcripts_and_these_to_the_next(viewer: Viewer, tmp_path: Path) -> None:
    def talk(words: str, outcome: Outcome) -> TrialRecord:
        said = [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": words}]
        return replace(ended(verdict(outcome), output={"messages": said}), events=())

    for name, words, outcome in (("a", "Yes.", "pass"), ("b", "No.", "fail")):
        pairs = [(case(one), [talk(words, "pass" if outcome == "pass" else "fail")]) for one in ("S1", "S2")]
        write_run(tmp_path / f"{name}.trial", pairs)
    compared = shown(viewer, "/compare?run=a.trial&run=b.trial")
    links = [unescape(found) for found in re.findall(r'class="main" href="([^"]*)"', compared)]
    assert links == [f"/pair?a=a.trial&b=b.trial&case={one}" for one in ("S1", "S2")]
    pair = shown(viewer, links[0])
    assert "1 step the same in both" in pair
    before, after = pair.split("Here they part")
    assert ("Hello." in before, "Hello." in after, "Yes." in after, "No." in after) == (True, False, True, True)
    assert unescape(re.findall(r'href="([^"]*)" data-key="n"', pair)[0]) == links[1]


def test_a_prompt_tells_what_changed_and_how_each_run_fared(viewer: Viewer, tmp_path: Path) -> None:
    for name, text in (("a", "Be good.\nBe short."), ("b", "Be good.\nBe <b>kind</b>.")):
        path = write_run(tmp_path / f"{name}.trial", [(case("S1"), [ended(verdict("pass"))])], subject=name)
        with closing(sqlite3.connect(path)) as run:
            run.execute("UPDATE prompts SET text = ?, hash = ?, version = ?", (text, name * 64, f"v-{name}"))
            run.commit()
    assert "/prompts?suite=unknown-suite&amp;role=agent" in shown(viewer, "/prompts")
    page = shown(viewer, "/prompts?suite=unknown-suite&role=agent")
    lines = re.findall(r'<span class="(new|gone)">([^<]*)</span>', page)
    assert lines == [("gone", "-Be short."), ("new", "+Be &lt;b&gt;kind&lt;/b&gt;.")]
    assert len(re.findall("100.0%", page)) >= 2


def test_words_that_are_searched_for_are_marked_and_what_has_them_is_unfolded(viewer: Viewer, tmp_path: Path) -> None:
    one = replace(ended(verdict("fail"), output={"messages": said("<b>Gift</b>", "gift")}), events=())
    write_run(tmp_path / "a.trial", [(case("S1"), [one])])
    listed = shown(viewer, "/run?run=a.trial&said=%3Cb%3EGIFT")
    link = unescape(re.findall(r'class="main" href="([^"]*)"', listed)[0])
    for text in (listed, shown(viewer, link.partition("#")[0])):
        assert "<mark>&lt;b&gt;Gift</mark>&lt;/b&gt;" in text
    trial = shown(viewer, "/trial?run=a.trial&case=S1&said=gift")
    assert trial.count("<mark>") == 3  # in what the user says, in the arguments and in what came back
    assert re.findall(r'<details class="use"([^>]*)>', trial) == [" open", ""]
    assert "<mark>" not in shown(viewer, "/trial?run=a.trial&case=S1")


def said(user: str, tool: str) -> list[dict[str, object]]:
    arguments = {"pay": f'{{"by": "{tool}"}}', "leave": "{}"}
    calls = [{"function": {"name": name, "arguments": written}} for name, written in arguments.items()]
    return [
        {"role": "user", "content": user},
        {"role": "assistant", "content": None, "tool_calls": calls},
        {"role": "tool", "name": "pay", "content": f"no {tool}"},
    ]


def test_what_the_suite_counts_is_drawn_of_an_import_too(viewer: Viewer, tmp_path: Path) -> None:
    trials = [(case(f"c{number}"), [conversation("pass", steps=5 + number % 3)]) for number in range(12)]
    write_run(tmp_path / "a.trial", trials, suite="tau-bench/retail")
    assert "Steps of a trial" in shown(viewer, "/further?run=a.trial")


def test_a_long_list_has_its_pages_at_both_ends(viewer: Viewer, tmp_path: Path) -> None:
    write_run(tmp_path / "a.trial", [(case(f"c{number}"), [ended(verdict("pass"))]) for number in range(101)])
    assert shown(viewer, "/run?run=a.trial").count("page 1 of 2") == 2
    assert len(re.findall(r'class="main"', shown(viewer, "/run?run=a.trial&page=2"))) == 1


def test_a_run_without_labels_leads_to_labelling(viewer: Viewer, tmp_path: Path) -> None:
    path = write_run(tmp_path / "a.trial", [(case("S1"), [ended(verdict("pass"), output={"text": "x"})])])
    assert '<a class="button" href="/label?run=a.trial"' in shown(viewer, "/align?run=a.trial")
    write_labels(path, [(1, Label(annotator="ann", outcome="fail", critique=""))], {1: "random"})
    text = shown(viewer, "/align?run=a.trial")
    assert ("label=against" in text, 'href="/trial?run=a.trial&amp;case=S1&amp;trial=1"' in text) == (True, True)


def test_without_a_transcript_what_is_known_of_a_trial_stands_open(viewer: Viewer, tmp_path: Path) -> None:
    bare = replace(ended(verdict("pass"), output={"text": "forty-two"}), events=())
    write_run(tmp_path / "a.trial", [(case("S1"), [bare, ended(verdict("pass"), output={"text": "forty-two"})])])
    for number, opened in ((1, True), (2, False)):
        _, text, _ = viewer.ask(f"/trial?run=a.trial&case=S1&trial={number}")
        assert ('<details class="exhibit" open><summary>Answer' in text) == opened
        assert ("What happened" in text) == (not opened)


def test_an_error_that_left_nothing_to_judge_is_told_once(viewer: Viewer, tmp_path: Path) -> None:
    judges = [verdict("error", "no answer to judge: it is down", name) for name in ("one", "other")]
    write_run(tmp_path / "a.trial", [(case("S1"), [ended(*judges, error="it is down")])])
    assert shown(viewer, "/trial?run=a.trial&case=S1").count("it is down") == 1


def test_a_list_of_trials_has_no_column_of_what_nobody_knows(viewer: Viewer, tmp_path: Path) -> None:
    write_run(tmp_path / "ours.trial", [(case("S1"), [ended(verdict("pass"))])])
    write_run(tmp_path / "theirs.trial", [(case("S1"), [ended(verdict("pass"), elapsed_s=0)])])
    for name, timed in (("ours", True), ("theirs", False)):
        _, text, _ = viewer.ask(f"/run?run={name}.trial")
        assert (">Time</th>" in text, ">Cost</th>" in text) == (timed, False)
        head, _, rows = text.partition('<table class="list"')[2].partition("</thead>")
        assert rows.partition("</tr>")[0].count("<td") == head.count("</th>")
