"""Arithmetic as Python does it, without `eval`: numbers, + - * / // **, signs and parentheses.

A shunting yard, so that no input can exhaust the call stack, with limits on everything that could take time or memory.
"""

import operator
import re
from collections.abc import Callable

Number = int | float

MAX_LENGTH = 4096
#: CPython's own limit on nested parentheses.
MAX_DEPTH = 200
#: About 30,000 digits: a thousand times what still fits into a float, which every result ends as.
MAX_BITS = 100_000

_PIECE = re.compile(r" *(?:(?P<number>\d+\.\d*|\.\d+|\d+)|(?P<sign>\*\*|//|[-+*/()]))")
_BINDING = {"+": 1, "-": 1, "*": 2, "/": 2, "//": 2, "sign+": 3, "sign-": 3, "**": 4}


class ExpressionError(ValueError):
    """The text is not an expression, or is too large a one; in Python's words where Python has words for it."""


def evaluate(text: str) -> Number:
    """The value of an expression. Raises ExpressionError, and what Python's arithmetic raises."""
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"the expression has {len(text)} characters, the limit is {MAX_LENGTH}")
    if not text.strip(" "):
        raise ExpressionError("invalid syntax (<string>, line 0)")
    return _Yard().run(_pieces(text))


def _pieces(text: str) -> list[str]:
    pieces, position, end = [], 0, len(text.rstrip(" "))
    while position < end:
        match = _PIECE.match(text, position)
        if match is None:
            raise _syntax("invalid syntax")
        pieces.append(match["number"] or match["sign"])
        position = match.end()
    return pieces


class _Yard:
    """Operators wait here until what follows binds no more tightly than they do."""

    def __init__(self) -> None:
        self._values: list[Number] = []
        self._waiting: list[str] = []
        self._depth = 0

    def run(self, pieces: list[str]) -> Number:
        after_value = False
        for piece in pieces:
            after_value = self._operator(piece) if after_value else self._operand(piece)
        if self._depth:
            raise _syntax("'(' was never closed")
        if not after_value:
            raise _syntax("invalid syntax")
        self._settle(0)
        return self._values.pop()

    def _operand(self, piece: str) -> bool:
        """Takes what may stand where a value is due; whether the value is complete."""
        if piece[0].isdigit() or piece[0] == ".":
            self._values.append(_number(piece))
            return True
        if piece == "(":
            self._depth += 1
            if self._depth > MAX_DEPTH:
                raise _syntax("too many nested parentheses")
            self._waiting.append(piece)
        elif piece in "+-":
            self._waiting.append(f"sign{piece}")
        else:
            raise _syntax("unmatched ')'" if piece == ")" and not self._depth else "invalid syntax")
        return False

    def _operator(self, piece: str) -> bool:
        """Takes what may follow a value; whether a complete value stands there afterwards."""
        if piece == ")":
            if not self._depth:
                raise _syntax("unmatched ')'")
            self._settle(0)
            self._waiting.pop()
            self._depth -= 1
            return True
        if piece not in _BINDING:
            raise _syntax("invalid syntax")
        # `**` groups from the right, the others from the left.
        self._settle(_BINDING[piece] + (piece == "**"))
        self._waiting.append(piece)
        return False

    def _settle(self, binding: int) -> None:
        """Applies the waiting operators that bind at least so tightly, back to the open parenthesis."""
        while self._waiting and self._waiting[-1] != "(" and _BINDING[self._waiting[-1]] >= binding:
            name = self._waiting.pop()
            right = self._values.pop()
            if name.startswith("sign"):
                self._values.append(-right if name == "sign-" else right)
            else:
                self._values.append(_OPERATIONS[name](self._values.pop(), right))


def _number(piece: str) -> Number:
    if "." in piece:
        return float(piece)
    if piece[0] == "0" and piece.strip("0"):
        raise _syntax(
            "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers"
        )
    return int(piece)


def _product(left: Number, right: Number) -> Number:
    if isinstance(left, int) and isinstance(right, int):
        _fits(left.bit_length() + right.bit_length())
    return left * right


def _power(base: Number, exponent: Number) -> Number:
    if isinstance(base, int) and isinstance(exponent, int) and abs(base) > 1:
        _fits(base.bit_length() * exponent)
    value = base**exponent
    if isinstance(value, complex):
        raise TypeError("float() argument must be a string or a real number, not 'complex'")
    return value


def _fits(bits: int) -> None:
    if bits > MAX_BITS:
        # What Python says at the end, when the result becomes a float.
        raise ExpressionError("int too large to convert to float")


def _syntax(message: str) -> ExpressionError:
    return ExpressionError(f"{message} (<string>, line 1)")


_OPERATIONS: dict[str, Callable[[Number, Number], Number]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": _product,
    "/": operator.truediv,
    "//": operator.floordiv,
    "**": _power,
}
