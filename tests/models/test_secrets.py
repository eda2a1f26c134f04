"""Keys never show."""

import base64
import html
import json
import tracemalloc
from time import process_time
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialkit.models import Secrets
from trialkit.text.whole import whole_text

KEY = "sk-proj-4fT9/aB+q7LmZx2=WcR8vNd"
texts = st.text(max_size=30)
marks = st.text("aZ09-_+/=.:\"\\'<>&%é\u0130\u03a3\U0001f600", min_size=6, max_size=30)
keys = st.builds("{}7{}k{}".format, marks, marks, st.sampled_from(["", "x"]))


def spaced(text: str) -> str:
    return " ".join(text)


def wrapped(text: str) -> str:
    return "\n  ".join(text[place : place + 5] for place in range(0, len(text), 5))


@given(texts, keys, texts)
def test_a_secret_is_hidden_wherever_it_stands(before: str, key: str, after: str) -> None:
    secrets = Secrets([key])
    assert "[redacted]" in secrets.hide(before + key + after)
    assert json.dumps(key)[1:-1] not in secrets.hide(json.dumps([before, key, after])).replace("[redacted]", "")
    assert key not in repr(secrets)


@given(texts, keys, texts, st.integers(12, 60))
def test_what_is_json_stays_json(before: str, key: str, after: str, cut: int) -> None:
    told = json.dumps({"text": before + key[:cut] + after, "more": key})
    assert isinstance(json.loads(Secrets([key]).hide(told)), dict)


@pytest.mark.parametrize(
    "shape",
    [
        str.upper,
        str.lower,
        spaced,
        wrapped,
        quote,
        lambda key: quote(key, safe="").lower(),
        lambda key: "".join(f"%{ord(char):02X}" for char in key),
        lambda key: "".join(f"\\u{ord(char):04x}" for char in key),
        lambda key: json.dumps(json.dumps(key)).replace("/", "\\/"),
        html.escape,
        lambda key: f"{key[:14]}…",
        lambda key: f"{key[:12]}********",
        lambda key: spaced(key[:20]),
        lambda key: json.dumps(wrapped(key)),
        lambda key: json.dumps(json.dumps(wrapped(key).upper())),
        lambda key: "".join(f"\\\\\\\\u{ord(char):04x}" for char in key),
    ],
)
def test_no_shape_of_a_copy_is_left(shape: object) -> None:
    assert callable(shape)
    said = Secrets([KEY]).hide(f"key {shape(KEY)} is wrong")
    assert said.startswith("key ")
    assert said.endswith(" is wrong")
    assert "[redacted]" in said
    assert not any(piece in said.lower() for piece in ("4ft9", "4 f t 9", "q7lm", "wcr8"))


@given(
    st.binary(max_size=5), keys, st.binary(max_size=5), st.sampled_from([base64.b64encode, base64.urlsafe_b64encode])
)
def test_base64_is_hidden_at_all_three_places(before: bytes, key: str, after: bytes, encode: object) -> None:
    assert callable(encode)
    whole = encode(before + key.encode() + after).decode()
    left = Secrets([key]).hide(whole)
    assert "[redacted]" in left
    assert len(left.replace("[redacted]", "")) <= len(whole) - len(key) * 4 // 3 + 4


def test_the_longest_secret_is_hidden_first() -> None:
    assert Secrets(["secret1", "secret1-and-more"]).hide("secret1-and-more, secret1") == "[redacted], [redacted]"


def test_a_secret_in_an_address_is_hidden() -> None:
    assert Secrets(["sk-a/b+c="]).hide("GET /v1?key=sk-a%2Fb%2Bc%3D") == "GET /v1?key=[redacted]"
    assert Secrets(["secret9\udcff"]).hide("secret9\udcff") == "[redacted]"


@pytest.mark.parametrize(
    "value", ["abc", "ab3", "", None, "password", "Placeholder", "20260131", "lm-studio", "a       9"]
)
def test_short_values_and_words_are_no_secrets(value: str | None) -> None:
    text = f"abcdef {value} ab3 a 9 a9"
    assert Secrets([value]).hide(text) == text


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("corn-futures-desk", "Buy corn-futures-now"),  # letters alone are words: no cut copies
        ("sk-ant-api03-Zq8vT5xK2m", "Keys begin with sk-ant-api03- or sk-proj-."),
        ("agent7", "the urgent agent 7 of 9"),  # words side by side
        ("postgres://u:pw1234567@localhost/db", "psql postgres://u:@localhost/db"),
    ],
)
def test_ordinary_text_stays_whole(key: str, text: str) -> None:
    assert Secrets([key]).hide(text) == text


