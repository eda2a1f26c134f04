"""Labels that people give after the run: brought into its file all at once."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from .open import close_to_one_file, run_lock, writing
from .records import Label, Remark
from .writer import put_label, put_remark


def write_labels(path: Path, labels: Sequence[tuple[int, Label]], drawn: Mapping[int, str]) -> None:
    """Labels by trial, in the place of older ones by the same annotator; `drawn`: how a trial came into the sample."""
    with run_lock(path), writing(path) as db:
        db.execute("BEGIN IMMEDIATE")
        for trial_id, label in labels:
            put_label(db, trial_id, label)
        for trial_id, how in drawn.items():
            put_remark(db, trial_id, Remark(kind="drawn", author="label", data={"how": how}))
        db.execute("COMMIT")
        close_to_one_file(db)
