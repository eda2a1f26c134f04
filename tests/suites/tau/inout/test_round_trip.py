"""import → export → import leaves everything as it was."""

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.suites.tau.inout.files import (
    GOOD,
    TAU2_GOOD,
    answer,
    calls,
    crash,
    entry,
    says,
    simulation,
    tau2_answer,
    tau2_calls,
    tau2_results,
    user,
    write,
)
from tests.suites.tau.inout.runs import content, export, import_file, write_run

few = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | TEXT,
    lambda part: st.lists(part, max_size=2) | st.dictionaries(TEXT, part, max_size=2),
    max_leaves=4,
)
KWARGS = st.dictionaries(TEXT, JSON, max_size=3)
NAMES = st.sampled_from(["get_order_details", "cancel_pending_order", "think", "respond", "juggle"])


@st.composite
def tau_bench_messages(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Any talk between the three, sense or not."""
    messages = [user(draw(TEXT))]
    for _ in range(draw(st.integers(0, 5))):
        kind = draw(st.sampled_from(["reply", "call", "broken", "several"]))
        if kind == "reply":
            messages += [says(draw(TEXT)), user(draw(TEXT))]
            continue
        named = [(draw(NAMES), draw(TEXT if kind == "broken" else KWARGS))]
        if kind == "several":
            named.append((draw(NAMES), draw(KWARGS)))
        messages += [calls(*named, text=draw(st.none() | TEXT), first=len(messages)), answer(draw(TEXT), len(messages))]
    return messages


@st.composite
def tau2_messages(draw: st.DrawFn) -> list[dict[str, Any]]:
    messages = [says("Hi", turn_idx=0), user(draw(TEXT))]
    for _ in range(draw(st.integers(0, 4))):
        if draw(st.booleans()):
            messages += [says(draw(TEXT), cost=draw(st.none() | st.just(0.5))), user(draw(TEXT))]
            continue
        named = [(draw(NAMES), draw(KWARGS)) for _ in range(draw(st.integers(1, 2)))]
        messages.append(tau2_calls(*named, text=draw(st.none() | TEXT)))
        messages += [tau2_answer(draw(TEXT), number) for number in range(len(named))]
    return messages


def assert_round_trip(folder: Path, value: Any, suite: str) -> None:
    first = write_run(write(folder, value), suite)
    text = export(first)
    second = write_run(write(folder, text), suite)
    assert content(second) == content(first)
    assert export(second) == text


@few
@given(
    entries=st.lists(
        st.tuples(tau_bench_messages(), st.sampled_from([0.0, 1.0]), st.booleans()), min_size=1, max_size=3
    )
)
def test_tau_bench_round_trips(entries: list[tuple[list[dict[str, Any]], float, bool]]) -> None:
    value = [
        entry(*messages, reward=reward, trial=number, info={} if scored else {"reward_info": None})
        for number, (messages, reward, scored) in enumerate(entries)
    ]
    with TemporaryDirectory() as folder:
        assert_round_trip(Path(folder), value, "tau-bench/retail")


@few
@given(
    runs=st.lists(
        st.tuples(
            tau2_messages(),
            st.sampled_from(["user_stop", "agent_stop", "max_steps", "agent_error", "infrastructure_error"]),
            st.sampled_from([None, 0.0, 1.0]),
        ),
        min_size=1,
        max_size=3,
    )
)
def test_tau2_round_trips(runs: list[tuple[list[dict[str, Any]], str, float | None]]) -> None:
    value = tau2_results(
        *(
            simulation(*messages, termination_reason=reason, reward=reward, trial=number)
            for number, (messages, reason, reward) in enumerate(runs)
        )
    )
    with TemporaryDirectory() as folder:
        assert_round_trip(Path(folder), value, "tau2/retail")


def test_crashes_and_written_actions_round_trip(tmp_path: Path) -> None:
    written = (
        user("Hi"),
        says('Action:\n{"name": "get_order_details", "arguments": {"order_id": "#W1"}}'),
        user("API output: pending"),
        says("Bye"),
        user("###STOP###"),
    )
    noted = entry(*GOOD, trial=2, remark="kept")
    assert_round_trip(tmp_path, [entry(*written), crash(trial=1), noted], "tau-bench/retail")


@pytest.mark.parametrize("make", [lambda: [entry(*GOOD)], lambda: tau2_results(simulation(*TAU2_GOOD))])
def test_what_was_there_is_there_again(tmp_path: Path, make: Callable[[], Any]) -> None:
    """Field by field, but for what the provider itself had sent and nulls."""
    value = make()
    text = json.dumps(value)
    exported = json.loads(export(import_file(write(tmp_path, text))))
    assert _bare(exported) == _bare(json.loads(text))


def _bare(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _bare(part) for name, part in value.items() if part is not None and name != "raw_data"}
    return [_bare(part) for part in value] if isinstance(value, list) else value
