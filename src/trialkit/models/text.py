"""Text that can be stored anywhere."""

import re

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def whole_text(text: str) -> str:
    """The text with U+FFFD for each lone surrogate, which neither UTF-8 nor SQLite can hold."""
    return text if text.isascii() else _LONE_SURROGATE.sub("\ufffd", text)
