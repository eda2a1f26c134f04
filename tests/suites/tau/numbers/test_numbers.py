"""The figures of a tau run, from run files as the bench leaves them."""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.run_files import case, conversation, ended, verdict, write_run
from tests.shared import shared_path
from trialkit.analysis.summary import summarize
from trialkit.models import Reply, Usage
from trialkit.pages import Cell, Table
from trialkit.runfile import CallRecord, ModelInUse, Remark, RunFile, RunWriter, TrialRecord
from trialkit.suites import Details
from trialkit.suites.tau import tau_suites
from trialkit.suites.tau.numbers import details
from trialkit.suites.tau.v1.retail import SUITE as RETAIL


def write(folder: Path, *cases: Sequence[TrialRecord | None], suite: str = "tau-bench/retail", **parts: Any) -> Path:
    return write_run(
        folder / "r.trial", [(case(str(n)), trials) for n, trials in enumerate(cases)], suite=suite, **parts
    )


def details_of(path: Path) -> Details:
    with RunFile(path) as run:
        return details(run, RETAIL.published)


def table(found: Details, title: str) -> Table:
    one = next(one for one in found.tables if one.title.startswith(title))
    return one if isinstance(one, Table) else one.table()


def shown(row: Sequence[Cell | str]) -> list[str]:
    return [str(cell) for cell in row]


def values(counts: dict[str, Any]) -> dict[str, tuple[float, float]]:
    return {name: (one["count"]["value"], round(one["share"]["value"], 3)) for name, one in counts.items()}


def test_pass_at_turn_exactly_and_within(tmp_path: Path) -> None:
    trials = [conversation("pass", turns=turns) for turns in (1, 2, 2, 9)] + [conversation("fail", turns=1)] * 4
    found = details_of(write(tmp_path, *([trial] for trial in trials))).metrics["pass_at_turn"]
    assert [one["value"] for one in found["exact"]] == [1 / 8, 2 / 8, 0, 0]
    assert [one["value"] for one in found["cumulative"]] == [1 / 8, 3 / 8, 3 / 8, 3 / 8]
    assert {one["n"] for one in found["exact"]} == {8}


def test_pass_at_turn_is_unknown_where_a_trial_does_not_tell_its_turns(tmp_path: Path) -> None:
    silent = ended(verdict("pass", judge="recorded", score=1.0), output={"end": "user_stop"})
    found = details_of(write(tmp_path, [silent], [conversation("pass")])).metrics["pass_at_turn"]
    assert {one["value"] for one in found["exact"]} == {None}


def test_turns_of_a_recorded_verdict_come_from_the_output(tmp_path: Path) -> None:
    told = ended(verdict("pass", judge="recorded", score=1.0), output={"end": "user_stop", "turns": 2})
    assert details_of(write(tmp_path, [told])).metrics["pass_at_turn"]["exact"][1]["value"] == 1.0


@pytest.mark.parametrize(("trials", "up_to", "overall"), [(1, 1, 0.5), (2, 2, (0.5 + 0.5) / 2), (5, 4, 0.5)])
def test_the_overall_score_is_the_mean_of_the_first_four(
    tmp_path: Path, trials: int, up_to: int, overall: float
) -> None:
    path = write(tmp_path, [conversation("pass")] * trials, [conversation("fail")] * trials)
    found = details_of(path)
    assert found.metrics["overall_score_up_to_k"] == up_to
    assert found.metrics["overall_score"]["value"] == pytest.approx(overall)
    name = "pass^1" if up_to == 1 else f"pass^1..{up_to}"
    assert table(found, "Conversations").rows[0][0] == f"overall score (mean of {name})"


def test_calls_of_the_user_are_counted_apart_from_the_agents(tmp_path: Path) -> None:
    look, reply = {"name": "look", "kwargs": {}}, {"name": "respond", "kwargs": {"content": "Look."}}
    made = ([look, reply], [look, reply, {**look, "by": "user"}, {**look, "by": "user"}])
    trials = [
        [replace(conversation("pass"), output={"end": "user_stop", "steps": 2, "turns": 1, "actions": actions})]
        for actions in made
    ]
    found = details_of(write(tmp_path, *trials))
    assert {by: figure["value"] for by, figure in found.metrics["calls_per_trial"].items()} == {"agent": 1, "user": 1}
    rows = [shown(row) for row in table(found, "Conversations").rows]
    told = {name: value for name, value in rows if name.startswith("calls")}
    assert list(told) == ["calls of the agent a trial", "calls of the user a trial"]
    without = table(details_of(write(tmp_path / "other", trials[0])), "Conversations")
    assert not any(str(row[0]).startswith("calls") for row in without.rows)


