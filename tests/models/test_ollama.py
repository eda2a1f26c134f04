"""Ollama: where it is, and what to do where it is not. What it speaks, the tests of OpenAI's protocol hold."""

import socket

import pytest

from tests.models.conftest import Waits
from tests.models.contract import HELLO
from tests.server import Fault, Hang, Say, Server, in_turn
from trialkit.errors import InputError, ModelError
from trialkit.models import ModelSpec, Traffic, open_model

NAME = "ollama/qwen3:4b"


@pytest.mark.parametrize(
    ("variable", "base"),
    [
        ("", "http://127.0.0.1:11434/v1"),
        ("0.0.0.0", "http://127.0.0.1:11434/v1"),  # noqa: S104
        (":8080", "http://127.0.0.1:8080/v1"),
        ("gpu-box", "http://gpu-box:11434/v1"),
        ("[::1]:99", "http://[::1]:99/v1"),
        ("https://models.example/llama/", "https://models.example:443/llama/v1"),
    ],
)
def test_where_it_is(monkeypatch: pytest.MonkeyPatch, variable: str, base: str) -> None:
    monkeypatch.setenv("OLLAMA_HOST", variable)
    assert open_model(ModelSpec(name=NAME)).key == f"ollama {base} qwen3:4b"


@pytest.mark.parametrize("variable", ["host:port", "ftp://host", "http://me:secret@host"])
def test_what_is_no_address(monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    monkeypatch.setenv("OLLAMA_HOST", variable)
    with pytest.raises(InputError, match=r"^OLLAMA_HOST is no address.*; write it like 127.0.0.1:11434$") as told:
        open_model(ModelSpec(name=NAME))
    assert "secret" not in str(told.value)


async def test_nothing_is_paid_for_not_even_for_a_time_out(monkeypatch: pytest.MonkeyPatch) -> None:
    with Server(in_turn(Hang(), Say(text="Hello."))) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        model = open_model(ModelSpec(name="ollama/llama3", timeout=0.5, retries=1), Traffic(sleep=Waits()))
        sent = await model(HELLO)
        server.behave(Hang())
        with pytest.raises(ModelError) as caught:
            await model(HELLO)
        await model.aclose()
    assert (sent.attempts, sent.reply.cost, caught.value.cost) == (2, 0.0, 0.0)


async def test_a_server_that_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    with Server(in_turn(Say(text="Hello."), Fault(kind="not_found"))) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        model = open_model(ModelSpec(name=NAME))
        assert (await model(HELLO)).reply.text == "Hello."
        with pytest.raises(ModelError, match="`ollama pull qwen3:4b` brings a model"):
            await model(HELLO)
        await model.aclose()
        assert server.requests[0].body["model"] == "qwen3:4b"
        assert "authorization" not in server.requests[0].headers


async def test_no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and not listened at
        monkeypatch.setenv("OLLAMA_HOST", f"127.0.0.1:{taken.getsockname()[1]}")
        model = open_model(ModelSpec(name=NAME, retries=0))
        try:
            with pytest.raises(ModelError, match=r"connection refused; start .*`ollama serve` starts it") as told:
                await model(HELLO)
        finally:
            await model.aclose()
    assert told.value.kind == "unreachable"
