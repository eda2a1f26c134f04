"""Labels that people give: after the run or while it goes on, several people at once."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from .open import joining
from .records import Label, Mark, Remark
from .writer import put_label, put_mark, put_remark


def write_labels(path: Path, labels: Sequence[tuple[int, Label]], drawn: Mapping[int, str]) -> None:
    """Labels by trial, in the place of older ones by the same annotator; `drawn`: how a trial came into the sample.

    All or none of them; whoever else writes to the file waits for a moment.
    """
    with joining(path) as db:
        db.execute("BEGIN IMMEDIATE")
        for trial_id, label in labels:
            put_label(db, trial_id, label)
        for trial_id, how in drawn.items():
            put_remark(db, trial_id, Remark(kind="drawn", author="label", data={"how": how}))
        db.execute("COMMIT")


def write_mark(path: Path, trial_id: int, mark: Mark) -> None:
    """In the place of one of the same kind by the same annotator at the same step."""
    with joining(path) as db:
        put_mark(db, trial_id, mark)


def remove_mark(path: Path, trial_id: int, mark: Mark) -> None:
    """Whatever its critique is."""
    with joining(path) as db:
        key = (trial_id, mark.annotator, mark.step, mark.kind)
        db.execute("DELETE FROM marks WHERE trial_id = ? AND annotator = ? AND step = ? AND kind = ?", key)
