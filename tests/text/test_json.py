"""JSON of strangers: read as it was meant, or refused in words; what is written fits any file."""

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialkit.errors import InputError
from trialkit.text.json import JsonError, decode, deeper_than, dump, parse, read_json
from trialkit.text.whole import clean

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
ANY_TEXT = st.text(alphabet=st.characters())  # lone surrogates too


@given(VALUES)
def test_what_is_written_is_read_again(value: Any) -> None:
    assert parse(dump(value)) == value
    assert parse(json.dumps(value), unique=True) == value


@given(st.text() | VALUES.map(json.dumps))
def test_any_text_is_a_value_or_refused(text: str) -> None:
    with contextlib.suppress(JsonError):
        json.dumps(parse(text, unique=True, finite=True), allow_nan=False)


@given(st.dictionaries(ANY_TEXT, ANY_TEXT | st.lists(ANY_TEXT), max_size=3))
def test_no_lone_surrogate_comes_in_or_goes_out(value: dict[str, Any]) -> None:
    dump(value).encode()
    dump(parse(json.dumps(value))).encode()


def test_what_no_csv_can_hold_is_cleaned_where_it_is_asked() -> None:
    assert parse('{"a\\u0000": ["\\u0000\\ud83c"]}') == {"a\0": ["\0\ufffd"]}
    assert parse('{"a\\u0000": ["\\u0000\\ud83c"]}', clean=clean) == {"a\ufffd": ["\ufffd\ufffd"]}


@pytest.mark.parametrize(
    ("text", "options", "says"),
    [
        ("", {}, "is not JSON: Expecting value (line 1, character 1)"),
        ('{"a":\n  x}', {}, "(line 2, character 3)"),
        ("[" * 100_000, {}, "is not JSON that can be read: nested too deeply"),
        ("9" * 5000, {}, "limit"),
        ('[{"b": 1, "a": 2, "a": 3}]', {"unique": True}, 'the key "a" stands twice in one object'),
        ("[NaN]", {"finite": True}, "NaN is not JSON"),
        ("-1e999", {"finite": True}, "the number -1e999 is too large"),
    ],
)
def test_what_is_wrong_is_said(text: str, options: dict[str, Any], says: str) -> None:
    with pytest.raises(JsonError) as caught:
        parse(text, **options)
    assert says in str(caught.value)


def test_only_what_is_asked_for_is_refused() -> None:
    assert parse('{"a": 1, "a": 2}') == {"a": 2}
    assert parse("[1e999]") == [float("inf")]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b'{"a":\n  x}', r"f\.json:2:3: not JSON: .*; get another$"),
        (b"[" * 100_000, r"f\.json: nested too deeply; get another$"),
        (b"\xff", r"f\.json:1: byte 1 \(0xff\) is not UTF-8; save"),
    ],
)
def test_a_file_is_named_with_the_place(tmp_path: Path, data: bytes, says: str) -> None:
    (tmp_path / "f.json").write_bytes(data)
    with pytest.raises(InputError, match=says):
        read_json(tmp_path / "f.json", "get another")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.json: cannot be read: No such file or directory; get one$"):
        read_json(tmp_path / "none.json", "get one")


def test_a_byte_order_mark_is_no_part_of_a_file() -> None:
    assert decode(b"\xef\xbb\xbf[1]", "x") == [1]


@pytest.mark.parametrize(("value", "depth"), [(1, 0), ([], 1), ([{"a": [1]}], 3)])
def test_depth_is_counted(value: Any, depth: int) -> None:
    assert not deeper_than(value, depth + 1)
    assert depth == 0 or deeper_than([value], depth)
