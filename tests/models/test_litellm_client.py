"""The contract through LiteLLM. In a module of its own: it takes seconds to load."""

import pytest

from tests.models.conftest import Waits
from tests.models.contract import HELLO, Contract
from tests.server import Server
from trialkit.errors import InputError
from trialkit.models import ModelSpec, open_model

# LiteLLM's own, some of them raised only when it is first used
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning:pydantic")


def test_a_missing_key_names_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MISTRAL_API_KEY", raising=False)
    with pytest.raises(InputError, match=r"no key for mistral: set the environment variable MISTRAL_API_KEY$"):
        open_model(ModelSpec(name="mistral/mistral-small-latest"))


def test_an_unknown_provider() -> None:
    with pytest.raises(InputError, match="LiteLLM knows no provider 'nosuch'"):
        open_model(ModelSpec(name="nosuch/model"))


def test_another_provider_is_reached_through_litellm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MISTRAL_API_KEY", "planted-mistral-key")
    connection = open_model(ModelSpec(name="mistral/mistral-small-latest"))
    assert (connection.endpoint, connection.price_known) == ("litellm/mistral", True)
    assert connection.key == "litellm litellm/mistral mistral/mistral-small-latest"


async def test_another_provider_keeps_its_own_key_at_another_address(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MISTRAL_API_KEY", "planted-mistral-key")
    connection = open_model(
        ModelSpec(name="mistral/mistral-small-latest", api_base=server.openai_base, client="litellm")
    )
    await connection(HELLO)
    await connection.aclose()
    assert server.requests[0].headers["authorization"] == "Bearer planted-mistral-key"


class TestLitellmOpenAI(Contract):
    protocol = "openai"
    model = "gpt-4o"
    client = "litellm"
    exact = False

    async def test_closing_one_connection_leaves_the_others_open(self, server: Server, waits: Waits) -> None:
        async with self.open(server, waits) as longer:
            async with self.open(server, waits) as shorter:
                await shorter(HELLO)
            assert (await longer(HELLO)).attempts == 1


class TestLitellmAnthropic(Contract):
    protocol = "anthropic"
    model = "claude-sonnet-4-5-20250929"
    knows_seed = False
    client = "litellm"
    exact = False
