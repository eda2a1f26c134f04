"""Text that any file can hold, whoever wrote it."""

import re

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def whole_text(text: str) -> str:
    """With U+FFFD for each lone surrogate: models can write one, as an escape, but neither UTF-8 nor SQLite hold it."""
    return text if text.isascii() else _LONE_SURROGATE.sub("\ufffd", text)


def clean(text: str) -> str:
    """Without NULs either, which no CSV can hold."""
    return whole_text(text).replace("\0", "\ufffd")
