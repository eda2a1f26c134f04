"""Arbitrary calls: nothing escapes, an error leaves the database alone, memory stays flat."""

import gc
import random
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.suites.tau.domains import NAMES, shared_domain
from trialkit.suites.tau import Domain

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


def known_values(domain: Domain) -> list[Any]:
    """Values out of the benchmark's own tasks, so that calls get past the first check."""
    values: list[Any] = [
        "yes",
        "economy",
        "2024-05-20",
        "gift_card",
        0,
        1,
        -1,
        10**30,
        float("nan"),
        float("inf"),
        [],
        {},
        "",
    ]
    for task in domain.tasks("test"):
        for action in task.actions:
            values.extend(action["kwargs"].values())
    return values


def calls(domain: Domain) -> st.SearchStrategy[tuple[Any, Any]]:
    """Right, nearly right and arbitrary calls."""
    parameters = {s["function"]["name"]: list(s["function"]["parameters"]["properties"]) for s in domain.tool_schemas}
    truth = [(action["name"], action["kwargs"]) for task in domain.tasks("test") for action in task.actions]
    values = st.sampled_from(known_values(domain)) | JSON

    def arguments(name: str) -> st.SearchStrategy[tuple[Any, Any]]:
        return st.tuples(st.just(name), st.fixed_dictionaries(dict.fromkeys(parameters[name], values)))

    def spoilt(call: tuple[str, dict[str, Any]]) -> st.SearchStrategy[tuple[Any, Any]]:
        keys = st.sampled_from([*call[1], "unexpected"])
        return st.tuples(
            st.just(call[0]), st.dictionaries(keys, values, max_size=2).map(lambda change: call[1] | change)
        )

    nearly = st.sampled_from(truth).flatmap(spoilt)
    full = st.sampled_from(sorted(parameters)).flatmap(arguments)
    names = st.sampled_from(sorted(parameters)) | st.text() | JSON
    return (
        st.sampled_from(truth) | nearly | full | st.tuples(names, st.dictionaries(st.text(), JSON, max_size=3) | JSON)
    )


def certificate_used_twice(kwargs: Any) -> bool:
    """The one way in which the reference leaves a write behind an error."""
    methods = kwargs.get("payment_methods") if isinstance(kwargs, dict) else None
    return isinstance(methods, list) and len(methods) > 1


@pytest.mark.parametrize("name", NAMES)
def test_no_call_raises_and_an_error_changes_nothing(name: str) -> None:
    domain = shared_domain(name)

    @settings(max_examples=4 * settings().max_examples)
    @given(st.lists(calls(domain), min_size=1, max_size=4))
    def fuzz(sequence: list[tuple[Any, Any]]) -> None:
        session = domain.open()
        for tool, kwargs in sequence:
            before = session.changed()
            observation = session.call(tool, kwargs)
            assert isinstance(observation, str)
            if observation.startswith(("Error:", "Unknown action")) and not certificate_used_twice(kwargs):
                assert repr(session.changed()) == repr(before)

    fuzz()
    assert domain.open().changed() == {}


@pytest.mark.parametrize("name", NAMES)
def test_memory_stays_flat_over_100_000_calls(name: str) -> None:
    domain = shared_domain(name)
    draw, values = random.Random(5), known_values(domain)
    truth = [(action["name"], action["kwargs"]) for task in domain.tasks("test") for action in task.actions]
    slow = {"search_onestop_flight", "search_direct_flight", "find_user_id_by_email", "find_user_id_by_name_zip"}
    fast = [(tool, kwargs) for tool, kwargs in truth if tool not in slow]
    spoilt = [(tool, {key: draw.choice(values) for key in kwargs}) for tool, kwargs in fast * 4]
    sequence = [*fast, *spoilt]

    def blocks_after(sessions: int) -> int:
        for _ in range(sessions):
            session = domain.open()
            for number in range(2_000):
                session.call(*sequence[number % len(sequence)])
        gc.collect()
        return sys.getallocatedblocks()

    settled = blocks_after(sessions=5)
    assert blocks_after(sessions=45) - settled < 2_000
