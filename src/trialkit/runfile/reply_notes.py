"""What is particular to the replies of a run: how they ended, and what was left out to have them."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

_SAID = {
    "reasoning_tokens": ("sum(json_extract(reply, '$.usage.reasoning_tokens'))", '"reasoning_tokens":'),
    "cut_off": ("sum(json_extract(reply, '$.stop') = 'length')", '"stop":"length"'),
    "told_costs": ("sum(json_extract(reply, '$.cost_told'))", '"cost_told":'),
    "calls_as_text": ("sum(json_extract(reply, '$.call_as_text'))", '"call_as_text":'),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class ReplyNotes:
    """Of one role. Counts are of replies, unless said otherwise."""

    left_out: str = ""  # parameters that its model does not take, with commas
    reasoning_tokens: int = 0  # tokens of the output that were thoughts
    cut_off: int = 0  # that reached the longest that the model may write
    told_costs: int = 0  # whose cost a gateway told
    calls_as_text: int = 0  # that write a call of a tool as text


def read_reply_notes(db: sqlite3.Connection) -> Mapping[str, ReplyNotes]:
    """Looked for as text first, since most replies have nothing of it."""
    left_out = dict(db.execute("SELECT role, max(left_out) FROM calls WHERE left_out != '' GROUP BY role"))
    counts, found = ", ".join(count for count, _ in _SAID.values()), " OR ".join("instr(reply, ?)" for _ in _SAID)
    query = f"SELECT role, {counts} FROM calls WHERE ({found}) AND json_valid(reply) GROUP BY role"
    rows = db.execute(query, [text for _, text in _SAID.values()])
    said = {role: {name: n or 0 for name, n in zip(_SAID, row, strict=True)} for role, *row in rows}
    return {
        role: ReplyNotes(left_out=left_out.get(role, ""), **said.get(role, {})) for role in sorted({*left_out, *said})
    }
