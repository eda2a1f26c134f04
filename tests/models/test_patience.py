"""A server that is still loading its model: waited for, but not for ever."""

import asyncio

import pytest

from tests.models.conftest import Waits
from tests.models.contract import HELLO
from tests.server import Raw, Say, Server
from trialkit.errors import ModelError
from trialkit.models import Connection, ModelSpec, Traffic, open_model

LOADING = Raw(body=b'{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}', status=503)


def opened(server: Server, waits: Waits, said: list[str]) -> Connection:
    traffic = Traffic(sleep=waits)
    traffic.say = said.append
    return open_model(ModelSpec(name="mine", api_base=server.openai_base, retries=0), traffic)


async def test_it_uses_up_no_retries_and_is_said_once(server: Server, waits: Waits) -> None:
    said: list[str] = []
    model = opened(server, waits, said)
    server.behave(*[LOADING] * 6, Say(text="ready"))
    sent = await asyncio.gather(model(HELLO), model(HELLO))
    await model.aclose()
    assert [one.reply.text for one in sent] == ["ready", "ready"]
    assert (sum(one.attempts for one in sent), waits) == (8, [2.0] * 6)
    assert said == [f"{server.openai_base} is loading its model; waiting, at most 10 min"]


async def test_it_is_given_up_in_the_end(server: Server, waits: Waits) -> None:
    server.behave(LOADING)
    model = opened(server, waits, [])
    with pytest.raises(ModelError, match="Loading model") as caught:
        await model(HELLO)
    await model.aclose()
    assert (caught.value.kind, 600 <= sum(waits) <= 605) == ("loading", True)
