"""What servers call the longest reply that a request wants."""

import json

import pytest

from trialkit.models.protocols import ModelAddress, get_protocol
from trialkit.models.types import Message, Request

REQUEST = Request(messages=(Message(role="user", text="Hi"),), max_tokens=7)


@pytest.mark.parametrize(
    ("name", "base", "called"),
    [
        ("openai", "https://api.openai.com/v1", "max_completion_tokens"),
        ("openai", "http://localhost:8000/v1", "max_tokens"),
        ("azure", "https://mine.openai.azure.com/openai/v1", "max_completion_tokens"),
        ("ollama", "http://127.0.0.1:11434/v1", "max_tokens"),
    ],
)
def test_only_openais_own_models_are_told_by_the_newer_name(name: str, base: str, called: str) -> None:
    body = json.loads(get_protocol(name).body(REQUEST, ModelAddress(base=base, model="m")))
    assert {key: value for key, value in body.items() if key.startswith("max_")} == {called: 7}
