"""Azure OpenAI: at its own address, with its own header."""

import pytest

from tests.server import Server
from trialkit.errors import InputError
from trialkit.models import Message, ModelSpec, Request, open_model


@pytest.mark.parametrize("ending", ["", "/openai/v1", "/"])
async def test_a_deployment_is_asked(server: Server, monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "azure-key-0123456789")
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", server.url + ending)
    model = open_model(ModelSpec(name="azure/my-gpt"))
    sent = await model(Request(messages=(Message(role="user", text="hello"),), max_tokens=9))
    await model.aclose()
    (seen,) = server.requests
    assert (model.endpoint, seen.body["model"]) == (f"{server.url}/openai/v1", "my-gpt")
    assert (seen.headers["api-key"], seen.headers.get("authorization")) == ("azure-key-0123456789", None)
    assert seen.body["max_completion_tokens"] == 9
    assert (model.name, sent.reply.stop) == ("azure/my-gpt", "end")


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="no address of its own; give one: AZURE_OPENAI_ENDPOINT or --api-base"):
        open_model(ModelSpec(name="azure/my-gpt"))
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", "https://example.openai.azure.com")
    with pytest.raises(InputError, match="set the environment variable AZURE_OPENAI_API_KEY"):
        open_model(ModelSpec(name="azure/my-gpt"))
