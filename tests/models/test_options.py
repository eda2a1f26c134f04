"""What is set for a role is asked for in each of its requests, unless the request says otherwise."""

import pytest

from tests.server import Server
from trialkit.models import Message, ModelSpec, Options, Request, open_model

HELLO = (Message(role="user", text="hello"),)


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (
            Request(messages=HELLO),
            Request(messages=HELLO, max_tokens=9, reasoning="low", extra={"a": {"b": 1}, "c": 2}),
        ),
        (
            Request(messages=HELLO, max_tokens=5, reasoning="high", extra={"a": {"d": 3}, "c": 4}),
            Request(messages=HELLO, max_tokens=5, reasoning="high", extra={"a": {"b": 1, "d": 3}, "c": 4}),
        ),
    ],
    ids=["it says nothing", "it says all of it"],
)
def test_a_request_says_it_first(request_: Request, expected: Request) -> None:
    options = Options(max_tokens=9, reasoning="low", extra={"a": {"b": 1}, "c": 2})
    assert options.of(request_) == expected
    assert Options().of(request_) is request_


async def test_what_only_the_provider_knows_goes_into_the_body_as_it_is(server: Server) -> None:
    model = open_model(ModelSpec(name="openai/m", api_base=server.openai_base))
    request = Request(messages=HELLO, top_p=0.9, reasoning="high", extra={"top_k": 3, "metadata": {"team": "a"}})
    await model(request)
    await model.aclose()
    body = server.requests[0].body
    assert {name: body[name] for name in ("top_p", "reasoning_effort", "top_k", "metadata")} == {
        "top_p": 0.9,
        "reasoning_effort": "high",
        "top_k": 3,
        "metadata": {"team": "a"},
    }
