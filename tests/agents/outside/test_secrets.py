"""What an agent outside writes is read without the secrets of the environment."""

import pytest
from aiohttp import web

from tests.agents.outside.address import Address
from tests.agents.outside.test_bounds import talking_to
from trialkit.agents.outside.http import HttpChannel
from trialkit.errors import ModelError

KEY = "sk-planted-0123456789abcdef"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", KEY)


async def test_a_programs_answer_its_last_words_and_a_line_that_it_began() -> None:
    say = f"input(); print('it is {KEY}', flush=True); input()"
    die = f"sys.stderr.write('{KEY}'); sys.stdout.write('so {KEY}')"
    async with talking_to(f"{say}; {die}") as process:
        assert await process.say("{}", 60) == "it is [redacted]\n"
        with pytest.raises(ModelError, match=r"\('so \[redacted\]'\); it wrote to stderr: \[redacted\]$"):
            await process.say("{}", 60)


async def test_the_answer_of_an_address_whatever_its_status() -> None:
    with Address() as agent:
        channel = HttpChannel(agent.url, None)
        agent.wrong = web.Response(text=f"it is {KEY}")
        assert await channel.say('{"type": "turn"}', 60) == "it is [redacted]"
        agent.wrong = web.Response(text=f"no {KEY}", status=500)
        with pytest.raises(ModelError, match=r"500: no \[redacted\]$"):
            await channel.say('{"type": "turn"}', 60)
        await channel.aclose()
