"""Texts with places for columns."""

import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialkit.errors import InputError
from trialkit.text.template import columns_in, columns_of, fill, fill_value, pieces

ROW = {"text": "It {{ broke }}", "Expected team": "billing", "n": 1.50, "ok": True, "none": None, "list": [1, "ä"]}


def test_a_value_is_put_in_as_text_and_never_looked_into() -> None:
    assert fill("<{{text}}> {{ n }} {{ ok }} {{none}} {{ list }}", ROW) == '<It {{ broke }}> 1.5 true  [1,"ä"]'
    assert fill("{{ Expected team }}", ROW) == "billing"


def test_braces_can_be_written() -> None:
    assert fill("{{ '{{' }} text }} {not} }{", ROW) == "{{ text }} {not} }{"


def test_columns_stand_once_in_their_order() -> None:
    assert columns_of("{{ b }} {{ a }} {{ b }} {{ '{{' }}") == ["b", "a"]
    assert columns_in({"x": ["{{ a }}", {"y": "{{ b }}"}, 3], "z": None}) == {"a", "b"}


def test_a_value_that_is_one_column_keeps_its_type() -> None:
    assert fill_value({"a": "{{ n }}", "b": ["{{ list }}", "{{ n }}!"], "c": 7}, ROW) == {
        "a": 1.5,
        "b": [[1, "ä"], "1.5!"],
        "c": 7,
    }


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{{ txt }}", 'there is no column "txt"; did you mean "text"?'),
        ("a\nb {{ text }} {{ text } c", "line 2: {{ text } c is never closed"),
        ("{{ }}", "names no column"),
    ],
)
def test_what_is_wrong_is_told(template: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        fill(template, ROW)
    assert said in str(caught.value)


COLUMN = st.text("ab c}'", min_size=1).map(str.strip).filter(lambda name: name and "}}" not in name and name[-1] != "}")


@given(st.lists(st.one_of(COLUMN.map(lambda name: (name, True)), st.text("xy }\n").map(lambda text: (text, False)))))
def test_what_was_put_together_is_taken_apart(given_pieces: list[tuple[str, bool]]) -> None:
    template = "".join(f"{{{{ {text} }}}}" if is_column else text for text, is_column in given_pieces)
    read = list(pieces(template))
    assert [piece.text for piece in read if piece.is_column] == [text for text, is_column in given_pieces if is_column]
    assert "".join(piece.text for piece in read) == "".join(text for text, _ in given_pieces)


@given(st.text("{ }'ab"))
def test_any_text_is_a_template_or_told_not_to_be(template: str) -> None:
    with suppress(InputError):
        assert len("".join(piece.text for piece in pieces(template))) <= len(template)


@pytest.mark.parametrize("piece", ["{{ a }}", "{", "}}", "{{ '{{' }}", "x"])
def test_reading_takes_time_in_proportion(piece: str) -> None:
    started = time.perf_counter()
    with suppress(InputError):
        list(pieces(piece * 50_000 + "}}" + "{{a}}"))
    assert time.perf_counter() - started < 2
