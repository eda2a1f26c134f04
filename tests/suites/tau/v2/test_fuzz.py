"""Arbitrary calls: nothing escapes, nothing leaks from one session into another, the same calls answer the same."""

import hashlib
import json
import tracemalloc
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trialkit.suites.tau.v2.domain import Tau2Domain

_READS = {
    "users": ("get_user_details", "user_id"),
    "orders": ("get_order_details", "order_id"),
    "products": ("get_product_details", "product_id"),
    "reservations": ("get_reservation_details", "reservation_id"),
}
_WRITING = ("cancel", "modify", "exchange", "return", "book", "update", "send")

Calls = list[tuple[str, dict[str, Any]]]

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 10**20) | st.floats() | st.text(max_size=8) | st.just("economy"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)


def _calls(domain: Tau2Domain) -> st.SearchStrategy[Calls]:
    """Mostly calls of the ground truth, some arguments replaced, so that they get somewhere; a few of pure noise."""
    gold = [(action["name"], action["kwargs"]) for task in domain.tasks("base") for action in task.actions]
    names = sorted({schema["function"]["name"] for schema in domain.tool_schemas})
    arguments = sorted({name for _, kwargs in gold for name in kwargs})

    def changed(call: tuple[str, dict[str, Any]], new: dict[str, Any], dropped: set[str]) -> tuple[str, dict[str, Any]]:
        name, kwargs = call
        known = {key: value for key, value in new.items() if key in kwargs}
        return name, {key: value for key, value in (kwargs | known).items() if key not in dropped}

    some = st.dictionaries(st.sampled_from(arguments), _VALUES, max_size=4)
    right = st.sampled_from(gold)
    near = st.builds(changed, right, some, st.sets(st.sampled_from(arguments), max_size=1))
    noise = st.tuples(st.sampled_from([*names, "respond", "__init__"]) | st.text(max_size=5), some)
    expressions = st.text("0123456789+-*/(). ", max_size=30).map(lambda text: ("calculate", {"expression": text}))
    return st.lists(right | near | near | noise | expressions, max_size=6)


def _digest(domain: Tau2Domain, home: Path) -> str:
    """Of everything that a fresh session can see."""
    file = home / "tau2" / "data" / "tau2" / "domains" / domain.name.removeprefix("tau2/") / "db.json"
    tables = json.loads(file.read_text(encoding="utf-8"))
    session, seen = domain.open(), hashlib.sha256()
    for table, rows in tables.items():
        if table in _READS:
            tool, argument = _READS[table]
            for key in rows:
                seen.update(session.call(tool, {argument: key}).encode())
    for day in range(1, 31):
        everywhere = {"origin": None, "destination": None, "date": f"2024-05-{day:02}"}
        seen.update(session.call("search_direct_flight", everywhere).encode())
    return seen.hexdigest()


def test_any_call_is_answered(domain: Tau2Domain, tau2_home: Path) -> None:
    pristine = _digest(domain, tau2_home)
    outcomes = set()

    @settings(max_examples=2 * settings().max_examples, suppress_health_check=list(HealthCheck))
    @given(calls=_calls(domain))
    def check(calls: Calls) -> None:
        one, other = domain.open(), domain.open()
        for name, kwargs in calls:
            before, given_text = one.changed(), repr(kwargs)
            observation = one.call(name, kwargs)
            assert observation == other.call(name, kwargs)
            assert repr(kwargs) == given_text
            if not name.startswith(_WRITING):
                assert repr(one.changed()) == repr(before)
            outcomes.add((name.startswith(_WRITING), observation.startswith("Error:")))
        assert repr(one.changed()) == repr(other.changed())

    check()
    assert outcomes == {(True, True), (True, False), (False, True), (False, False)}
    assert _digest(domain, tau2_home) == pristine


def test_memory_stays_flat(domain: Tau2Domain) -> None:
    """A session keeps what it wrote and nothing of the calls."""
    calls = [(action["name"], action["kwargs"]) for task in domain.tasks("test") for action in task.actions]
    calls = [call for call in calls if not call[0].startswith(_WRITING)]
    calls += [("calculate", {"expression": "9" * 4000}), ("get_user_details", {"user_id": "x" * 10_000}), ("", {})]
    session = domain.open()
    for name, kwargs in calls:
        session.call(name, kwargs)
    tracemalloc.start()
    session.call(*calls[0])
    start, _ = tracemalloc.get_traced_memory()
    for number in range(5000):
        session.call(*calls[number % len(calls)])
    end, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert end - start < 20_000
