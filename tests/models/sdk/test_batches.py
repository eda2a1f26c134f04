"""The batch APIs of the test server are those that the providers' SDKs speak; nothing in their answers is strange."""

import asyncio
import importlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.models.sdk.asked import requests
from tests.models.sdk.chat import Chat
from tests.models.sdk.messages import Messages
from tests.models.sdk.oracle import Oracle, closed
from tests.models.sdk.responses import Responses
from tests.packages import needs
from tests.server import Fault, Say, Server, in_turn
from trialkit.models import Request
from trialkit.models.answers import Answers
from trialkit.models.batch.anthropic import AnthropicBatches
from trialkit.models.batch.openai import OpenAIBatches
from trialkit.models.protocols import ModelAddress
from trialkit.models.secrets import Secrets
from trialkit.models.web import Web

MESSAGES = [{"role": "user", "content": "Hello?"}]


def package(name: str) -> Any:
    needs(name, "uv sync --group sdks")
    return importlib.import_module(name)


async def submit(answers: Answers, bodies: Mapping[str, str]) -> None:
    web = Web(answers, timeout=60)
    api = (AnthropicBatches if answers.protocol.name == "anthropic" else OpenAIBatches)(answers, web)
    await api.submit(bodies, "a" * 64)
    await api.aclose()


@pytest.mark.parametrize("oracle", [Chat(), Responses(), Messages()], ids=lambda oracle: oracle.protocol.name)
def test_what_is_submitted_is_what_the_sdk_could_send(oracle: Oracle, tmp_path: Path) -> None:
    """The batch itself, and each request in it."""
    protocol = oracle.protocol
    with Server() as server:
        base = server.base("anthropic" if protocol.name == "anthropic" else "openai")
        to = ModelAddress(base=base, model=oracle.model)
        answers = Answers(protocol=protocol, to=to, price=None, secrets=Secrets.of_environment())

        @settings(database=None, max_examples=settings().max_examples // 5)
        @given(
            st.lists(
                requests(protocol, oracle.replies().map(oracle.json), tmp_path, streamed=False), min_size=1, max_size=4
            )
        )
        def check(asked: list[Request]) -> None:
            bodies = {f"n{number}": protocol.body(protocol.fitted(one), to) for number, one in enumerate(asked)}
            asyncio.run(submit(answers, bodies))
            batch = server.batches.submitted.pop()
            assert {name: json.loads(body) for name, body in bodies.items()} == batch.bodies
            for line in batch.lines_asked:
                body = line.pop("params" if protocol.name == "anthropic" else "body")
                oracle.body.validate_json(json.dumps(body), strict=True)
                assert line.keys() == (
                    {"custom_id"} if protocol.name == "anthropic" else {"custom_id", "method", "url"}
                )
            if protocol.name != "anthropic":
                created = oracle.types(".batch_create_params").BatchCreateParams
                closed(created).validate_python(batch.asked, strict=True)

        check()


def test_openai() -> None:
    sdk = package("openai")
    with (
        Server(in_turn(Say(text="Hello."), Fault(kind="bad_request"))) as server,
        sdk.OpenAI(base_url=server.openai_base, api_key="key", _strict_response_validation=True) as client,
    ):
        where: dict[str, Any] = {"method": "POST", "url": "/v1/chat/completions"}
        body = {"model": "m", "messages": MESSAGES}
        lines = "\n".join(json.dumps({"custom_id": name, **where, "body": body}) for name in "ab")
        file = client.files.create(file=("requests.jsonl", lines.encode()), purpose="batch")
        server.batches.looks_needed = 2
        batch = client.batches.create(input_file_id=file.id, endpoint="/v1/chat/completions", completion_window="24h")
        states = [batch.status, *(client.batches.retrieve(batch.id).status for _ in range(2))]
        assert states == ["validating", "in_progress", "completed"]
        batch = client.batches.retrieve(batch.id)
        (good,) = map(json.loads, client.files.content(batch.output_file_id).text.splitlines())
        (bad,) = map(json.loads, client.files.content(batch.error_file_id).text.splitlines())
    reply = sdk.types.chat.ChatCompletion.model_validate(good["response"]["body"], strict=True)
    assert (good["custom_id"], reply.choices[0].message.content) == ("a", "Hello.")
    assert (bad["custom_id"], bad["response"]["status_code"]) == ("b", 400)


def test_anthropic() -> None:
    sdk = package("anthropic")
    with (
        Server(in_turn(Say(text="Hello."), Fault(kind="bad_request"))) as server,
        sdk.Anthropic(base_url=server.url, api_key="key", _strict_response_validation=True) as client,
    ):
        params = {"model": "m", "max_tokens": 10, "messages": MESSAGES}
        server.batches.fate = lambda body: "expired" if body["max_tokens"] == 11 else "answered"
        requests = [{"custom_id": name, "params": params} for name in "ab"]
        late = {"custom_id": "late", "params": {**params, "max_tokens": 11}}
        batch = client.messages.batches.create(requests=[*requests, late])
        assert batch.processing_status == "in_progress"
        assert client.messages.batches.retrieve(batch.id).processing_status == "ended"
        found = {one.custom_id: one.result for one in client.messages.batches.results(batch.id)}
    assert list(found) == ["late", "b", "a"]
    assert found["a"].message.content[0].text == "Hello."
    assert found["b"].error.error.type == "invalid_request_error"
    assert found["late"].type == "expired"
