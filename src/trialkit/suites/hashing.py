"""JSON data told apart by a hash."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any


def _plain(value: object) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise TypeError(f"{value!r:.60} is no JSON data")
    return dict(value)


def hash_of(data: object) -> str:
    """Of JSON data; the order of keys does not matter."""
    text = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=_plain)
    return hashlib.sha256(text.encode()).hexdigest()
