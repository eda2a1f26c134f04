"""What holds of each page: it can be read by everybody, by night and on a telephone, and asks nobody else."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.run_files import case, ended, verdict, write_run
from tests.web.conftest import Viewer
from trialkit.vocabulary import Finding

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from trialkit.vocabulary import Outcome

LONG = "suite" * 30
PAGES = {
    "/": "Runs",
    "/run?run=a.trial": "subject",
    "/trial?run=a.trial&case=S1&trial=1&said=hello": "S1",
    "/compare?run=a.trial&run=b.trial": "A against B",
    "/further?run=a.trial": "Further figures",
    "/pair?a=a.trial&b=b.trial&case=S1": "S1",
    "/prompts": "Prompts",
    f"/prompts?suite={LONG}&role=agent": f"{LONG}: prompt of the agent",
    f"/?suite={LONG}": "Runs",
    "/run?run=a.trial&view=list": "subject",
    "/align?run=a.trial": "judges against people",
    "/nowhere": "Not found",
}


@pytest.fixture(autouse=True)
def runs(tmp_path: Path) -> None:
    """With more trials than have room in a row, long names, and a result that is longer than what is shown of it."""
    check = Finding(check="it says so " * 30, met=False, evidence="")
    calls = [{"function": {"name": "look", "arguments": "{}"}}]
    said = [
        {"role": "user", "content": "Hello."},
        {"role": "assistant", "content": "", "tool_calls": calls},
        {"role": "tool", "name": "look", "content": "hello\n" * 100},
    ]
    ends: dict[str, tuple[Outcome, Outcome]] = {"a": ("fail", "pass"), "b": ("pass", "error")}
    for name, (second, others) in ends.items():
        outcomes: list[Outcome] = ["pass", second, *[others] * 58]
        trials = [
            replace(ended(verdict(one, findings=(check,)), output={"messages": said}), events=()) for one in outcomes
        ]
        write_run(tmp_path / f"{name}.trial", [(case("S1"), trials), (case("S2" * 100), trials)], suite=LONG)


@pytest.mark.parametrize("path", PAGES)
def test_every_page_can_be_read_by_everybody_and_asks_nobody_else(page: "Page", viewer: Viewer, path: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path)
    assert PAGES[path] in page.locator("h1").inner_text()
    assert serious(page) == []
    page.emulate_media(color_scheme="dark")
    assert serious(page) == []
    for width in (1000, 360):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= width  # what is wide scrolls by itself
    assert {one for one in asked if not one.startswith((viewer.address.url(""), "data:"))} == set()


def serious(page: "Page") -> list[tuple[str, str]]:
    """What axe-core finds that keeps people from using the page."""
    from axe_playwright_python.sync_playwright import Axe  # noqa: PLC0415 - where it is installed

    found = Axe().run(page).response["violations"]
    return [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in {"serious", "critical"}]
