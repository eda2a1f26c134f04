"""Pictures and PDFs that cases name, from a column to what a provider is sent."""

import pytest

from tests.models.reading import read_request
from tests.server import Call, Say, Server, in_turn
from tests.suites.files.here import Here

PICTURE, PDF = b"\x89PNG\r\n\x1a\n\0corn", b"%PDF-1.7 \xff"
SUITE = """\
cases:
  - {id: a, photo: shots/cat_03.png, bill: bill.pdf, what: cat}
prompt: "{{ file(photo) }}What is it? {{file( bill )}}"
judges: {right: {contains: "{{ what }}"}}
"""
TOOLS = "tools: [{name: zoom, parameters: {type: object}, result: It has whiskers.}]\n"


@pytest.fixture
def shots(here: Here, monkeypatch: pytest.MonkeyPatch) -> Here:
    (here.folder / "shots").mkdir()
    (here.folder / "shots" / "cat_03.png").write_bytes(PICTURE)
    (here.folder / "bill.pdf").write_bytes(PDF)
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    return here


@pytest.mark.parametrize("model", ["openai/gpt-4o-mini", "anthropic/claude-haiku-4-5"])
def test_a_picture_and_a_pdf_reach_the_model(shots: Here, monkeypatch: pytest.MonkeyPatch, model: str) -> None:
    shots.write(shots_yaml=SUITE)
    with Server(Say(text="A cat.")) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.openai_base)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        done = shots("run", "shots.yaml", "--model", model)
        assert (done.status, len(server.requests)) == (0, 1), done.text
        asked = read_request(server.requests[0])
    assert asked.parts == [("user", "What is it?")]
    assert asked.files == [("image/png", PICTURE), ("application/pdf", PDF)]
    assert shots("replay", shots.last_run()).status == 0


def test_with_tools_they_stay_in_the_conversation(shots: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    shots.write(shots_yaml=SUITE + TOOLS)
    with Server(in_turn(Say(text=None, calls=(Call(name="zoom"),)), Say(text="A cat."))) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.openai_base)
        done = shots("run", "shots.yaml", "--model", "openai/gpt-4o-mini")
        assert (done.status, len(server.requests)) == (0, 2), done.text
        assert [len(read_request(seen).files) for seen in server.requests] == [2, 2]
