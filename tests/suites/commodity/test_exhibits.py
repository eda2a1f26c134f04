"""What an answer is seen beside: of a baseline there is no transcript that tells what was asked."""

from pathlib import Path
from typing import Any

from tests.run_files import ended, verdict, write_run
from tests.suites.commodity.samples import answer, golden, row
from trialkit.pages import Table
from trialkit.runfile import RunFile
from trialkit.suites.commodity import SUITE, CommoditySettings
from trialkit.vocabulary import Case


def settings(**given: Any) -> CommoditySettings:
    return CommoditySettings(model="baseline", **given)


def shown(folder: Path, case: Case, output: dict[str, object] | None) -> dict[str, list[list[str]] | str]:
    run = write_run(folder / "a.trial", [(case, [ended(verdict("pass"), output=output)])])
    with RunFile(run) as file:
        found = SUITE.exhibits(settings(), case, file.trials()[0])
    return {
        one.title: [[str(cell) for cell in cells] for cells in one.rows] if isinstance(one, Table) else one.text
        for one in found
    }


def test_an_answer_is_seen_beside_what_was_asked_and_what_is_right(tmp_path: Path) -> None:
    table = golden(tmp_path, row())
    (case,) = SUITE.content(settings(csv=table)).cases
    assert shown(tmp_path, case, answer("below 4.1").to_data()) == {
        "Positions": [["long 50000 CORN @4.5", "4.25"]],
        "What would be right": "an alert for CORN below 3.8 to 4.25",
        "Alerts": [["CORN", "below", "4.1", ""]],
    }


def test_of_a_case_that_tells_no_more_than_its_outcome_the_answer_is_shown(tmp_path: Path) -> None:
    case = Case(id="S1", title="", group="strict", data={})
    assert list(shown(tmp_path, case, answer("below 4.1").to_data())) == ["Alerts"]
    assert shown(tmp_path, case, None) == {}
