"""What replies cost."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialkit.errors import InputError
from trialkit.models import TokenPrice, Usage, price_of

CLAUDE = "claude-sonnet-4-5-20250929"


def test_the_price_file_is_litellms_own() -> None:
    price = price_of("anthropic", CLAUDE)
    assert price is not None
    assert (price.input, price.output, price.cache_read, price.cache_write) == (3e-06, 1.5e-05, 3e-07, 3.75e-06)
    assert price_of("gemini", "gemini-2.5-pro") is not None
    assert price_of(None, "gpt-4o") == price_of("openai", "gpt-4o")


@pytest.mark.parametrize(
    ("provider", "model"),
    [("openai", "no-such-model"), ("openai", CLAUDE), ("groq", "gpt-4o"), (None, "sample_spec"), (None, "nothing")],
)
def test_an_unknown_price_is_none(provider: str | None, model: str) -> None:
    assert price_of(provider, model) is None


def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: object) -> None:
    file = tmp_path / "prices.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    monkeypatch.setenv("TRIALKIT_PRICES", str(file))


def test_own_prices_add_to_the_file_and_replace_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cheap = {"input_cost_per_token": 1e-06, "output_cost_per_token": 2e-06}
    own(tmp_path, monkeypatch, {"gpt-4o": cheap, "openai/mine": cheap, "bare": cheap})
    expected = TokenPrice(input=1e-06, output=2e-06, cache_read=1e-06, cache_write=1e-06)
    assert price_of("openai", "gpt-4o") == expected
    assert price_of("anthropic", "gpt-4o") is None
    assert price_of("openai", "mine") == expected
    assert price_of("anything", "bare") == expected
    assert price_of("anthropic", CLAUDE) is not None


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", ":1:2: not JSON"),
        ("[]", "must be an object"),
        ({"m": 3}, "'m' must be an object"),
        ({"m": {"input_cost_per_token": 1}}, "'m' lacks output_cost_per_token"),
        ({"m": {"input_cost_per_token": "1", "output_cost_per_token": 1}}, "input_cost_per_token must be a number"),
        ({"m": {"input_cost_per_token": -1, "output_cost_per_token": 1}}, "must be a number from 0 up, not -1"),
    ],
)
def test_bad_prices_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: object, says: str) -> None:
    own(tmp_path, monkeypatch, content)
    with pytest.raises(InputError, match=f"prices.json.*{says}"):
        price_of("openai", "gpt-4o")


def test_a_missing_file_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIALKIT_PRICES", "no/such/file.json")
    with pytest.raises(InputError, match=r"no/such/file\.json: cannot be read: .*; TRIALKIT_PRICES names it"):
        price_of("openai", "gpt-4o")


def test_long_inputs_cost_what_their_tier_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiered = {
        "input_cost_per_token": 1.0,
        "output_cost_per_token": 2.0,
        "input_cost_per_token_above_200k_tokens": 10.0,
        "output_cost_per_token_above_200k_tokens": 20.0,
        "input_cost_per_token_above_500k_tokens": 100.0,
        "output_cost_per_token_above_500k_tokens": 200.0,
    }
    own(tmp_path, monkeypatch, {"m": tiered})
    price = price_of(None, "m")
    assert price is not None
    costs = [price.cost(Usage(input_tokens=size, output_tokens=1)) for size in (200_000, 200_001, 500_001)]
    assert costs == [200_002, 2_000_030, 50_000_300]


counts = st.integers(min_value=0, max_value=10**7)


@given(counts, counts, counts, counts)
def test_a_cost_adds_up(plain: int, read: int, write: int, out: int) -> None:
    price = TokenPrice(input=4.0, output=8.0, cache_read=1.0, cache_write=5.0)
    usage = Usage(
        input_tokens=plain + read + write, output_tokens=out, cache_read_tokens=read, cache_write_tokens=write
    )
    assert price.cost(usage) == plain * 4 + read + write * 5 + out * 8
