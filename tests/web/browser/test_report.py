"""Reports as one file, opened from disk."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.analysis.test_html_report import HOSTILE, compared, report, said
from tests.pages.test_charts import CHARTS
from tests.run_files import case, write_run
from trialkit.pages import Page as Document
from trialkit.pages import write_page

from .test_every_page import serious

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    cases = [(case(f"S{number}"), [said("Hello.", HOSTILE), said("Bye.", outcome="fail")]) for number in range(9)]
    one = write_run(tmp_path / "a.trial", cases)
    other = write_run(tmp_path / "b.trial", [(cases[0][0], [said("Hello.", outcome="fail")] * 2), *cases[1:]])
    charts = write_page(Document(title="Charts", parts=tuple(CHARTS.values())), "html")
    for name, text in {"report": report(one), "compare": compared(one, other), "charts": charts}.items():
        (tmp_path / f"{name}.html").write_text(text)
    return {name: (tmp_path / f"{name}.html").as_uri() for name in ("report", "compare", "charts")}


@pytest.mark.parametrize("name", ["report", "compare", "charts"])
def test_it_can_be_read_by_everybody_and_asks_nobody(page: "Page", files: dict[str, str], name: str) -> None:
    asked: list[str] = []
    page.goto(files[name])
    page.on("request", lambda request: asked.append(request.url))
    if name != "charts":
        page.locator("td a").first.click()
        page.locator(".opened").wait_for()
    assert serious(page) == []
    page.emulate_media(color_scheme="dark")
    assert serious(page) == []
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert asked == []


def test_a_trial_opens_below_its_row_and_closes_again(page: "Page", files: dict[str, str]) -> None:
    page.goto(files["report"])
    link, opened = page.locator("td a").first, page.locator(".opened")
    link.focus()
    page.keyboard.press("Enter")
    opened.wait_for()
    assert HOSTILE.replace("\x1b", "\ufffd") in opened.locator(".text").nth(1).inner_text()
    assert link.get_attribute("aria-expanded") == "true"
    link.click()
    opened.wait_for(state="detached")


def test_a_square_leads_to_its_trial_and_an_address_to_the_one_it_names(page: "Page", files: dict[str, str]) -> None:
    page.goto(files["report"])
    page.locator(".heat a.fail").first.click()
    page.locator(".opened", has_text="Bye.").wait_for()
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    page.locator(".opened", has_text="Bye.").wait_for()


def test_sorting_puts_open_trials_away(page: "Page", files: dict[str, str]) -> None:
    page.goto(files["report"])
    page.locator("td a").first.click()
    page.locator(".opened").wait_for()
    table = page.locator("table", has=page.locator("td a"))
    table.get_by_role("button", name="Case", exact=True).dblclick()
    assert table.locator(".opened").count() == 0
    assert table.locator("tbody tr").first.inner_text().startswith("S8")
