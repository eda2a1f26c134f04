"""Keys never show."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialkit.models import Secrets
from trialkit.text.whole import whole_text

texts = st.text(max_size=30)
keys = st.text(min_size=6, max_size=20).filter(lambda key: key not in "[redacted]")


@given(texts, keys, texts)
def test_a_secret_is_hidden_wherever_it_stands(before: str, key: str, after: str) -> None:
    secrets = Secrets([key])
    assert "[redacted]" in secrets.hide(before + key + after)
    assert json.dumps(key)[1:-1] not in secrets.hide(json.dumps([before, key, after])).replace("[redacted]", "")
    assert key not in repr(secrets)


def test_the_longest_secret_is_hidden_first() -> None:
    assert Secrets(["secret", "secret-and-more"]).hide("secret-and-more, secret") == "[redacted], [redacted]"


def test_a_secret_in_an_address_is_hidden() -> None:
    assert Secrets(["sk-a/b+c="]).hide("GET /v1?key=sk-a%2Fb%2Bc%3D") == "GET /v1?key=[redacted]"
    assert Secrets(["secret\udcff"]).hide("secret\udcff") == "[redacted]"


def test_short_and_missing_values_are_no_secrets() -> None:
    assert Secrets(["abc", "", None]).hide("abcdef") == "abcdef"


def test_secrets_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "planted-one")
    monkeypatch.setenv("SOME_TOKEN", "planted-two")
    monkeypatch.setenv("SOME_NAME", "harmless")
    assert Secrets.of_environment().hide("planted-one planted-two harmless") == "[redacted] [redacted] harmless"


@given(st.text(alphabet=st.characters(exclude_categories=[]), max_size=30))
def test_whole_text_can_be_stored(text: str) -> None:
    whole = whole_text(text)
    whole.encode()
    assert len(whole) == len(text)
    assert all(b in {a, "\ufffd"} for a, b in zip(text, whole, strict=True))
