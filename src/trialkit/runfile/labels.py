"""Labels that people give after the run: brought into its file all at once."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from .open import close_to_one_file, run_lock, writing
from .records import Label
from .writer import now


def write_labels(path: Path, labels: Sequence[tuple[int, Label]], drawn: Mapping[int, str]) -> None:
    """Labels by trial, in the place of older ones by the same annotator; `drawn`: how a trial came into the sample."""
    at = now()
    with run_lock(path), writing(path) as db:
        db.execute("BEGIN IMMEDIATE")
        db.executemany(
            "INSERT OR REPLACE INTO labels (trial_id, annotator, outcome, critique, at) VALUES (?, ?, ?, ?, ?)",
            [(trial_id, label.annotator, label.outcome, label.critique, at) for trial_id, label in labels],
        )
        db.executemany(
            "INSERT INTO remarks (trial_id, kind, author, data, at) VALUES (?, 'drawn', 'label', ?, ?)",
            [(trial_id, json.dumps({"how": how}), at) for trial_id, how in drawn.items()],
        )
        db.execute("COMMIT")
        close_to_one_file(db)