def test_failure_classes_and_ends_are_counted_the_most_frequent_first(tmp_path: Path) -> None:
    wrong, loop = conversation("fail", failure="wrong_arguments"), conversation("fail", end="max_steps", failure="loop")
    found = details_of(write(tmp_path, [loop], [wrong], [wrong], [conversation("pass")], [ended(error="timeout")]))
    assert list(found.metrics["failure_classes"]) == ["wrong_arguments", "loop"]
    assert values(found.metrics["failure_classes"]) == {"wrong_arguments": (2, 0.667), "loop": (1, 0.333)}
    assert values(found.metrics["ends"]) == {"user_stop": (3, 0.75), "max_steps": (1, 0.25)}
    told = [shown(row) for row in table(found, "Why trials failed").rows]
    assert told == [["wrong_arguments", "2", "66.7% [10.5%, 99.1%]"], ["loop", "1", "33.3% [0.9%, 89.5%]"]]


def test_the_breakdown_of_another_verdict_serves_where_the_deciding_one_has_none(tmp_path: Path) -> None:
    known = conversation("fail", failure="extra_write")
    both = ended(verdict("fail", judge="recorded", score=0.0), *known.verdicts, output=known.output)
    bare = ended(verdict("fail", judge="recorded", score=0.0), output=known.output)
    assert list(details_of(write(tmp_path, [both], [bare])).metrics["failure_classes"]) == [
        "extra_write",
        "not explained",
    ]


def test_without_a_breakdown_nothing_is_said_of_it(tmp_path: Path) -> None:
    bare = ended(verdict("fail", judge="recorded", score=0.0), output={"end": "user_stop"})
    found = details_of(write(tmp_path, [bare]))
    assert found.metrics["failure_classes"] == {}
    assert not any(one.title == "Why trials failed" for one in found.tables)


async def test_faults_are_counted_by_author_and_the_newest_counts(tmp_path: Path) -> None:
    path = write(tmp_path, *([conversation("fail")] for _ in range(3)))
    writer = RunWriter(path)
    await writer.start()
    mistaken = {"fault": "agent", "type": "called_wrong_tool"}
    remarks: list[tuple[int, str, dict[str, Any]]] = [
        (1, "m@v1", mistaken),
        (1, "m@v1", {"fault": "user", "type": None}),
        (2, "m@v1", mistaken),
        (3, "m@v1", {"error": "no answer"}),
        (1, "n@v1", {"fault": "environment", "type": None}),
    ]
    for trial, author, data in remarks:
        await writer.remark(trial, Remark(kind="fault", author=author, data=data))
    await writer.remark(1, Remark(kind="other", author="m@v1", data={"fault": "luck"}))
    await writer.finish("done", "", 0.0)
    found = details_of(path)
    assert values(found.metrics["faults"]["m@v1"]["fault"]) == {"agent": (1, 0.5), "user": (1, 0.5)}
    assert values(found.metrics["faults"]["m@v1"]["type"]) == {"called_wrong_tool": (1, 1.0)}
    assert values(found.metrics["faults"]["n@v1"]["fault"]) == {"environment": (1, 1.0)}
    assert shown(table(found, "Whose fault, says n@v1").rows[0])[:2] == ["environment", "1"]


async def test_costs_are_kept_apart_by_role(tmp_path: Path) -> None:
    path = write(tmp_path, [conversation("pass")] * 2, [conversation("fail")] * 2)
    writer = RunWriter(path)
    await writer.start()
    for trial, role, cost in [
        (1, "agent", 0.1),
        (1, "agent", 0.2),
        (1, "user", 0.05),
        (3, "agent", 0.5),
        (4, "odd", None),
    ]:
        await writer.call(call(trial, role, cost))
    await writer.finish("done", "", 0.0)
    costs = details_of(path).metrics["cost_by_role_usd"]
    assert costs["agent"]["total"]["value"] == pytest.approx(0.8)
    assert costs["agent"]["per_trial"]["value"] == pytest.approx(0.2)
    assert costs["agent"]["per_trial"]["n"] == 4
    assert costs["user"]["total"]["value"] == pytest.approx(0.05)
    assert costs["odd"]["total"]["value"] is None  # a price that is not known is not nothing


