"""The arguments of a tool call, from the text that a model wrote."""

from trialkit.text.json import JsonError, deeper_than, parse

#: No tool takes what is nested deeper, and Python's own limits come soon after.
_DEEPEST = 100


def read_arguments(text: str) -> dict[str, object]:
    """The object in the text, none at all for an empty text. ValueError says why there is none."""
    if not text.strip():
        return {}
    try:
        value = parse(text, finite=True)
    except JsonError as error:
        why = f"not JSON ({error.what} at character {error.position})" if error.line else error.what
        raise ValueError(why) from None
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")  # noqa: TRY004 - data, not a programming error
    if deeper_than(value, _DEEPEST):
        raise ValueError("nested too deeply")
    return value
