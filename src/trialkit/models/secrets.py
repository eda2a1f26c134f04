"""Keeps keys out of everything that is shown or stored."""

import json
import os
import re
from collections.abc import Iterable
from urllib.parse import quote

_HIDDEN = "[redacted]"
_SHORTEST = 6  # shorter values turn up in ordinary text by chance
_SECRET_NAME = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)$")


class Secrets:
    """Values that must never be seen."""

    def __init__(self, values: Iterable[str | None] = ()) -> None:
        forms: set[str] = set()
        for value in values:
            if value and len(value) >= _SHORTEST:
                forms |= {value, json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]}
                forms |= {form.replace("/", "\\/") for form in forms}  # as some servers write it
                forms.add(quote(value, safe="", errors="replace"))  # in an address that a proxy shows
        # the longest first: a key may be the beginning of another
        self._forms = tuple(sorted(forms, key=lambda form: (-len(form), form)))

    @classmethod
    def of_environment(cls) -> "Secrets":
        """Every variable that is named like a secret (`…_KEY`, `…_TOKEN`, …)."""
        return cls(value for name, value in os.environ.items() if _SECRET_NAME.search(name.upper()))

    def hide(self, text: str) -> str:
        for form in self._forms:
            if form in text:
                text = text.replace(form, _HIDDEN)
        return text
