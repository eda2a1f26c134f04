"""tau2's results whose simulations stand in files of their own."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.suites.tau.inout.files import TAU2_GOOD, simulation, tau2_results
from tests.suites.tau.inout.runs import import_file, trials
from trialkit.errors import InputError
from trialkit.runfile import RunFile
from trialkit.suites.tau.importing import read_file


def written(folder: Path, *simulations: dict[str, Any], index: bool = True) -> Path:
    """As tau2 1.0 writes the folder of a run."""
    whole = tau2_results(*simulations)
    del whole["simulations"]
    if index:
        whole["simulation_index"] = [{"id": one["id"], "task_id": one["task_id"]} for one in simulations]
    (folder / "simulations").mkdir(parents=True)
    for one in simulations:
        (folder / "simulations" / f"{one['id']}.json").write_text(json.dumps(one))
    (folder / "results.json").write_text(json.dumps(whole))
    return folder


TWO = (simulation(*TAU2_GOOD, id="z"), simulation(*TAU2_GOOD, id="a", trial=1, reward=0.0))


@pytest.mark.parametrize("index", [True, False])
@pytest.mark.parametrize("name", ["", "results.json"])
def test_a_folder_is_read_as_one_file_would_be(tmp_path: Path, name: str, *, index: bool) -> None:
    path = import_file(written(tmp_path / "run", *TWO, index=index) / name)
    assert sorted((row.case_id, row.number, row.outcome) for row in trials(path)) == [
        ("t", 1, "pass"),
        ("t", 2, "fail"),
    ]


def test_all_of_its_files_are_what_was_imported(tmp_path: Path) -> None:
    folder = written(tmp_path / "run", *TWO)
    hashes = set()
    for turn in ("as it is", "changed"):
        with RunFile(import_file(folder)) as run:
            hashes.add(run.info().versions["imported sha256"])
        file = folder / "simulations" / "a.json"
        file.write_text(file.read_text() + " " * (turn == "as it is"))
    assert len(hashes) == 2


def test_what_is_missing_or_too_much_is_named(tmp_path: Path) -> None:
    folder = written(tmp_path / "run", *TWO)
    (folder / "simulations" / "z.json").rename(folder / "simulations" / "y.json")
    with pytest.raises(InputError, match=r"1 of 2 simulations that .* lists are not there \(z.json\); give the whole"):
        read_file(folder)
    (folder / "simulations" / "z.json").write_bytes((folder / "simulations" / "y.json").read_bytes())
    with pytest.raises(InputError, match=r"y.json: .*results.json does not list it"):
        read_file(folder)
    for file in (folder / "simulations").iterdir():
        file.unlink()
    with pytest.raises(InputError, match="holds no simulations, and no folder"):
        read_file(folder)


def test_a_fault_is_told_of_the_file_in_which_it_is(tmp_path: Path) -> None:
    folder = written(tmp_path / "run", simulation(*TAU2_GOOD) | {"task_id": 3})
    with pytest.raises(InputError, match=r"simulations/s0.json: task_id: Input should be a valid string"):
        read_file(folder)
