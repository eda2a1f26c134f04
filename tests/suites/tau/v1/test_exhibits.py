"""What a conversation left in the database, beside what it should have left."""

import json
from pathlib import Path

from tests.run_files import ended, verdict, write_run
from tests.suites.tau.domains import shared_domain
from trialkit.pages import Table
from trialkit.runfile import RunFile
from trialkit.suites.tau.exhibits import exhibits
from trialkit.vocabulary import Case


def test_of_a_new_row_what_is_wrong_comes_first_and_it_was_not_there_before(tmp_path: Path) -> None:
    airline = shared_domain("airline")
    task = next(one for one in airline.tasks("test") if any(call["name"] == "book_reservation" for call in one.actions))
    done = [json.loads(json.dumps(dict(action))) for action in task.actions]
    for action in done:
        if action["name"] == "book_reservation":
            action["kwargs"]["nonfree_baggages"] += 1
            action["kwargs"]["payment_methods"][-1]["amount"] += 50
    asked = Case(id=task.id, title="", group="test", data={"split": "test", "id": task.id, **task.asked()})
    run = write_run(tmp_path / "a.trial", [(asked, [ended(verdict("fail"), output={"actions": done})])])
    with RunFile(run) as file:
        changes = exhibits(airline, asked, file.trials()[0])[-1]
    assert isinstance(changes, Table)
    rows = [[str(cell) for cell in row] for row in changes.rows]
    marks = [row[0] for row in rows]
    assert marks == sorted(marks)  # ≠ before ✓
    wrong = [row for row in rows if row[0] == "≠"]
    assert any(row[2] == "nonfree_baggages" and row[3:] == ["(no such row)", "0", "1"] for row in wrong)
    assert all(row[2] for row in rows)
