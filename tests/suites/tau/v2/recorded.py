"""Recordings of the reference, and when an observation of ours is equal to one of them."""

import json
import re
from collections.abc import Iterator
from typing import Any

from tests.shared import shared_path
from trialkit.suites.tau.v2.domain import Tau2Domain

#: What Python and pydantic say about a call; their words change with their versions, so only the error counts.
_PYTHON = re.compile(
    r"validation errors? for |\w+\(\) (missing|got an unexpected)|^Error: '.*'$|<string>|division by zero"
)


def lines(domain: Tau2Domain, kind: str) -> Iterator[dict[str, Any]]:
    with shared_path("parity", f"{domain.name.replace('/', '-')}-{kind}.jsonl").open(encoding="utf-8") as recorded:
        yield from map(json.loads, recorded)


def plain(value: Any) -> Any:
    """A field that is null is equal to one that is absent."""
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items() if part is not None}
    return [plain(part) for part in value] if isinstance(value, list) else value


def equal(recorded: str, ours: str) -> bool:
    if recorded.startswith("Error:") and _PYTHON.search(recorded):
        return ours.startswith("Error:")
    try:
        return bool(plain(json.loads(recorded)) == plain(json.loads(ours)))
    except ValueError:
        return recorded == ours
