"""What replies cost."""

import json
from datetime import date
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.packages import needs
from trialkit.errors import InputError
from trialkit.models import TokenPrice, Usage, listed_on, price_of, provider_of
from trialkit.models.own_prices import read_own

CLAUDE = "claude-sonnet-4-5-20250929"


def test_the_list_comes_along() -> None:
    price = price_of("anthropic", CLAUDE)
    assert price is not None
    assert (price.input, price.output, price.cache_read, price.cache_write) == (3e-06, 1.5e-05, 3e-07, 3.75e-06)
    assert price_of("gemini", "gemini-2.5-pro") is not None
    assert price_of(None, "gpt-4o") == price_of("openai", "gpt-4o")


def test_the_list_has_its_day() -> None:
    assert date.fromisoformat(listed_on()) >= date(2026, 11, 19)


def test_each_price_is_to_the_last_digit_what_litellm_says() -> None:
    needs("litellm", "uv sync --extra litellm")
    found = find_spec("litellm")
    assert found
    assert found.origin
    theirs = read_own(Path(found.origin).parent / "model_prices_and_context_window_backup.json")
    same = [name for name, listed in theirs.items() if price_of(None, name) == listed.price]
    assert len(same) > 0.9 * len(theirs)  # a newer release of theirs has other prices for some


def test_a_list_of_litellms_may_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cheap = {"input_cost_per_token": 1e-06, "output_cost_per_token": 2e-06}
    costs = {**cheap, "search_context_cost_per_query": {"high": 1}}
    new = {"litellm_provider": "vertex_ai-language-models", "mode": "chat", **costs}
    odd = {"litellm_provider": "openai", "mode": "chat", "input_cost_per_token": "?", "output_cost_per_token": None}
    picture = {"litellm_provider": "openai", "mode": "image_generation"}
    own(tmp_path, monkeypatch, {"sample_spec": {}, "new-model": new, "odd": odd, "dall-e-9": picture})
    assert price_of("vertex_ai", "new-model") is not None
    assert price_of("openai", "odd") is None
    assert (provider_of("odd"), provider_of("dall-e-9")) == ("openai", None)


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
