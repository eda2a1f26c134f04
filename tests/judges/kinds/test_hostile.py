"""Answers that are made to take long: every judge takes time in proportion to them, and says fail."""

import time
from typing import Any

import pytest

from .trying import judge_of, verdict

SIZE = 200_000  # with the square of it any judge would take minutes
TEXTS = {
    "lines": "\n" * SIZE,
    "numbers": "1 " * (SIZE // 2),
    "fences": "```\n" * (SIZE // 4),
    "brackets": "[" * SIZE,
    "objects": '{"a":' * (SIZE // 5),
    "marks": "\u0301\u0316" * (SIZE // 2),
    "names": "billing_" * (SIZE // 8),
    "underlines": "_" * SIZE,
}
JUDGES: dict[str, dict[str, Any]] = {
    "equals": {"value": "x"},
    "one_of": {"values": ["x", "y"]},
    "contains": {"all": ["x", "_1"]},
    "regex": {"pattern": r"\bRF-[0-9]{4}\b"},
    "number": {"value": 42, "which": "any"},
    "json": {"path": "a.b", "value": 1, "schema": {"type": "object"}},
    "label": {"value": "other", "classes": ["billing", "other", "\u8d26\u5355"]},
}


@pytest.mark.parametrize("kind", JUDGES)
def test_no_answer_makes_a_judge_slow(kind: str) -> None:
    judge, started = judge_of(kind, **JUDGES[kind]), time.process_time()
    assert {name: verdict(judge, text).outcome for name, text in TEXTS.items()} == dict.fromkeys(TEXTS, "fail")
    assert time.process_time() - started < 4
