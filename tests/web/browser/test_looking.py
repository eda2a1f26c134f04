"""Looking through runs with the keyboard alone, and with filters that stand in the address."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.run_files import case, ended, verdict, write_run

if TYPE_CHECKING:
    from playwright.sync_api import Page

CALL = {"id": "1", "function": {"name": "find_order", "arguments": '{"order": "W7"}'}}


def talk(words: str) -> dict[str, object]:
    return {
        "messages": [
            {"role": "user", "content": words},
            {"role": "assistant", "content": None, "tool_calls": [CALL]},
            {"role": "tool", "name": "find_order", "content": '{"state": "sent"}'},
            {"role": "assistant", "content": "It is on its way."},
        ]
    }


@pytest.fixture(autouse=True)
def runs(tmp_path: Path) -> None:
    trials = {
        "S1": (ended(verdict("pass"), output=talk("A lamp, please.")), ended(verdict("fail"), output=talk("A desk."))),
        "S2": (ended(verdict("pass"), output=talk("A chair.")), ended(error="It took too long.")),
        "S3": (ended(verdict("fail"), output=talk("Another lamp.")), ended(verdict("pass"), output=talk("A bed."))),
    }
    for name in ("a", "b"):
        pairs = [(case(one), [replace(trial, events=()) for trial in found]) for one, found in trials.items()]
        with closing(sqlite3.connect(write_run(tmp_path / f"{name}.trial", pairs, subject=name))) as run:
            run.execute("UPDATE run SET state = 'done'")  # else it is one that was killed
            run.commit()


def listed(page: "Page") -> list[tuple[str, str]]:
    """Case and outcome of each trial in the list."""
    rows = page.locator("table.list tbody tr").all()
    return [(row.locator("a.main").inner_text(), row.locator("td").nth(2).inner_text()) for row in rows]


def query(page: "Page") -> dict[str, str]:
    found = parse_qs(urlsplit(page.url).query)
    return {name: values[0] for name, values in found.items() if name not in {"run", "view"}}


def test_the_keyboard_is_enough(page: "Page") -> None:
    press = page.keyboard.press
    page.goto("/")
    press("j")
    press("j")
    press("Enter")
    page.wait_for_url("**/run?*")
    first = page.locator("h1").inner_text()
    press("m")
    page.wait_for_url("**view=list*")
    press("j")
    press("Enter")
    page.wait_for_url("**/trial?*")
    assert page.locator("h1").inner_text().startswith("S1")
    press("f")
    page.wait_for_url("**trial=2*")
    press("f")
    page.wait_for_url("**case=S3*")
    press("p")
    page.wait_for_url("**case=S2*")
    press("n")
    page.wait_for_url("**case=S3*")
    press("o")
    assert page.locator("details.use").first.get_attribute("open") is not None
    assert page.get_by_text('"state": "sent"').is_visible()
    press("o")
    assert not page.get_by_text('"state": "sent"').is_visible()
    press("j")
    press("j")
    assert page.locator(".step.here").get_attribute("id") == "step-2"
    press("?")
    assert page.locator("dialog#keys").is_visible()
    press("Escape")
    assert not page.locator("dialog#keys").is_visible()
    press("u")
    page.wait_for_url("**/run?*")
    assert page.locator("h1").inner_text() == first
    press("u")
    page.wait_for_url(lambda url: urlsplit(url).path == "/")


def test_runs_are_chosen_and_compared_by_keys(page: "Page") -> None:
    press = page.keyboard.press
    page.goto("/")
    for key in ("j", "x", "j", "x"):
        press(key)
    page.get_by_role("button", name="Compare the chosen").press("Enter")
    page.wait_for_url("**/compare?*")
    assert "A against B" in page.locator("h1").inner_text()


def test_trials_are_chosen_by_outcome_kind_and_words(page: "Page") -> None:
    page.goto("/run?run=a.trial&view=list")
    assert len(listed(page)) == 6
    page.get_by_label("Outcome").select_option("fail")
    page.wait_for_url("**show=fail*")
    assert listed(page) == [("S1", "fail"), ("S3", "fail")]
    page.get_by_label("Outcome").select_option("")
    page.wait_for_url("**show=&*")
    page.get_by_label("Kind").select_option("timeout")
    page.wait_for_url("**kind=timeout*")
    assert listed(page) == [("S2", "error")]
    page.get_by_label("Kind").select_option("")
    page.wait_for_url("**kind=&*")
    page.get_by_label("Said in the transcript").fill("LAMP")
    page.get_by_label("Said in the transcript").press("Enter")
    page.wait_for_url("**said=LAMP*")
    assert listed(page) == [("S1", "pass"), ("S3", "fail")]
    page.reload()
    assert listed(page) == [("S1", "pass"), ("S3", "fail")]


def test_the_next_trial_is_the_next_of_the_chosen_ones(page: "Page") -> None:
    page.goto("/run?run=a.trial&said=lamp")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**#step-1")
    assert page.locator(".step:target .text").inner_text() == "A lamp, please."
    assert "1 of 2 chosen" in page.locator(".under").inner_text()
    page.keyboard.press("n")
    page.wait_for_url("**case=S3*")
    assert query(page) == {"case": "S3", "trial": "1", "said": "lamp"}
    assert page.get_by_role("link", name="Next →").count() == 0


def test_every_square_of_the_map_leads_to_its_trial(page: "Page") -> None:
    page.goto("/run?run=a.trial&view=map")
    page.locator("a[title='S2, trial 2: error']").click()
    page.wait_for_url("**/trial?*")
    assert query(page) == {"case": "S2", "trial": "2"}
