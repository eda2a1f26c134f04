"""Results whose calls do not stand in the conversation: FastWorkflow's own traces, and files that have none at all."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.shared import shared_path
from tests.suites.tau.inout.files import DROP, GOOD, entry, says, user, write
from tests.suites.tau.inout.runs import export, import_file, rescore, trials
from trialkit.analysis.summary import summarize
from trialkit.errors import InputError
from trialkit.runfile import RunFile
from trialkit.suites.tau.importing import IMPORTER, read_file
from trialkit.suites.tau.importing.importer import TauImportSettings

FASTWORKFLOW = "fastworkflow-gpt-oss-20b-retail.json"
SPOKEN = (GOOD[0], GOOD[3], GOOD[4])


def asked(**settings: object) -> TauImportSettings:
    return TauImportSettings.model_validate(settings)


def command(name: str, kwargs: Any, *, success: bool = True) -> dict[str, Any]:
    return {"name": name, "kwargs": kwargs, "response_text": f"The order: {name}", "success": success}


def apart(*commands: dict[str, Any], **parts: Any) -> dict[str, Any]:
    return entry(*SPOKEN, info={"executed_actions": list(commands)}, **parts)


def test_calls_are_read_from_where_they_stand(tmp_path: Path) -> None:
    told = apart(
        command("IntentDetection/what_can_i_do", {}),
        command(DROP[0], {}, success=False),  # its parameters could not be extracted
        command("list_all_product_types", {}),
        command(*DROP),
        command("ask_user", {"question": "Which?"}),
    )
    (found,) = read_file(write(tmp_path, [told])).entries
    output = found.output
    assert output is not None
    assert [action["name"] for action in output["actions"]] == ["list_all_product_types", DROP[0], "respond"]
    assert output["observations"] == ["The order: list_all_product_types", f"The order: {DROP[0]}", "Thanks ###STOP###"]
    assert (output["steps"], output["turns"], output["end"]) == (1, 1, "user_stop")
    assert [note["rule"] for note in output["notes"]] == ["calls_apart"]
    assert json.loads(export(import_file(write(tmp_path, [told])))) == [told]


def test_fastworkflows_own_results() -> None:
    """As it was paid, and by tau-bench's rule."""
    rescorer, rescored = rescore(shared_path("trajectories", FASTWORKFLOW), shared_path("tau-bench"))
    assert not rescorer.calls_are_lost
    assert sum(one.entry.reward == 1 for one in rescored) == 96
    assert sum(one.verdict is not None and one.verdict.score == 1 for one in rescored) == 74
    assert [one.entry.task_id for one in rescored if one.entry.contradicts] == ["2", "3", "16", "21", "29", "60"]


def test_an_imported_row_is_recorded_and_says_what_it_cannot_tell(tmp_path: Path) -> None:
    original = shared_path("trajectories", FASTWORKFLOW)
    path = tmp_path / FASTWORKFLOW
    path.write_bytes(original.read_bytes())
    settings = asked(data_dir=shared_path("tau-bench"), rescore=True)
    run = IMPORTER.read(path, None, settings)
    assert [notice.partition(":")[0] for notice in run.notices] == [
        "the calls of 115 trials stand apart from the conversation (executed_actions)",
        "the file contradicts itself in 6 trials",
    ]
    assert "paid were 96, by ours 74; the answers of tools stand there in other words" in run.told[-1]
    imported = import_file(path)
    with RunFile(imported) as opened:
        board = summarize(opened).details.tables[0]
    shown = str(board)
    assert "recorded on 115 tasks" in shown
    assert "measured" not in shown
    assert json.loads(export(imported)) == json.loads(original.read_text())


def test_calls_that_are_not_in_the_file_are_not_missing_writes(tmp_path: Path, shop: Path) -> None:
    path = write(tmp_path, [entry(*SPOKEN), entry(user("Hi"), says("No."), user("###STOP###"), reward=0.0, trial=1)])
    run = IMPORTER.read(path, None, asked(data_dir=shop))
    assert [notice.partition(":")[0] for notice in run.notices] == [
        "no trial holds a call of a tool, yet some were paid for writes"
    ]
    assert [one.ended.verdicts[0].details["breakdown"] for one in run.trials if one.ended] == [None, None]
    with pytest.raises(InputError, match=r"no trial holds a call of a tool.*leave --rescore out"):
        IMPORTER.read(path, None, asked(data_dir=shop, rescore=True))


def test_a_file_in_which_nobody_was_paid_for_nothing_is_rescored(tmp_path: Path, shop: Path) -> None:
    """An agent that does nothing earns nothing."""
    path = write(tmp_path, [entry(*SPOKEN, reward=0.0)])
    rescorer, (found,) = rescore(path, shop)
    assert (rescorer.calls_are_lost, found.agrees) == (False, True)


def test_an_import_says_why_trials_failed(tmp_path: Path, shop: Path) -> None:
    """Where the content is at hand; the recorded reward stays as it is, and decides alone."""
    path = write(tmp_path, [entry(*SPOKEN, reward=0.0), entry(*GOOD, reward=0.0, trial=1), entry(*GOOD, trial=2)])
    run = IMPORTER.read(path, None, asked(data_dir=shop))
    verdicts = [one.ended.verdicts for one in run.trials if one.ended]
    assert [[verdict.judge for verdict in found] for found in verdicts] == [["recorded"]] * 3
    lazy, wronged, good = (found[0] for found in verdicts)
    assert lazy.critique.startswith(f"missing_write: {DROP[0]}(")
    assert lazy.critique.endswith("The recorded reward is 0 (db 0).")
    assert lazy.details["breakdown"]["class"] == "missing_write"
    assert wronged.critique == "The recorded reward is 0 (db 0)."  # ours would have paid it: there is no reason to tell
    assert (wronged.details["breakdown"], good.details["breakdown"]) == (None, None)


def test_without_the_content_an_import_says_so(tmp_path: Path, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, [entry(*SPOKEN, reward=0.0)])
    monkeypatch.setenv("TAU_BENCH_HOME", str(tmp_path / "nowhere"))
    run = IMPORTER.read(path, None, asked())
    assert run.notices[0].startswith("why trials failed is left out: ")
    (row,) = trials(import_file(path))
    assert row.decided is not None
    assert row.decided.critique == "The recorded reward is 0 (db 0)."
    with pytest.raises(InputError, match="holds no tau-bench content"):
        IMPORTER.read(path, None, asked(data_dir=tmp_path / "nowhere"))
