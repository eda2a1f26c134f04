"""What is particular to the replies of a run: how they ended, and what was left out to have them."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class ReplyNotes:
    """Of one role. Counts are of replies, unless said otherwise."""

    left_out: str = ""  # parameters that its model does not take, with commas
    reasoning_tokens: int = 0  # tokens of the output that were thoughts
    cut_off: int = 0  # that reached the longest that the model may write
    told_costs: int = 0  # whose cost a gateway told
    calls_as_text: int = 0  # that write a call of a tool as text


def read_reply_notes(db: sqlite3.Connection) -> Mapping[str, ReplyNotes]:
    names = [field.name for field in fields(ReplyNotes)]
    sums = ", ".join("max(left_out)" if name == "left_out" else f"sum({name})" for name in names)
    found = {role: ReplyNotes(*said) for role, *said in db.execute(f"SELECT role, {sums} FROM spending GROUP BY role")}
    return {role: notes for role, notes in found.items() if notes != ReplyNotes()}