@pytest.mark.parametrize(
    ("name", "value", "hidden"),
    [
        ("SOME_API_KEY", "planted-one", "planted-one"),
        ("OPENAI_API_KEY_2", "planted-two", "planted-two"),
        ("MY_PAT", "planted-3", "planted-3"),
        ("REGISTRY_AUTH", "me:planted-4", "planted-4"),
        ("API_TOKEN_PROD", "planted-5", "planted-5"),
        ("DATABASE_URL", "postgres://me:plant%40ed6@db/x", "plant@ed6"),
        ("DATABASE_URL", "postgres://me:plant%40ed6@db/x", "postgres://me:plant%40ed6@db/x"),
        ("HTTPS_PROXY", "me:planted-7@proxy:3128", "planted-7"),
        ("SENTRY_DSN", "https://planted8@sentry.example/1", "planted8"),
        ("STORAGE", "AccountName=x;AccountKey=planted9/+==;", "planted9/+=="),
        ("BASE", "https://gateway.example/sk-plantedplanted10/v1", "sk-plantedplanted10"),
        ("HOOK", "https://hooks.example/T0/Pl4ntedPl4ntedPl4nted", "Pl4ntedPl4ntedPl4nted"),
        ("NOTE", "use ghp_plantedplantedplanted11", "ghp_plantedplantedplanted11"),
        ("WHO", "AKIAPLANTEDPLANTED12", "AKIAPLANTEDPLANTED12"),
        ("SESSION", "eyJhbGciOiJIUzI1.eyJwbGFudGVkMTMi.cGxhbnRlZDEzcGxhbnQ", "cGxhbnRlZDEzcGxhbnQ"),
        (
            "PEM",
            "-----BEGIN PRIVATE KEY-----\\nMIIEplantedplanted14\\n-----END PRIVATE KEY-----",
            "MIIEplantedplanted14",
        ),
        ("LOGIN_COOKIE", "a=1; b=planted-fifteen-15", "b=planted-fifteen-15"),
    ],
)
def test_secrets_of_the_environment(monkeypatch: pytest.MonkeyPatch, name: str, value: str, hidden: str) -> None:
    monkeypatch.setenv(name, value)
    assert Secrets.of_environment().hide(f"<{hidden}>") == "<[redacted]>"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SOME_NAME", "harmless-1"),
        ("SSH_KEY", "/bin/sh"),
        ("KEY_VAULT_NAME", "my-vault-1"),
        ("PWD", "/nowhere/at-all-1"),
        ("KEYBOARD_LAYOUT", "qwertz-2"),
        ("PATH_1", "task-manager-deployment_of_ours"),
        ("LOGIN_URL", "https://login.example/9f86d081884c7d659a2feaa0c55ad015"),
    ],
)
def test_other_variables_are_left_alone(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    assert Secrets.of_environment().hide(f"<{value}>") == f"<{value}>"


@pytest.mark.parametrize("text", ["an ordinary word or two, ", "k-proj-4f", KEY[:13] + " ", "{KEY} "])
def test_the_work_grows_with_the_text_alone(text: str) -> None:
    secrets = Secrets([KEY, *(f"{KEY[place:]}{place}" for place in range(9))])

    def work(times: int) -> float:
        began = process_time()
        secrets.hide(text.replace("{KEY}", KEY) * times)
        return process_time() - began

    work(100)
    assert min(work(8000) for _ in range(3)) < 8 * min(work(2000) for _ in range(3)) + 0.01


@pytest.mark.parametrize("text", ["a b ", "😀 ", "word " * 9], ids=ascii)
def test_the_memory_is_a_few_bytes_for_each_character(text: str) -> None:
    secrets, long = Secrets([KEY]), text * (2**19 // len(text)) + KEY
    tracemalloc.start()
    try:
        assert KEY not in secrets.hide(long)
        assert tracemalloc.get_traced_memory()[1] < 20 * len(long)
    finally:
        tracemalloc.stop()


@given(st.text(alphabet=st.characters(exclude_categories=[]), max_size=30))
def test_whole_text_can_be_stored(text: str) -> None:
    whole = whole_text(text)
    whole.encode()
    assert len(whole) == len(text)
    assert all(b in {a, "\ufffd"} for a, b in zip(text, whole, strict=True))
