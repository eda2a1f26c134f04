"""Who answers, and what is wrong with a name, before anything is spent."""

import contextlib
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import trialkit.models
from tests.models.conftest import KEY, Waits
from tests.models.contract import HELLO
from tests.server import Server
from trialkit.errors import InputError
from trialkit.models import Connection, ModelSpec, Request, Traffic, open_model

CLAUDE = "claude-sonnet-4-5-20250929"


@pytest.mark.parametrize(
    ("spec", "name", "endpoint", "key"),
    [
        (
            ModelSpec(name=f"anthropic/{CLAUDE}"),
            f"anthropic/{CLAUDE}",
            "https://api.anthropic.com",
            f"anthropic https://api.anthropic.com {CLAUDE}",
        ),
        (
            ModelSpec(name="openai/gpt-4o"),
            "openai/gpt-4o",
            "https://api.openai.com/v1",
            "openai https://api.openai.com/v1 gpt-4o",
        ),
        (
            ModelSpec(name="openai/gpt-5-mini"),
            "openai/gpt-5-mini",
            "https://api.openai.com/v1",
            "openai-responses https://api.openai.com/v1 gpt-5-mini",
        ),
        (
            ModelSpec(name="openai/o3", spoken="openai"),
            "openai/o3",
            "https://api.openai.com/v1",
            "openai https://api.openai.com/v1 o3",
        ),
        (
            ModelSpec(name="openai/o3", api_base="http://h:1/v1"),
            "openai/o3",
            "http://h:1/v1",
            "openai http://h:1/v1 o3",
        ),
        (
            ModelSpec(name="openai-responses/gpt-4o", api_base="http://h:1/v1"),
            "openai-responses/gpt-4o",
            "http://h:1/v1",
            "openai-responses http://h:1/v1 gpt-4o",
        ),
        (
            ModelSpec(name="gemini/gemini-2.5-pro"),
            "gemini/gemini-2.5-pro",
            "https://generativelanguage.googleapis.com/v1beta",
            "gemini https://generativelanguage.googleapis.com/v1beta gemini-2.5-pro",
        ),
        (
            ModelSpec(name="gpt-4o", provider="openai"),
            "openai/gpt-4o",
            "https://api.openai.com/v1",
            "openai https://api.openai.com/v1 gpt-4o",
        ),
        (
            ModelSpec(name="openai/gpt-4o", provider="OpenAI"),
            "openai/gpt-4o",
            "https://api.openai.com/v1",
            "openai https://api.openai.com/v1 gpt-4o",
        ),
        (
            ModelSpec(name=CLAUDE),
            f"anthropic/{CLAUDE}",
            "https://api.anthropic.com",
            f"anthropic https://api.anthropic.com {CLAUDE}",
        ),
        (
            ModelSpec(name=CLAUDE, provider="anthropic", api_base="http://h:1/v1/"),
            f"anthropic/{CLAUDE}",
            "http://h:1",
            f"anthropic http://h:1 {CLAUDE}",
        ),
        (
            ModelSpec(name="mine", api_base="http://h:1/v1/"),
            "openai/mine",
            "http://h:1/v1",
            "openai http://h:1/v1 mine",
        ),
        (
            ModelSpec(name="meta-llama/Llama-3-8B", api_base="http://h/v1"),
            "openai/meta-llama/Llama-3-8B",
            "http://h/v1",
            "openai http://h/v1 meta-llama/Llama-3-8B",
        ),
        (
            ModelSpec(name="openrouter/openai/gpt-4o", api_base="https://openrouter.ai/api/v1"),
            "openrouter/openai/gpt-4o",
            "https://openrouter.ai/api/v1",
            "openai https://openrouter.ai/api/v1 openai/gpt-4o",
        ),
    ],
)
def test_names(spec: ModelSpec, name: str, endpoint: str, key: str) -> None:
    connection = open_model(spec)
    assert (connection.name, connection.endpoint, connection.key) == (name, endpoint, key)
    assert KEY not in repr(connection)


