"""Every request of ours is one that the provider's own SDK could send; every reply that it knows is read as it is."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from pydantic import TypeAdapter

from tests.models.sdk.asked import requests
from tests.models.sdk.chat import Chat
from tests.models.sdk.generate_content import GenerateContent
from tests.models.sdk.messages import Messages
from tests.models.sdk.oracle import Meaning, Oracle
from tests.models.sdk.responses import Responses
from tests.server.streams import events
from trialkit.models import Request, Usage
from trialkit.models.protocols import ModelAddress, streams
from trialkit.models.text_tools import in_text

ORACLES = [Chat(), Responses(), Messages(), GenerateContent()]
QUICK = settings(database=None, suppress_health_check=list(HealthCheck))
#: Requests of each protocol, and half as many replies.
EXAMPLES = 4 * QUICK.max_examples

each = pytest.mark.parametrize("oracle", ORACLES, ids=lambda oracle: oracle.protocol.name)


@each
def test_a_request_is_one_of_the_sdk(oracle: Oracle, tmp_path: Path) -> None:
    protocol = oracle.protocol
    to = ModelAddress(base=protocol.base, model=oracle.model)

    @settings(QUICK, max_examples=EXAMPLES)
    @given(requests(protocol, oracle.replies().map(oracle.json), tmp_path))
    def check(request: Request) -> None:
        oracle.body.validate_json(protocol.body(protocol.fitted(in_text(request)), to), strict=True)

    check()


@each
def test_a_reply_of_the_sdk_keeps_its_meaning(oracle: Oracle) -> None:
    @settings(QUICK, max_examples=EXAMPLES // 2)
    @given(oracle.replies())
    def check(said: Any) -> None:
        data = oracle.json(said)
        reply, usage = oracle.protocol.reply(data), oracle.protocol.usage(data)
        meant = oracle.meaning(said)
        assert Meaning(
            text=reply.text,
            calls=[(call.id, call.name, _arguments(call.arguments)) for call in reply.tool_calls],
            stop=reply.stop,
            tokens=_tokens(usage),
        ) == Meaning(
            text=meant.text,
            calls=[(at, name, _arguments(written)) for at, name, written in meant.calls],
            stop=meant.stop,
            tokens=meant.tokens,
        )

    check()


@pytest.mark.parametrize("oracle", [Chat(), Messages()], ids=lambda oracle: oracle.protocol.name)
def test_a_reply_in_pieces_is_the_same(oracle: Oracle) -> None:
    """The pieces that the tests' server makes of it are the SDK's own, too."""
    event_type: TypeAdapter[Any] = TypeAdapter(oracle.event())

    @settings(QUICK, max_examples=EXAMPLES // 4)
    @given(oracle.replies())
    def check(said: Any) -> None:
        whole = oracle.json(said)
        assume('"custom"' not in json.dumps(whole))  # which no piece of a call can be
        pieces = streams.events_of(
            events(whole, "openai" if oracle.protocol.name == "openai" else "anthropic").decode()
        )
        for piece in pieces:
            if piece.get("type") != "ping":  # which the SDK reads over
                event_type.validate_python(piece)
        joined = oracle.protocol.joined(pieces)
        assert replace(oracle.protocol.reply(joined), model="") == replace(oracle.protocol.reply(whole), model="")
        assert oracle.protocol.usage(joined) == oracle.protocol.usage(whole)

    check()


@each
def test_the_oracle_refuses_what_the_sdk_does_not_know(oracle: Oracle) -> None:
    """The test of the test."""
    to = ModelAddress(base=oracle.protocol.base, model=oracle.model)
    body = oracle.protocol.fields(Request(messages=()), to)
    oracle.body.validate_json(json.dumps(body), strict=True)
    with pytest.raises(ValueError, match="no_such_key"):
        oracle.body.validate_json(json.dumps({**body, "no_such_key": 1}), strict=True)


def _arguments(written: Any) -> Any:
    try:
        return json.loads(written) if isinstance(written, str) else written
    except ValueError:
        return written


def _tokens(usage: Usage | None) -> tuple[int, int, int, int] | None:
    if usage is None:
        return None
    return usage.input_tokens, usage.output_tokens, usage.cache_read_tokens, usage.cache_write_tokens
