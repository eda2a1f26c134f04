"""A run under way in a real browser."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.runfile.writing import planned
from tests.web.browser.test_every_page import serious
from tests.web.going_on import going_on
from tests.web.test_pages import HOSTILE
from trialkit.runfile import Label, write_labels

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return planned(tmp_path / "a.trial", trials=3)


def test_a_run_page_shows_what_happens_and_the_page_below_follows(page: "Page", run: Path) -> None:
    with going_on(run) as process:
        page.goto("/run?run=a.trial")
        live = page.locator("#live")
        live.get_by_text("0 of 3 trials").wait_for()
        assert serious(page) == []
        process.say("Hello.", 2, first=True)
        live.get_by_role("link", name="a/2").wait_for()
        live.get_by_text("$0.25").wait_for()
        for trial_id in (1, 2, 3):
            process.end(trial_id)
        process.finish()
        page.locator("main").get_by_text("done").first.wait_for()  # the page itself, made anew
        live.wait_for(state="hidden")


def test_the_steps_of_a_trial_appear_and_what_is_unfolded_stays_so(page: "Page", run: Path) -> None:
    with going_on(run) as process:
        process.say("First.", first=True)
        page.goto("/trial?run=a.trial&case=a&trial=1")
        page.locator(".step", has_text="First.").wait_for()
        process.use(HOSTILE)
        page.locator(".use summary", has_text="onerror").click()
        process.use(HOSTILE, f"It is blue. {HOSTILE}")
        page.locator(".use[open]", has_text="It is blue.").wait_for()
        process.say(HOSTILE)
        page.locator(".step .text", has_text="onerror").wait_for()
        assert page.locator("img").count() == 0
        process.end()
        page.locator("main h2", has_text="j says pass").wait_for()
        process.close()


def test_a_process_that_is_killed_can_be_resumed_and_a_file_that_is_gone_is_told(page: "Page", run: Path) -> None:
    with going_on(run) as process:
        page.goto("/run?run=a.trial")
        page.get_by_role("button", name="Stop").wait_for()
        process.close()
    page.get_by_role("button", name="Resume").wait_for()
    assert serious(page) == []
    run.unlink()
    page.locator("#live [role=status]", has_text="no such run file").wait_for()


def test_the_list_of_runs_follows_and_leaves_who_is_at_work_in_peace(page: "Page", run: Path) -> None:
    page.clock.install()
    page.goto("/")
    page.locator(".state.killed").wait_for()
    page.keyboard.press("j")
    planned(run.with_name("b.trial"))
    page.clock.fast_forward(5000)
    page.locator("tbody tr").nth(1).wait_for()
    assert page.evaluate("document.activeElement.matches('tr.here a.main')")
    page.keyboard.press("x")
    planned(run.with_name("c.trial"))
    page.clock.fast_forward(10_000)
    assert page.locator("tbody tr").count() == 2
    page.keyboard.press("x")
    page.locator("main").click(position={"x": 1, "y": 1})
    page.clock.fast_forward(10_000)
    page.locator("tbody tr").nth(2).wait_for()


def test_judges_against_people_follow_the_labels(page: "Page", run: Path) -> None:
    with going_on(run) as process:
        process.end()
        process.finish()
    page.goto("/align?run=a.trial")
    page.get_by_text("There are no labels yet").wait_for()
    write_labels(run, [(1, Label(annotator="Ann", outcome="pass", critique=""))], {1: "random"})
    page.get_by_text("1 trial labelled (Ann 1)").wait_for()
