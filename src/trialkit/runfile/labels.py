"""Labels that people give: after the run or while it goes on, several people at once."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from .open import joining
from .records import Label, Remark
from .writer import put_label, put_remark


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
