"""Labelling in a real browser, by keys alone."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.run_files import case, ended, verdict, write_run
from tests.web.browser.test_every_page import serious
from tests.web.conftest import Viewer
from tests.web.test_pages import HOSTILE
from trialkit.runfile import Mark, RunFile
from trialkit.vocabulary import Measure

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

_LABEL = "/label?run=a.trial"


@pytest.fixture(autouse=True)
def run(tmp_path: Path) -> Path:
    rows = [
        (case(f"S{at}"), [ended(verdict("pass" if at % 2 else "fail", HOSTILE), output={"text": HOSTILE})])
        for at in range(12)
    ]
    return write_run(tmp_path / "a.trial", rows)


def begin(page: "Page", name: str, sample: int = 0) -> None:
    page.goto(_LABEL)
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    page.wait_for_url("**by=**")
    page.wait_for_load_state()
    if sample:
        page.get_by_label("How many").fill(str(sample))
        page.keyboard.press("Enter")
        page.locator(".choices").wait_for()
        page.wait_for_load_state()


def press(page: "Page", key: str, then: str) -> None:
    page.keyboard.press(key)
    page.locator(then).wait_for()
    page.wait_for_load_state()


def left(page: "Page", text: str) -> None:
    page.locator("#left", has_text=text).wait_for()


def test_ten_are_labelled_by_keys_alone_and_kappa_and_csv_follow(page: "Page", run: Path) -> None:
    begin(page, "Ann", 10)
    kappas = []
    for number in range(10, 0, -1):
        left(page, f"{number} of 10 left")
        if number == 10:
            page.set_viewport_size({"width": 360, "height": 740})
            assert page.evaluate("document.documentElement.scrollWidth") <= 360
            page.emulate_media(color_scheme="dark")
        assert serious(page) == [] if number > 8 else True
        at = int(page.locator("#labelling").get_attribute("data-case")[1:])  # type: ignore[index, unused-ignore]
        page.keyboard.press("c")
        page.keyboard.type(f"No. {number}, p f d n")
        page.keyboard.press("Escape")
        press(page, "p" if at % 2 and number < 10 else "f", "#saved")
        kappas.append(page.locator("#figures tr", has_text="kappa").inner_text())
        assert serious(page) == [] if number == 10 else True
        press(page, "n", ".choices" if number > 1 else "#draw")
    assert len(set(kappas)) > 5
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Results as CSV").click()
    text = waiting.value.path().read_text()
    assert text.count(", p f d n") == 10
    with RunFile(run) as read:
        assert sum(len(one.labels) for one in read.trials()) == 10


def test_two_browsers_label_at_once_and_settle_what_they_disagree_on(
    page: "Page", browser: "Browser", viewer: Viewer, run: Path
) -> None:
    begin(page, "Ann", 2)
    other = browser.new_context(base_url=viewer.address.url("")).new_page()
    begin(other, "Bob")
    press(page, "p", "#saved")
    press(other, "f", "#saved")
    assert "Ann: pass" in other.locator("aside").inner_text()
    other.reload()
    other.get_by_role("link", name="1 disagreement between annotators to settle").click()
    other.wait_for_url("**queue=settle")
    other.wait_for_load_state()
    assert "Ann: pass" in other.locator("aside").inner_text()
    press(other, "p", "#saved")
    press(other, "n", "text=Nothing is left to settle")
    other.context.close()
    with RunFile(run) as read:
        (settled,) = [one for one in read.trials() if one.labels]
        assert [(one.annotator, one.outcome, one.settles) for one in settled.labels] == [
            ("Ann", "pass", False), ("Bob", "fail", False), ("Bob", "pass", True)
        ]  # fmt: skip


def test_steps_are_marked_in_words_that_are_offered_again_and_a_critique_is_kept(page: "Page", run: Path) -> None:
    page.goto(f"{_LABEL}&by=Ann&case=S1&trial=1")
    page.keyboard.press("c")
    page.keyboard.type("Not so.")
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    press(page, "m", "dialog[open]")
    page.keyboard.type("made up")
    press(page, "Enter", ".step .mark")
    assert page.get_by_label("Critique").first.input_value() == "Not so."
    page.goto(f"{_LABEL}&by=Ann&case=S2&trial=1")
    press(page, "m", "dialog[open]")
    press(page, "1", ".found .mark")
    with RunFile(run) as read:
        marks = {one.case_id: one.marks for one in read.trials() if one.marks}
    assert marks == {
        "S1": (Mark(annotator="Ann", kind="made up", step=1),),
        "S2": (Mark(annotator="Ann", kind="made up", step=0),),
    }
    page.get_by_label("Remove the mark made up").click()
    page.locator(".mark").wait_for(state="detached")


def test_a_score_is_one_key_too(page: "Page", tmp_path: Path) -> None:
    rows = [(case("S1"), [ended(verdict("scored", score=4.0), output={"text": "x"})])]
    path = write_run(tmp_path / "b.trial", rows, measures=(Measure(name="quality", low=1, high=5),))
    page.goto("/label?run=b.trial&by=Ann&case=S1&trial=1")
    assert serious(page) == []
    press(page, "4", "#saved")
    press(page, "s", "#score:focus")
    page.keyboard.press("Control+A")
    page.keyboard.type("3.5")
    press(page, "Enter", '#score[value="3.5"]')
    with RunFile(path) as read:
        assert [one.score for one in read.trial(1).labels] == [3.5]


def test_hostile_names_words_and_critiques_do_nothing(page: "Page", run: Path) -> None:
    begin(page, HOSTILE[:100], 2)
    press(page, "m", "dialog[open]")
    page.keyboard.type(HOSTILE[:100])
    press(page, "Enter", ".found .mark")
    page.keyboard.press("c")
    page.keyboard.type(HOSTILE)
    page.keyboard.press("Escape")
    press(page, "f", "#saved")
    press(page, "m", "dialog[open] .kinds button")
    page.keyboard.press("Escape")
    press(page, "n", ".choices")
    assert page.locator("img").count() == 0
    with RunFile(run) as read:
        assert {one.labels[0].critique for one in read.trials() if one.labels} == {HOSTILE}


def test_a_viewer_that_is_gone_is_told_and_nothing_is_lost_from_the_page(
    browser: "Browser", viewer: Viewer, run: Path
) -> None:
    page = browser.new_context(base_url=viewer.address.url("")).new_page()  # which may complain
    begin(page, "Ann", 2)
    page.keyboard.press("c")
    page.keyboard.type("Kept.")
    page.keyboard.press("Escape")
    page.route("**/label", lambda route: route.abort())
    press(page, "f", "#fault:visible")
    assert "is it still running?" in page.locator("#fault").inner_text()
    page.unroute("**/label")
    press(page, "f", "#saved")
    with RunFile(run) as read:
        assert [one.labels[0].critique for one in read.trials() if one.labels] == ["Kept."]
    page.context.close()
