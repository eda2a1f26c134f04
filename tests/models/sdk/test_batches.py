"""The batch APIs of the test server are those that the providers' SDKs speak; nothing in their answers is strange."""

import importlib
import json
from typing import Any

from tests.packages import needs
from tests.server import Fault, Say, Server, in_turn

MESSAGES = [{"role": "user", "content": "Hello?"}]


def package(name: str) -> Any:
    needs(name, "uv sync --group sdks")
    return importlib.import_module(name)


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
