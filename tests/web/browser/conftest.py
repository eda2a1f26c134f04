"""A real browser that looks at the viewer: Debian's chromium, driven by Playwright.

`sync_playwright` leaves an event loop running in its thread: a browser must be gone before any test that is async, so
each module has its own, and all modules run in one worker, one after the other.
"""

import os
import sys
from collections.abc import Iterator
from shutil import which
from typing import TYPE_CHECKING

import pytest

from tests.packages import needs
from tests.web.conftest import Viewer

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

_HOW = "uv sync --group browser && apt-get install chromium, as .ci/run does"
#: A name of somebody else's that leads to this machine, as by DNS rebinding.
EVIL = "evil.example"
_ARGUMENTS = (f"--host-resolver-rules=MAP {EVIL} 127.0.0.1",)
_PATIENCE_MS = 60_000


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    needs("playwright", _HOW)
    program = which("chromium") or which("chromium-browser")
    if program is None:
        told = f"needs chromium: {_HOW}"
        if os.environ.get("CI"):
            pytest.fail(told)
        pytest.skip(told)
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - where it is installed

    as_root = sys.platform == "linux" and os.geteuid() == 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program,
            args=[*_ARGUMENTS, *(["--no-sandbox"] if as_root else [])],
            chromium_sandbox=not as_root,
        )
        yield browser
        browser.close()


@pytest.fixture
def page(browser: "Browser", viewer: Viewer) -> Iterator["Page"]:
    """Of the viewer; whatever its scripts or its policy complain of fails the test."""
    context = browser.new_context(base_url=viewer.address.url(""), color_scheme="light")
    page = context.new_page()
    page.set_default_timeout(_PATIENCE_MS)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if _is_fault(said.type, said.text) else None)
    page.on("dialog", lambda dialog: faults.append(f"a dialog: {dialog.message}"))
    yield page
    context.close()
    assert faults == []


def _is_fault(kind: str, text: str) -> bool:
    """What is refused, or leads nowhere, the page says itself."""
    return kind == "error" and "status of 4" not in text
