"""What hostile pages and strangers try, and what they get."""

import pytest

from .conftest import Viewer


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8765", "127.0.0.1", "127.0.0.1.evil.example:{port}", ""]
)
def test_a_name_that_is_rebound_to_this_machine_leads_nowhere(viewer: Viewer, host: str) -> None:
    status, text, _ = viewer.ask("/", host=host.format(port=viewer.address.port))
    assert (status, "Runs" in text) == (421, False)


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "LOCALHOST:{port}", "[::1]:{port}"])
def test_its_own_names_are_answered(viewer: Viewer, host: str) -> None:
    status, text, _ = viewer.ask("/", host=host.format(port=viewer.address.port))
    assert (status, "<h1>Runs</h1>" in text) == (200, True)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "http://127.0.0.1:{port}"},
        {"x_csrf_token": "{csrf}"},
        {"origin": "http://127.0.0.1:{port}", "x_csrf_token": "guess"},
        {"origin": "http://evil.example", "x_csrf_token": "{csrf}"},
        {"origin": "http://127.0.0.1:1", "x_csrf_token": "{csrf}"},
        {"origin": "null", "x_csrf_token": "{csrf}"},
    ],
)
def test_only_a_page_of_ours_may_write(viewer: Viewer, headers: dict[str, str]) -> None:
    known = {"port": viewer.address.port, "csrf": viewer.guard.csrf}
    spelled = {name: value.format_map(known) for name, value in headers.items()}
    assert viewer.ask("/", "POST", "{}", **spelled)[0] == 403
    assert viewer.write("/", "{}")[0] == 400  # a page of ours is let in, and there is nothing to do there


def test_pages_forbid_whatever_is_not_ours(viewer: Viewer) -> None:
    for path in ("/", "/nowhere", "/static/app.js"):
        headers = viewer.ask(path)[2]
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"


def test_where_others_reach_it_a_token_is_asked_for(locked: Viewer) -> None:
    assert [locked.ask(path)[0] for path in ("/", "/static/app.js", "/?token=guess", "/?token=")] == [401] * 4
    status, _, headers = locked.ask("/?token=sesame")
    cookie = headers["set-cookie"]
    assert (status, headers["location"]) == (303, "/")
    assert {"HttpOnly", "SameSite=strict"} <= {part.strip() for part in cookie.split(";")}
    assert locked.ask("/", cookie=cookie.split(";")[0])[0] == 200
    assert locked.ask("/", cookie="trialkit=guess")[0] == 401


def test_the_page_that_was_asked_for_is_shown_when_the_token_is_known(locked: Viewer) -> None:
    assert locked.ask("/run?run=a%20b.trial&token=sesame")[2]["location"] == "/run?run=a+b.trial"
    assert locked.ask("//evil.example/?token=sesame")[2]["location"] == "/evil.example/"
