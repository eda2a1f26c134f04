"""Whether JSON that was said is what was expected."""

from collections.abc import Mapping
from typing import Any

from trialkit.text.template import written


def same(found: Any, expected: Any) -> bool:
    """The same value. A cell of a CSV is always text: one that is written as the value would be is the same as well.

    Level by level would be no help here: what is expected comes from the suite, and what is found is only looked into
    as deep as that.
    """
    if isinstance(expected, Mapping):
        return (
            isinstance(found, Mapping)
            and found.keys() == expected.keys()
            and all(same(found[key], part) for key, part in expected.items())
        )
    if isinstance(expected, list | tuple):
        return (
            isinstance(found, list)
            and len(found) == len(expected)
            and all(same(one, other) for one, other in zip(found, expected, strict=True))
        )
    if isinstance(expected, str) and not isinstance(found, str):
        return _text(found) == expected.strip()
    return isinstance(found, bool) == isinstance(expected, bool) and bool(found == expected)


def _text(value: Any) -> str | None:
    try:
        return written(value)
    except RecursionError:  # nested too deeply to be anything that was expected
        return None
