"""The contract through LiteLLM. In a module of its own: it takes seconds to load."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from tests.models.conftest import Waits
from tests.models.contract import HELLO, Contract
from tests.packages import needs
from tests.server import Protocol, Raw, Say, Server
from tests.server.protocols import answer
from trialkit.errors import InputError, ModelError
from trialkit.models import ModelSpec, Traffic, open_model

# LiteLLM's own, some of them raised only when it is first used
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning:pydantic")


@pytest.fixture(autouse=True)
def installed() -> None:
    needs("litellm", "uv sync --extra litellm")


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


async def test_what_a_model_is_known_not_to_take_is_told(server: Server) -> None:
    model = open_model(ModelSpec(name="openai/gpt-5", api_base=server.openai_base, client="litellm"))
    sent = await model(replace(HELLO, temperature=0.0))
    await model.aclose()
    assert (sent.reply.left_out, "temperature" in server.requests[0].body) == (("temperature",), False)


@pytest.mark.parametrize("spec", [ModelSpec(name="gemini/gemini-2.5-pro", spoken="litellm")])
def test_a_run_that_began_through_litellm_goes_on_so(spec: ModelSpec) -> None:
    assert open_model(spec).key == "litellm litellm/gemini gemini/gemini-2.5-pro"


@pytest.mark.parametrize(
    ("name", "variables"),
    [
        ("bedrock/eu.anthropic.claude-sonnet-4-5-20250929-v1:0", {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"}),
        ("vertex_ai/gemini-2.5-pro", {"VERTEXAI_PROJECT", "VERTEXAI_LOCATION"}),
    ],
)
def test_bedrock_and_vertex_are_reached(monkeypatch: pytest.MonkeyPatch, name: str, variables: set[str]) -> None:
    if name.startswith("vertex_ai"):
        needs("google.auth", "uv sync --group sdks")
    for variable in variables:
        monkeypatch.setenv(variable, "planted")
    connection = open_model(ModelSpec(name=name))
    assert (connection.name, connection.price_known) == (name, True)
    assert connection.key == f"litellm litellm/{name.partition('/')[0]} {name}"


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


async def test_answers_in_pieces_are_refused(server: Server) -> None:
    connection = open_model(ModelSpec(name="openai/gpt-4o", api_base=server.openai_base, client="litellm"))
    with pytest.raises(ModelError, match="without LiteLLM only"):
        await connection(replace(HELLO, extra={"stream": True}))
    await connection.aclose()
    assert server.requests == []


@pytest.mark.parametrize(
    ("protocol", "headers"),
    [
        (
            "openai",
            {
                "x-ratelimit-limit-requests": "2",
                "x-ratelimit-remaining-requests": "0",
                "x-ratelimit-reset-requests": "60s",
            },
        ),
        (
            "anthropic",
            {
                "anthropic-ratelimit-requests-limit": "2",
                "anthropic-ratelimit-requests-remaining": "0",
                "anthropic-ratelimit-requests-reset": (datetime.now(UTC) + timedelta(hours=1)).isoformat(),
            },
        ),
    ],
)
@pytest.mark.parametrize("status", [200, 400])
async def test_what_the_headers_say_is_left_of_a_minute_is_heard(
    server: Server, protocol: Protocol, headers: dict[str, str], status: int
) -> None:
    said, refused = answer(Say(text="ok"), {"model": "m"}, protocol), b'{"error": {"message": "no"}}'
    server.behave(Raw(body=said if status == 200 else refused, status=status, headers=headers))
    traffic = Traffic(10)
    named = {"openai": "openai/gpt-4o", "anthropic": "anthropic/claude-sonnet-4-5-20250929"}[protocol]
    model = open_model(ModelSpec(name=named, api_base=server.base(protocol), client="litellm"), traffic)
    await asyncio.gather(model(HELLO), return_exceptions=True)
    second = asyncio.create_task(model(HELLO))
    await asyncio.sleep(0)
    assert (len(server.requests), traffic.waiting, second.done()) == (1, 1, False)
    traffic.close()
    with pytest.raises(asyncio.CancelledError):
        await second
    await model.aclose()


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
