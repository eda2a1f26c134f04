"""Arithmetic as Python does it, without `eval`: numbers, + - * / // **, signs and parentheses.

Python's own parser reads the text and nothing is run; the limits are on everything that could take time or memory.
"""

import ast
import operator
from collections.abc import Callable

Operand = int | float

MAX_LENGTH = 4096
#: About 30,000 digits: a thousand times what still fits into a float, which every result ends as.
MAX_BITS = 100_000


class ExpressionError(ValueError):
    """The text is not an expression, or is too large a one; in Python's words where Python has words for it."""


def evaluate(text: str) -> Operand:
    """The value of an expression. Raises ExpressionError, and what Python's arithmetic raises."""
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"the expression has {len(text)} characters, the limit is {MAX_LENGTH}")
    values: list[Operand] = []
    for node in _operands_first(_parsed(text)):
        match node:
            case ast.Constant(value=int() | float() as value):
                values.append(value)
            case ast.UnaryOp(op=op):
                values.append(_SIGNS[type(op)](values.pop()))
            case ast.BinOp(op=op):
                right = values.pop()
                values.append(_OPERATIONS[type(op)](values.pop(), right))
            case _:  # such as `2(3)`, `()` and `...`
                raise ExpressionError("invalid syntax (<string>, line 1)")
    return values.pop()


def _parsed(text: str) -> ast.expr:
    try:
        return ast.parse(text.strip(" "), "<string>", "eval").body
    except SyntaxError as error:
        # What Python guesses was meant changes from version to version.
        what = error.msg.partition(". Perhaps")[0]
        raise ExpressionError(f"{what} (<string>, line {error.lineno})") from None
    except (RecursionError, MemoryError):  # thousands of signs in a row
        raise ExpressionError("the expression is nested too deeply") from None


def _operands_first(expression: ast.expr) -> list[ast.expr]:
    """Every part after those that it needs; without recursion, for a sum may be as deep as it is long."""
    waiting, found = [expression], []
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting += [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
    return found[::-1]


def _product(left: Operand, right: Operand) -> Operand:
    if isinstance(left, int) and isinstance(right, int):
        _fits(left.bit_length() + right.bit_length())
    return left * right


def _power(base: Operand, exponent: Operand) -> Operand:
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


_SIGNS: dict[type[ast.unaryop], Callable[[Operand], Operand]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}
_OPERATIONS: dict[type[ast.operator], Callable[[Operand, Operand], Operand]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: _product,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Pow: _power,
}