def test_the_environment_moves_the_base(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://proxy.example/v1")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://proxy.example/a/v1")
    assert open_model(ModelSpec(name="openai/gpt-4o")).endpoint == "http://proxy.example/v1"
    assert open_model(ModelSpec(name=f"anthropic/{CLAUDE}")).endpoint == "http://proxy.example/a"


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        (ModelSpec(name="gpt-4oo"), "provider/model.*openai/gpt-4o"),
        (ModelSpec(name="no-such-thing-at-all"), "provider/model$"),
        (ModelSpec(name="openai/"), "no name after its provider"),
        (ModelSpec(name="openai/x", api_base="ftp://h/v1"), "--api-base must be a URL like"),
        (ModelSpec(name="openai/x", api_base="localhost:8000"), "--api-base must be a URL like"),
        (ModelSpec(name="openai/x", api_base="http://h:port/v1"), "--api-base is not a URL"),
        (ModelSpec(name="openai/x", api_base="http://h/v1?key=1"), "must end before the"),
        (ModelSpec(name="openai/x", timeout=0), "timeout must be a number of seconds above 0"),
        (ModelSpec(name="openai/x", timeout=float("nan")), "timeout"),
        (ModelSpec(name="openai/x", retries=-1), "retries must be 0 or more"),
    ],
)
def test_bad_names(spec: ModelSpec, says: str) -> None:
    with pytest.raises(InputError, match=says):
        open_model(spec)


def test_a_password_in_the_base_is_refused_and_not_shown() -> None:
    with pytest.raises(InputError, match="must not hold a user name or password") as caught:
        open_model(ModelSpec(name="openai/x", api_base="http://me:hunter22@h/v1"))
    assert "hunter22" not in str(caught.value)


@pytest.mark.parametrize(("name", "variable"), [("openai/gpt-4o", "OPENAI_API_KEY"), (CLAUDE, "ANTHROPIC_API_KEY")])
def test_a_missing_key_names_its_variable(monkeypatch: pytest.MonkeyPatch, name: str, variable: str) -> None:
    monkeypatch.setenv(variable, "  ")
    with pytest.raises(InputError, match=f"set the environment variable {variable}$"):
        open_model(ModelSpec(name=name))


def test_a_key_that_no_header_can_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-one\nsk-two")
    with pytest.raises(InputError, match="OPENAI_API_KEY holds characters") as caught:
        open_model(ModelSpec(name="openai/gpt-4o"))
    assert "sk-one" not in str(caught.value)


async def sent_to(server: Server, spec: ModelSpec, request: Request = HELLO) -> Connection:
    connection = open_model(spec, Traffic(sleep=Waits()))
    await connection(request)
    await connection.aclose()
    return connection


@pytest.mark.parametrize("key", [None, "sk-local-key"])
async def test_a_server_of_ones_own_needs_no_key(
    server: Server, monkeypatch: pytest.MonkeyPatch, key: str | None
) -> None:
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(variable, key or "")
    await sent_to(server, ModelSpec(name="mine", api_base=server.openai_base))
    await sent_to(server, ModelSpec(name="anthropic/x", api_base=f"{server.url}/v1"))
    openai, anthropic = (request.headers for request in server.requests)
    assert openai.get("authorization") == (f"Bearer {key}" if key else None)
    assert anthropic.get("x-api-key") == key


async def test_slashes_belong_to_the_model_that_a_server_names_so(server: Server) -> None:
    await sent_to(server, ModelSpec(name="meta-llama/Llama-3-8B", api_base=server.openai_base))
    assert server.requests[0].body["model"] == "meta-llama/Llama-3-8B"


async def test_the_limit_of_tokens_goes_by_its_common_name(server: Server) -> None:
    await sent_to(
        server,
        ModelSpec(name="mine", api_base=server.openai_base),
        Request(messages=HELLO.messages, max_tokens=5),
    )
    assert server.requests[0].body["max_tokens"] == 5


def test_prices_are_known_or_not() -> None:
    assert open_model(ModelSpec(name="openai/gpt-4o", api_base="http://h/v1")).price_known
    assert open_model(ModelSpec(name="gpt-4o", api_base="http://h/v1")).price_known
    assert not open_model(ModelSpec(name="mine", api_base="http://h/v1")).price_known


@given(st.text(max_size=40), st.text(max_size=40))
def test_no_name_and_no_base_breaks_it(name: str, base: str) -> None:
    with contextlib.suppress(InputError):
        open_model(ModelSpec(name=f"openai/{name}", api_base=base or None))


def test_the_public_names_exist_and_load_nothing_heavy() -> None:
    for name in trialkit.models.__all__:
        assert hasattr(trialkit.models, name)
    code = "import sys, trialkit.models; print({'litellm', 'aiohttp', 'numpy', 'pydantic'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ})
    assert done.stdout.strip() == "set()"
