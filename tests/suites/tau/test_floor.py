"""What the benchmarks cannot see: the figures that anybody can check, and what they leave of a published row."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.shared import shared_path
from trialkit.analysis.floor import floor_data, floor_table
from trialkit.analysis.summary import summarize
from trialkit.engine import Probed, blocking, probe_suite, record_run
from trialkit.runfile import RunFile
from trialkit.suites import get_suite
from trialkit.suites.tau.importing import IMPORTER
from trialkit.suites.tau.probes import NOTHING

#: Tasks that an agent passes which only says goodbye.
FREE = {
    "tau-bench/airline": "12 13 15 17 18 21 24 29 35 36 37 38 39 40 41 42 47 48 49",
    "tau-bench/retail": "10 12 25 50 57 65 106",
    "tau2/airline": "0 1 4 5 6 10 13 26 28 31 34 36 41 43 45 46 47 48 49",
    "tau2/retail": "10 12 25 50 57 65 105",
    "tau2/telecom": "",
}
TASKS = {"tau-bench/airline": 50, "tau-bench/retail": 115, "tau2/airline": 50, "tau2/retail": 114, "tau2/telecom": 114}
#: A write that changes nothing in the end, for a later one of the ground truth does the same.
REPEATED = {"tau-bench/retail": ["22", "111"], "tau2/retail": ["22"]}


def probed(suite: str, folder: Path) -> Sequence[Probed]:
    found = get_suite(suite)
    return blocking(probe_suite(found, found.settings.model_validate({"data_dir": folder}))).probed


def unlike(found: Sequence[Probed]) -> dict[str, list[str]]:
    """The cases of each kind of answer that have the wrong verdict."""
    return {
        name: [one.case.id for one in found if one.probe.name == name and one.unlike]
        for name in dict.fromkeys(one.probe.name for one in found)
    }


@pytest.mark.parametrize("suite", FREE)
def test_what_a_benchmark_cannot_see(suite: str, tau2_home: Path) -> None:
    found = probed(suite, tau2_home if suite.startswith("tau2/") else shared_path("tau-bench"))
    counts = Counter(one.probe.name for one in found)
    assert counts[NOTHING] == counts["the ground truth is done"] == TASKS[suite]
    wrong = unlike(found)
    assert wrong[NOTHING] == FREE[suite].split()
    assert wrong["the ground truth is done"] == []
    assert wrong["an unrelated write alone is done"] == []
    if suite == "tau2/telecom":  # its ground truth reads nothing
        return
    assert wrong["the ground truth reads in another order"] == []
    assert wrong["the user is transferred at once"] == FREE[suite].split()
    assert wrong["one write of the ground truth is left out"] == REPEATED.get(suite, [])
    assert wrong["an unrelated write is added to the ground truth"] == []
    tagged = {one.case.id for one in found if one.case.tags}
    assert tagged == set(FREE[suite].split())


def test_telecom_does_not_see_damage_to_another_customer(tau2_home: Path) -> None:
    found = probed("tau2/telecom", tau2_home)
    damage = [one for one in found if one.probe.name == "an unrelated write is added to the ground truth"]
    assert {one.probe.what for one in damage} == {'refuel_data(customer_id="C1002", line_id="L1004", gb_amount=2.0)'}
    assert [one.verdict.outcome for one in damage] == ["pass"] * 114


def test_in_the_tasks_of_1_0_1_more_of_the_airline_passes_for_nothing(later: Path) -> None:
    wrong = unlike(probed("tau2/airline", later))
    assert wrong[NOTHING] == [
        "0",
        "1",
        "2",
        "4",
        "5",
        "6",
        "9",
        "10",
        "13",
        "26",
        "27",
        "28",
        "31",
        "34",
        "36",
        "38",
        "41",
        "43",
        "45",
        "46",
        "47",
        "48",
        "49",
    ]
    retail = probed("tau2/retail", later)
    assert unlike(retail)[NOTHING] == ["10", "12", "25", "50", "57", "65"]
    open_ones = [one.case.id for one in retail if one.probe.name == NOTHING and one.verdict.outcome == "error"]
    assert len(open_ones) == 5  # a model would have to judge what was said


def test_a_published_row_without_what_passes_for_nothing(tmp_path: Path) -> None:
    """gpt-4o's .420 is .724 on the 19 tasks that doing nothing passes, and .234 on the others."""
    settings = IMPORTER.settings.model_validate({"data_dir": shared_path("tau-bench")})
    run = IMPORTER.read(shared_path("trajectories", "gpt-4o-airline.json"), None, settings)
    with RunFile(record_run(run.header, run.cases, run.trials, tmp_path)) as opened:
        summary = summarize(opened)
    floor = floor_data(summary)["floor"]
    assert floor["cases"] == FREE["tau-bench/airline"].split()
    told = {name: f"{floor[name]['pass_hat_k'][0]['value']:.3f}" for name in ("passes_for_nothing", "others")}
    assert told == {"passes_for_nothing": "0.724", "others": "0.234"}
    table = floor_table(summary)
    assert table is not None
    rows = [[str(cell) for cell in row[:2]] for row in table.rows]
    assert rows == [["all cases", "50"], ["those that pass for nothing", "19"], ["the others", "31"]]
