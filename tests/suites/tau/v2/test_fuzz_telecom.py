"""Arbitrary calls of both parties: nothing escapes, nothing leaks into another session, a replay answers the same."""

import json
from pathlib import Path
from random import Random
from typing import Any

from tests.suites.tau.v2.conftest import load
from trialkit.dialogue import By
from trialkit.suites.tau.v2.domain import Tau2Domain

_ODD: tuple[Any, ...] = (None, True, 0, -1, 2.5, 10**30, "", "x", "L1002", "C1001", [], ["a"], {}, {"a": 1})
_USUAL: dict[str, tuple[Any, ...]] = {
    "customer_id": ("C1001", "C1001", "C1002", "C1003"),
    "line_id": ("L1002", "L1001", "L1005", "L1009"),
    "bill_id": ("B1234321", "B1001", "B1003", "B1004"),
    "gb_amount": (2.0, 1, True),
    "phone_number": ("555-123-2002", "555-123-1003"),
    "id": ("L1001", "D1003", "B1002", "C1002", "P1003"),
    "mode": ("4g_5g_preferred", "2g_only", "5G"),
    "app_name": ("messaging", "browser"),
    "permission": ("sms", "STORAGE", "camera"),
    "apn_settings": ({}, {"apn_name": "broken"}, {"mms_port": "80"}, {"nope": 1}),
}
_LOOKING = ("get_", "check_", "can_", "run_", "transfer_")


def _call(draws: Random, domain: Tau2Domain) -> tuple[By, str, dict[str, Any]]:
    by: By = draws.choice(("agent", "user"))
    function = draws.choice(domain.tool_schemas if by == "agent" else domain.user_tool_schemas)["function"]
    kwargs = {
        name: draws.choice(_ODD if draws.random() < 0.2 else _USUAL.get(name, ("John Smith",)))
        for name in function["parameters"]["properties"]
        if draws.random() < 0.95
    }
    return by, function["name"], kwargs


def test_any_call_is_answered(tau2_home: Path) -> None:
    domain = load("tau2/telecom", tau2_home)
    before = json.dumps(domain.tables, sort_keys=True)
    draws, tasks, outcomes = Random(1), domain.tasks("small"), set()
    for _ in range(300):
        task = draws.choice(tasks)
        one, other = domain.open(task), domain.open(task)
        for _ in range(10):
            by, name, kwargs = _call(draws, domain)
            left, given = one.left(), repr(kwargs)
            observation = one.call(name, kwargs, by)
            assert observation == other.call(name, kwargs, by)
            assert repr(kwargs) == given
            looks = name.startswith(_LOOKING)
            if looks:
                assert one.left() == left
            outcomes.add((by, looks, observation.startswith("Error:")))
        assert repr(one.left()) == repr(other.left())
        assert set(one.user_state()) == {"device", "surroundings"}
    assert len(outcomes) == 8
    assert json.dumps(domain.tables, sort_keys=True) == before
