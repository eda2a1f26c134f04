"""--reasoning, --max-tokens and --extra, of each role: they are sent, recorded, replayed and compared."""

from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.e2e.court import Court
from tests.server import Server
from trialkit.runfile import RunFile


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    monkeypatch.setenv("OPENAI_API_KEY", "k" * 20)
    names = ("--model", "openai/m", "--judge-model", "openai/j")
    return ("run", "commodity", *names, "--ids", "S01", "--no-cache", "--output-dir", "out")


def test_each_role_is_asked_its_own_way(
    trialkit: Command, monkeypatch: pytest.MonkeyPatch, asked: tuple[str, ...]
) -> None:
    with Server(Court()) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.openai_base)
        assert trialkit(*asked).status == 0
        own = ("--reasoning", "high", "--max-tokens", "900", "--extra", '{"top_k": 3}')
        judging = ("--judge-reasoning", "low", "--judge-max-tokens", "800", "--judge-extra", '{"top_k": 4}')
        done = trialkit(*asked, *own, *judging)
        assert done.status == 0, done.err
        told = [
            [request.body.get(name) for name in ("model", "reasoning_effort", "max_tokens", "top_k")]
            for request in server.requests
        ]
        assert told == [
            ["m", None, None, None],
            ["j", None, None, None],
            ["m", "high", 900, 3],
            ["j", "low", 800, 4],
        ]
        plain, changed = sorted(Path("out").glob("*.trial"))
        again = trialkit("rejudge", str(changed), "--judge-reasoning", "medium")
        assert again.status == 0, again.err
        assert server.requests[-1].body["reasoning_effort"] == "medium"
    assert trialkit("replay", str(plain)).status == 0
    assert trialkit("replay", str(changed)).status == 0
    with RunFile(changed) as run:
        settings = run.info().settings
    assert (settings["reasoning"], settings["judge_extra"]) == ("high", {"top_k": 4})
    compared = trialkit("compare", str(plain), str(changed)).out
    assert [line.split() for line in compared.splitlines() if line.split()[:1] == ["judge_reasoning"]] == [
        ["judge_reasoning", "—", "low"]
    ]


@pytest.mark.parametrize(
    ("flag", "value", "said"),
    [
        ("--reasoning", "much", "must be low, medium, high, or how many tokens to think with, such as 4000"),
        ("--reasoning", "0", "must be low, medium, high, or how many tokens to think with, such as 4000"),
        ("--extra", "{top_k: 3}", 'write it like {"top_k": 20}'),
        ("--extra", "[1]", "must be a JSON object"),
        ("--judge-extra", '{"model": "x"}', "must not say model, which trialkit says itself"),
    ],
)
def test_what_is_none_is_told(trialkit: Command, asked: tuple[str, ...], flag: str, value: str, said: str) -> None:
    done = trialkit(*asked, flag, value)
    assert done.status == 2
    assert flag in done.err
    assert said in done.err
