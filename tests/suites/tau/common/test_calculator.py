"""The calculator against Python itself."""

import warnings
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.suites.tau.domains import load, write_plain
from trialkit.suites.tau.common.calculator import MAX_LENGTH, ExpressionError, evaluate

NUMBERS = (
    st.integers(0, 999).map(str)
    | st.floats(0, 999).map(lambda number: f"{number:.3f}")
    | st.sampled_from(["5.", ".5", "00"])
)
SIGNED = st.tuples(st.sampled_from(["", "", "-", "+", "- -"]), NUMBERS).map("".join)
SMALL_POWERS = st.tuples(
    st.sampled_from(["2", "(-2)", "-3", "1.5", "0"]), st.sampled_from(["0", "3", "-2", "2**2"])
).map("**".join)
EXPRESSIONS = st.recursive(
    SIGNED | SMALL_POWERS,
    lambda inner: (
        st.tuples(inner, st.sampled_from([" + ", "-", " * ", "/", "//"]), inner).map("".join)
        | inner.map("({})".format)
        | inner.map("-({})".format)
    ),
    max_leaves=12,
)


def pythons_own(text: str) -> object:
    """What Python makes of it: a value, or the kind of trouble."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return float(eval(text, {"__builtins__": None}, {}))  # noqa: S307 - only the characters generated here
    except Exception as error:  # noqa: BLE001 - which one does not matter
        return error


@given(EXPRESSIONS)
def test_expressions_have_pythons_value(text: str) -> None:
    expected = pythons_own(text)
    if isinstance(expected, Exception):
        with pytest.raises((ArithmeticError, ValueError, TypeError)):
            float(evaluate(text))
    else:
        assert repr(float(evaluate(text))) == repr(expected)


@given(st.text("0123456789+-*/(). ", max_size=12).filter(lambda text: text.count("**") < 2))
@example("1 2")
@example("1..2")
@example("2(3)")
@example("()")
@example("...")
@example("1 * * 2")
@example("1 / / 2")
@example(" 1 ")
@example("1)(2")
@example("007.5")
def test_any_text_is_a_value_exactly_if_python_has_one(text: str) -> None:
    expected = pythons_own(text) if not _has_large_power(text) else None
    if expected is None:
        return
    try:
        value: object = float(evaluate(text))
    except (ArithmeticError, ValueError, TypeError):
        value = None
    assert (value is None) == isinstance(expected, Exception)
    if value is not None:
        assert repr(value) == repr(expected)


def _has_large_power(text: str) -> bool:
    """Python would take long over 9**9999999, which is refused here."""
    return "**" in text and sum(map(str.isdigit, text)) > 6


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "invalid syntax (<string>, line 0)"),
        ("2+", "invalid syntax (<string>, line 1)"),
        ("((2)", "'(' was never closed (<string>, line 1)"),
        ("2)", "unmatched ')' (<string>, line 1)"),
        (
            "010+1",
            (
                "leading zeros in decimal integer literals are not permitted; "
                "use an 0o prefix for octal integers (<string>, line 1)"
            ),
        ),
        ("9**9**9**9", "int too large to convert to float"),
        ("(9**9999)*(9**9999)*(9**9999)*(9**9999)", "int too large to convert to float"),
        ("(" * 201 + "1" + ")" * 201, "too many nested parentheses (<string>, line 1)"),
        ("1" * (MAX_LENGTH + 1), f"the expression has {MAX_LENGTH + 1} characters, the limit is {MAX_LENGTH}"),
    ],
)
def test_what_is_no_expression_is_refused(text: str, message: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        evaluate(text)
    assert str(caught.value) == message


def test_long_and_deep_expressions_within_the_limits_are_fine() -> None:
    assert evaluate("+".join(["1"] * 2000)) == 2000
    assert evaluate("(" * 200 + "1" + ")" * 200) == 1
    assert evaluate("-" * 400 + "1") == 1


@pytest.mark.parametrize(
    ("expression", "observation"),
    [
        ("2675/1000", "2.67"),
        ("7//2", "3.0"),
        ("2**-1", "0.5"),
        ("-2**2", "-4.0"),
        ("1/0", "Error: division by zero"),
        ("(-8)**0.5", "Error: float() argument must be a string or a real number, not 'complex'"),
        ("1e3", "Error: invalid characters in expression"),
        (["1", "+", "1"], "Error: eval() arg 1 must be a string, bytes or code object"),
        (7, "Error: 'int' object is not iterable"),
    ],
)
def test_the_tool_rounds_and_answers_errors_as_text(tmp_path: Path, expression: object, observation: str) -> None:
    assert load("retail", write_plain(tmp_path)).open().call("calculate", {"expression": expression}) == observation