def call(trial: int, role: str, cost: float | None) -> CallRecord:
    usage = Usage(input_tokens=10, output_tokens=5)
    return CallRecord(
        trial_id=trial,
        phase="attempt",
        role=role,
        model="openai/m",
        request_key=f"{trial}{role}{cost}",
        nth=0,
        source="live",
        reply=Reply(text="Hello.", usage=usage, cost=cost, model="m"),
        error_kind=None,
        error=None,
        attempts=1,
        input_tokens=10,
        output_tokens=5,
        cost=cost,
        latency_s=0.1,
    )


@pytest.mark.parametrize(
    ("settings", "models", "strategy"),
    [
        ({"agent": None}, ("agent", "user"), "TC (openai/agent)"),
        ({"agent": "few-shot"}, ("agent", "user"), "Few-shot TC (openai/agent)"),
        ({"agent": None, "use_reasoning": True}, ("agent", "user"), "ReAct (openai/agent)"),
        ({"agent": None, "use_reasoning": False}, ("agent", "user"), "Act (openai/agent)"),
        ({"agent": "oracle"}, (), "oracle"),
        ({}, (), "subject"),
    ],
)
def test_the_leaderboard_has_the_measured_row_among_the_published(
    tmp_path: Path, settings: dict[str, Any], models: tuple[str, ...], strategy: str
) -> None:
    used = [ModelInUse(role=role, name=f"openai/{role}", endpoint="", key="") for role in models]
    path = write(tmp_path, [conversation("pass")] * 2, [conversation("fail")] * 2, settings=settings, models=used)
    board = table(details_of(path), "Leaderboard")
    assert board.columns == ("Strategy", "Pass^1", "Pass^2", "Pass^3", "Pass^4", "Row")
    rows = [*map(shown, board.rows)]
    ours = next(row for row in rows if row[-1] == "measured")
    assert ours[0] == strategy
    assert ours[1].startswith("0.500 [0.")
    assert ours[3:5] == ["—", "—"]
    passes = [float(row[1][:5]) for row in rows]
    assert passes == sorted(passes, reverse=True)
    rest = [row for row in rows if row is not ours]
    assert [row[0] for row in rest] == [row.strategy for row in RETAIL.published]
    assert all(row[-1].startswith("published") for row in rest)
    assert ("user openai/user" in board.note) == ("user" in models)


def test_published_rows_are_rates_that_fall_with_k_and_stand_in_order() -> None:
    for suite in tau_suites():
        for row in suite.published:
            assert all(0 < value < 1 for value in row.passes)
            assert list(row.passes) == sorted(row.passes, reverse=True)
        firsts = [row.passes[0] for row in suite.published]
        assert firsts == sorted(firsts, reverse=True)


@pytest.mark.parametrize("trials", [[], [None, None], [ended(error="timeout")]])
def test_a_run_with_nothing_to_tell_tells_nothing(tmp_path: Path, trials: list[TrialRecord | None]) -> None:
    found = details_of(write(tmp_path, trials))
    assert found.tables == ()
    assert found.metrics["overall_score"]["value"] is None


def test_gpt_4o_on_the_airline_is_as_published(tmp_path: Path) -> None:
    recorded: defaultdict[int, list[TrialRecord | None]] = defaultdict(list)
    for entry in json.loads(shared_path("trajectories", "gpt-4o-airline.json").read_text(encoding="utf-8")):
        recorded[entry["task_id"]].append(conversation("pass" if entry["reward"] == 1 else "fail"))
    path = write(tmp_path, *recorded.values(), suite="tau-bench/airline")
    with RunFile(path) as run:
        figures = summarize(run).pass_hat_k
    assert [f"{figure.value:.3f}" for figure in figures] == ["0.420", "0.273", "0.220", "0.200"]
    assert {figure.n for figure in figures} == {50}
