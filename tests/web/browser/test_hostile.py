"""What hostile words and hostile pages get done in a real browser: nothing."""

import http.server
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from tests.run_files import case, ended, verdict, write_run
from tests.web.conftest import Viewer
from trialkit.runfile import Event, RunFile
from trialkit.vocabulary import Finding

from .conftest import EVIL

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

XSS = "\"'><img src=x onerror=alert(1)><script>alert(2)</script><svg onload=alert(3)>{{7*7}}</textarea></title>"
FILE = "\"'><img src=x onerror=alert(1)>.trial"


@pytest.fixture
def hostile(tmp_path: Path) -> None:
    """Every word that a stranger can choose is an attack."""
    calls = [{"id": "1", "name": XSS, "arguments": f'{{"{XSS[3:9]}": 1}}'}]
    events = (
        Event(kind="message", data={"role": XSS, "text": XSS}),
        Event(kind="tool calls", data={"by": XSS, "text": XSS, "calls": calls}),
        Event(kind="observation", data={"tool": XSS, "text": XSS}),
        Event(kind="rule", data={"rule": XSS, "detail": XSS}),
        Event(kind=XSS, data={XSS: XSS}),
    )
    for name, outcome in ((FILE, "pass"), ("b.trial", "fail")):
        found = verdict(
            "pass" if outcome == "pass" else "fail", XSS, XSS, findings=(Finding(check=XSS, met=None, evidence=XSS),)
        )
        one = replace(ended(found, output={"messages": [], "text": XSS}), events=events)
        crashed = ended(error=XSS)
        settings = {"name": XSS, "tags": [XSS]}
        pairs = [(case(XSS, XSS, instruction=XSS), [one, crashed])]
        write_run(tmp_path / name, pairs, suite=XSS, subject=XSS, settings=settings)


@pytest.mark.usefixtures("hostile")
def test_strangers_words_do_nothing_on_any_page(page: "Page") -> None:
    run, suite, where = quote(FILE), quote(XSS), quote(XSS)
    for path in (
        "/",
        f"/?suite={suite}&words={where}",
        f"/run?run={run}",
        f"/run?run={run}&view=list&said={quote('<img')}",
        f"/run?run={run}&kind={where}&label={where}&view={where}&page={where}",
        f"/trial?run={run}&case={where}&trial=1",
        f"/trial?run={run}&case={where}&trial=2",
        f"/further?run={run}",
        f"/compare?run={run}&run=b.trial",
        f"/pair?a={run}&b=b.trial&case={where}",
        f"/align?run={run}",
        "/prompts",
        f"/prompts?suite={suite}&role=agent",
        f"/{where}",
        f"/run?run={where}.trial",
    ):
        page.goto(path)
        page.wait_for_load_state("networkidle")
        for fold in page.locator("details").all():
            fold.evaluate("one => one.open = true")
        assert page.locator("img, script:not([src^='/static/']), svg[onload]").count() == 0, path
        assert "49" not in page.title()


class _Elsewhere(http.server.BaseHTTPRequestHandler):
    """A page of another origin that tries to write, by every way that it has."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>elsewhere</title><iframe name=inside></iframe>")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def elsewhere() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Elsewhere)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def stranger(browser: "Browser") -> Iterator["Page"]:
    """In a browser that may complain of what is refused."""
    page = browser.new_page()
    yield page
    page.close()


def test_a_page_of_another_origin_can_neither_read_nor_write(
    stranger: "Page", viewer: Viewer, elsewhere: str, tmp_path: Path
) -> None:
    path = write_run(tmp_path / "a.trial", [(case("S1"), [ended(verdict("pass"))])])
    at, label = viewer.address.url("/label"), '{"run": "a.trial", "case": "S1", "trial": "1", "outcome": "fail"}'
    tries = """async ([at, label]) => {
        const said = [];
        for (const mode of ["cors", "no-cors"])
            for (const type of ["text/plain", "application/json"])
                said.push(await fetch(at, {method: "POST", mode, credentials: "include", body: label,
                    headers: mode === "cors" ? {"content-type": type, "x-csrf-token": "x"} : {}})
                    .then(answer => answer.type + answer.status, () => "refused"));
        said.push(await fetch(at).then(answer => answer.text(), () => "refused"));
        const form = document.createElement("form");
        Object.assign(form, {action: at, method: "post", target: "inside", enctype: "text/plain"});
        form.append(Object.assign(document.createElement("input"), {name: label, value: ""}));
        document.body.append(form); form.submit();
        return said;
    }"""
    answers: list[int] = []
    stranger.on("response", lambda answer: answers.append(answer.status) if answer.request.method == "POST" else None)
    stranger.goto(elsewhere)
    said = stranger.evaluate(tries, [at, label])
    stranger.wait_for_load_state("networkidle")
    assert set(said) == {"refused"}
    assert set(answers) == {403}
    with RunFile(path) as run:
        assert run.trials()[0].labels == ()


def test_a_name_rebound_to_this_machine_shows_nothing(stranger: "Page", viewer: Viewer, tmp_path: Path) -> None:
    write_run(tmp_path / "a.trial", [(case("S1"), [ended(verdict("pass"))])])
    answer = stranger.goto(f"http://{EVIL}:{viewer.address.port}/")
    assert answer is not None
    assert answer.status == 421
    assert "not at that address" in stranger.content()
    assert "a.trial" not in stranger.content()


def test_a_stranger_cannot_frame_a_page(stranger: "Page", viewer: Viewer, elsewhere: str) -> None:
    stranger.goto(elsewhere)
    with stranger.expect_event("framenavigated"):
        stranger.evaluate("at => { frames.inside.location = at }", viewer.address.url("/"))
    inside = next(frame for frame in stranger.frames if frame.name == "inside")
    assert inside.url.startswith("chrome-error:")
