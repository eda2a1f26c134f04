"""The wheel's tasks, splits, policies and tool schemas."""

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from trialkit.errors import InputError
from trialkit.suites.tau import Domain, load_domain


def test_the_splits(retail: Domain, airline: Domain) -> None:
    assert {split: len(retail.tasks(split)) for split in retail.splits} == {"base": 114, "train": 74, "test": 40}
    assert {split: len(airline.tasks(split)) for split in airline.splits} == {"base": 50, "train": 30, "test": 20}


def test_a_split_is_part_of_the_base(domain: Domain) -> None:
    base = {task.id: task for task in domain.tasks("base")}
    for split in ("train", "test"):
        for task in domain.tasks(split):
            assert task.split == split
            assert set(task.splits) == {"base", split} == set(base[task.id].splits)
            assert task.criteria is base[task.id].criteria


def test_no_such_split(retail: Domain) -> None:
    with pytest.raises(InputError, match="no split 'dev'; it has base, train, test"):
        retail.tasks("dev")


def test_every_task_tells_the_user_what_to_do(domain: Domain) -> None:
    for task in domain.tasks("base"):
        assert task.scenario is not None
        assert not isinstance(task.scenario.instructions, str)
        assert task.scenario.instructions.reason_for_call in task.instruction
        assert task.scenario.instructions.task_instructions in task.instruction


def test_the_policy_and_the_users_rules_are_read(domain: Domain) -> None:
    assert len(domain.policy) > 1000
    assert len(domain.user_guidelines) > 500


def test_the_tools_are_the_sources_own(retail: Domain, airline: Domain) -> None:
    assert len(retail.tool_schemas) == 15
    assert len(airline.tool_schemas) == 14
    for schema in (*retail.tool_schemas, *airline.tool_schemas):
        function = schema["function"]
        assert function["description"]
        assert set(function["parameters"].get("required", [])) == set(function["parameters"]["properties"])
        for described in function["parameters"]["properties"].values():
            assert described["description"]


def test_nested_models_are_described(airline: Domain) -> None:
    (book,) = (s["function"] for s in airline.tool_schemas if s["function"]["name"] == "book_reservation")
    parameters = book["parameters"]
    assert parameters["properties"]["cabin"]["enum"] == ["business", "economy", "basic_economy"]
    assert {"$ref": "#/$defs/FlightInfo"} in parameters["properties"]["flights"]["items"]["anyOf"]
    assert set(parameters["$defs"]["Payment"]["properties"]) == {"payment_id", "amount"}


def test_a_domain_is_loaded_once(tau2_home: Path) -> None:
    assert load_domain("tau2/retail", tau2_home) is load_domain("tau2/retail", str(tau2_home))


def test_no_such_domain() -> None:
    known = "tau-bench/airline, tau-bench/retail, tau2/airline, tau2/retail, tau2/telecom, tau2/telecom-workflow"
    with pytest.raises(InputError, match=f"no domain 'tau2/hotel'; there are {known}"):
        load_domain("tau2/hotel")


def test_an_open_session_costs_kilobytes(domain: Domain) -> None:
    """After an oracle episode: the bound is 200 KB, and an airline booking copies whole flights."""
    task = max(domain.tasks("base"), key=lambda task: len(task.actions))
    domain.score(task, task.actions)
    tracemalloc.start()
    session = domain.open(task)
    for action in task.actions:
        session.call(action["name"], action["kwargs"])
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert session.changed()
    assert size < 200_000


def test_observations_are_what_the_database_holds(tau2_home: Path, retail: Domain) -> None:
    tables: dict[str, Any] = json.loads(
        (tau2_home / "tau2/data/tau2/domains/retail/db.json").read_text(encoding="utf-8")
    )
    session = retail.open()
    for key, row in tables["users"].items():
        assert json.loads(session.call("get_user_details", {"user_id": key})) == row
    assert session.changed() == {}
