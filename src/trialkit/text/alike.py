"""Texts that look the same, made the same."""

import re
from unicodedata import normalize

#: They have no width and no meaning of their own: zero-width space, word joiner, byte order mark, soft hyphen.
_UNSEEN = dict.fromkeys(map(ord, "\u200b\u2060\ufeff\u00ad"))
#: Composing takes time with the square of a run of marks; no word of any language is as long.
_WORD = re.compile(r"\S{1,200}")


def alike(text: str) -> str:
    """Without what nobody sees, and with é as one character, however it was written."""
    if text.isascii():
        return text
    return _WORD.sub(lambda word: normalize("NFC", word[0]), text.translate(_UNSEEN))
