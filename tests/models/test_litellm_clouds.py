"""The contract through LiteLLM at Bedrock's Converse and at Vertex, each played by our server."""

import functools
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.models.conftest import KEY, Waits
from tests.models.contract import HELLO, Contract
from tests.packages import needs
from tests.server import Raw, Server
from trialkit.errors import InputError, ModelErrorKind
from trialkit.models import Connection, ModelSpec, TokenPrice, Traffic, open_model, price_of

# LiteLLM's own, some of them raised only when it is first used
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning:pydantic")


class TestBedrock(Contract):
    protocol = "bedrock"
    model = "anthropic.claude-haiku-4-5-20251001-v1:0"
    client = "litellm"
    exact = False
    knows_seed = False
    refused = 403

    @pytest.fixture(autouse=True)
    def account(self, monkeypatch: pytest.MonkeyPatch) -> None:
        needs("litellm", "uv sync --extra litellm")
        monkeypatch.setenv("AWS_REGION_NAME", "eu-central-1")
        monkeypatch.setenv("AWS_BEARER_TOKEN_BEDROCK", KEY)

    async def test_a_request_is_signed_and_the_address_may_stand_in_the_environment(
        self, server: Server, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("AWS_BEARER_TOKEN_BEDROCK")
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", KEY)
        monkeypatch.setenv("AWS_BEDROCK_RUNTIME_ENDPOINT", server.url)
        model = open_model(ModelSpec(name=f"bedrock/{self.model}"))
        assert (await model(HELLO)).reply.text == "ok"
        await model.aclose()
        signed = server.requests[0].headers["authorization"]
        assert signed.startswith("AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/")
        assert "/eu-central-1/bedrock/aws4_request" in signed


class TestVertex(Contract):
    protocol = "gemini"
    model = "gemini-2.5-pro"
    client = "litellm"
    exact = False
    calls_have_ids = False
    forgets = False

    @pytest.fixture(autouse=True)
    def account(self, server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        """A service account, whose signature is answered with a token."""
        needs("litellm", "uv sync --extra litellm")
        needs("google.auth", "uv sync --group sdks")
        server.token = KEY
        told = {"type": "service_account", "project_id": "p", "private_key_id": "1", "private_key": private_key()}
        told |= {"client_email": "us@example.org", "client_id": "1", "token_uri": f"{server.url}/token"}
        (tmp_path / "account.json").write_text(json.dumps(told))
        monkeypatch.setenv("VERTEXAI_CREDENTIALS", str(tmp_path / "account.json"))
        monkeypatch.setenv("VERTEXAI_PROJECT", "p")
        monkeypatch.setenv("VERTEXAI_LOCATION", "europe-west1")

    def price(self) -> TokenPrice:
        price = price_of("vertex_ai", self.model)
        assert price is not None
        return price

    @asynccontextmanager
    async def open(self, server: Server, waits: Waits, **options: Any) -> AsyncIterator[Connection]:
        spec = ModelSpec(name=f"vertex_ai/{self.model}", api_base=server.url, client="litellm", **options)
        connection = open_model(spec, Traffic(10, sleep=waits, uniform=lambda _low, high: high))
        try:
            yield connection
        finally:
            await connection.aclose()

    @pytest.mark.parametrize("kind", ["not_found", "bad_request", "content_filter", "context_overflow"])
    async def test_lasting_faults_are_not_tried_again(self, server: Server, waits: Waits, kind: ModelErrorKind) -> None:
        """But for those of keys and their quotas, of which Vertex has none."""
        await super().test_lasting_faults_are_not_tried_again(server, waits, kind, kind)

    async def test_a_wrong_key_is_not_shown(self, server: Server, waits: Waits) -> None:
        error = {"code": 401, "message": f"no valid credential: {KEY}", "status": "UNAUTHENTICATED"}
        server.behave(Raw(body=json.dumps({"error": error}).encode(), status=401))
        found = await self.fails(server, waits)
        assert (found.kind, found.status) == ("auth", 401)


@functools.cache
def private_key() -> str:
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - google.auth brings it
    from cryptography.hazmat.primitives.asymmetric import rsa  # noqa: PLC0415 - as above

    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    form = serialization.PrivateFormat.PKCS8
    return key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()).decode()


def test_what_vertex_wants_is_said_before_anything_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    needs("litellm", "uv sync --extra litellm")
    monkeypatch.setitem(sys.modules, "google.auth", None)
    monkeypatch.delitem(sys.modules, "google", raising=False)
    with pytest.raises(InputError, match=r"^vertex_ai: .*pip install 'google-auth\[requests\]'$"):
        open_model(ModelSpec(name="vertex_ai/gemini-2.5-pro"))
