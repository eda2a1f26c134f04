"""The list of runs."""

import re
from html import unescape
from pathlib import Path

import pytest

from tests.run_files import case, ended, verdict, write_run
from tests.runfile.writing import planned
from trialkit.analysis.summary import outline
from trialkit.errors import InputError
from trialkit.runfile import Label, RunFile, write_labels

from .conftest import Viewer
from .going_on import going_on

HOSTILE = "<script>alert(1)</script>"


def run(path: Path, subject: str, passed: int, suite: str = "one") -> Path:
    outcomes = [ended(verdict("pass" if number < passed else "fail")) for number in range(4)]
    return write_run(path, [(case("a"), outcomes)], subject=subject, suite=suite)


def subjects(viewer: Viewer, query: str = "") -> list[str]:
    status, text, _ = viewer.ask(f"/{query}")
    assert status == 200
    return [unescape(found) for found in re.findall(r'class="main"[^>]*>([^<]*)<', text)]


def test_runs_are_filtered_and_sorted_by_the_address(viewer: Viewer, tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    run(tmp_path / "a.trial", "alpha", 1, suite="one")
    run(tmp_path / "b.trial", "beta", 4, suite="one")
    run(tmp_path / "below" / "c.trial", "gamma", 2, suite="two")
    assert subjects(viewer, "?sort=-result") == ["beta", "gamma", "alpha"]
    assert subjects(viewer, "?sort=result") == ["alpha", "gamma", "beta"]
    assert subjects(viewer, "?suite=one&sort=subject") == ["alpha", "beta"]
    assert subjects(viewer, "?words=GAMM") == ["gamma"]
    assert subjects(viewer, "?state=running") == []


def test_a_run_that_was_changed_is_read_again_and_no_other(viewer: Viewer, tmp_path: Path) -> None:
    run(tmp_path / "a.trial", "alpha", 1)
    run(tmp_path / "b.trial", "beta", 1)
    first, _ = viewer.shelf.runs()
    (tmp_path / "a.trial").unlink()
    run(tmp_path / "a.trial", "another", 3)
    second, _ = viewer.shelf.runs()
    assert {one.info.subject for one in second} == {"another", "beta"}
    assert len({id(one) for one in [*first, *second]}) == 3


def test_a_run_that_was_killed_says_so(viewer: Viewer, tmp_path: Path) -> None:
    path = planned(tmp_path / "a.trial")
    with going_on(path) as now:
        now.say("hello", first=True)
        assert "· running" in viewer.ask("/run?run=a.trial")[1]
    assert "· killed" in viewer.ask("/run?run=a.trial")[1]


def test_of_a_run_that_goes_on_only_what_changed_is_read_again(viewer: Viewer, tmp_path: Path) -> None:
    path = planned(tmp_path / "a.trial", trials=3)
    with going_on(path) as now:
        now.say("hello", 1, first=True)
        viewer.shelf.opened("a.trial")
        now.end(1)
        now.say("and so on", 2, first=True)
        write_labels(path, [(1, Label(annotator="ann", outcome="fail", critique=""))], {})
        before = viewer.shelf.opened("a.trial").summary.cases[0].trials
        now.end(2)
        now.finish()
        after = viewer.shelf.opened("a.trial").summary
    with RunFile(path) as run:
        assert after == outline(run)
    same = [one is other for one, other in zip(before, after.cases[0].trials, strict=True)]
    assert same == [True, False, True]


def test_a_long_name_leaves_room_for_the_other_columns(viewer: Viewer, tmp_path: Path) -> None:
    write_run(tmp_path / "a.trial", [(case("a"), [ended(verdict("pass"))])], settings={"name": "<b>" * 30})
    name = "&lt;b&gt;" * 30
    (link,) = re.findall(r'<a class="tag"[^>]*words=%3C[^>]*>[^<]*', viewer.ask("/")[1])
    assert (f'title="{name}"' in link, len(unescape(link.partition(">")[2])) < 40) == (True, True)


def test_strangers_words_stay_words(viewer: Viewer, tmp_path: Path) -> None:
    name = f"{HOSTILE.replace('/', '')}&'\".trial"
    run(tmp_path / name, f"{HOSTILE}\u202e", 1, suite=HOSTILE)
    (tmp_path / f"{HOSTILE.replace('/', '')}.trial").write_text("not a run")
    text = viewer.ask("/?words=%3Cscript%3E")[1]
    assert "<script>" not in text.replace('<script src="/static', "")
    assert subjects(viewer) == [f"{HOSTILE}\ufffd"]
    assert "not a run file" in text
    assert unescape(re.findall(r'name="run" value="([^"]*)"', text)[0]) == name


def test_what_is_not_in_the_folder_is_not_shown(viewer: Viewer, tmp_path: Path) -> None:
    run(tmp_path.parent / "outside.trial", "outside", 1)
    for name in ("../outside.trial", f"{tmp_path.parent}/outside.trial", "a/../../outside.trial", "notes.txt"):
        with pytest.raises(InputError, match="no run of this folder"):
            viewer.shelf.path(name)
