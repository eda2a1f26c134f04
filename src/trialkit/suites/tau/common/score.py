"""What a finished conversation earned, and why."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from .database import Changes, Row, Tables, same
from .tasks import Basis, EnvAssertion, GoldAction, Task


@dataclass(frozen=True, kw_only=True, slots=True)
class RowDifference:
    """A row that is not as the ground truth leaves it; None stands for a row that does not exist."""

    table: str
    key: str
    expected: Row | None
    found: Row | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Why:
    """The evidence for a score; empty where nothing was off."""

    rows: tuple[RowDifference, ...] = ()
    missing_outputs: tuple[str, ...] = ()
    unmatched_actions: tuple[GoldAction, ...] = ()
    failed_assertions: tuple[EnvAssertion, ...] = ()
    undecided: tuple[str, ...] = ()  # assertions that the environment cannot answer, with the reason
    problems: tuple[str, ...] = ()  # what is off in the ground truth itself


@dataclass(frozen=True, kw_only=True, slots=True)
class Truth:
    """What a task's ground truth leaves behind, and which of its actions fail on the way; those are skipped."""

    task: Task
    changes: Changes
    problems: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Score:
    """`parts` may hold more than count; None: undecided. While one is that counts, `reward` is the most it can be."""

    basis: tuple[Basis, ...]  # the parts that count; the reward is their product
    parts: Mapping[Basis, float | None]
    pending: tuple[str, ...] = ()  # natural-language assertions that count and wait for a model's judgement
    why: Why

    @property
    def reward(self) -> float:
        return math.prod(part for name in self.basis if (part := self.parts[name]) is not None) * 1.0

    @property
    def r_actions(self) -> float | None:
        """tau-bench's word for DB; None where the task does not ask for it."""
        return self.parts["DB"] if "DB" in self.basis else None

    @property
    def r_outputs(self) -> float | None:
        """tau-bench's word for COMMUNICATE; None where the task does not ask for it."""
        return self.parts["COMMUNICATE"] if "COMMUNICATE" in self.basis else None

    @property
    def decided(self) -> bool:
        return all(self.parts[name] is not None for name in self.basis)

    def judged(self, met: Sequence[bool]) -> "Score":
        """The score after the pending assertions were judged, in their order."""
        if len(met) != len(self.pending):
            raise ValueError(f"{len(met)} judgements for {len(self.pending)} pending assertions")
        return replace(self, parts={**self.parts, "NL_ASSERTION": float(all(met))}, pending=())


def row_differences(tables: Tables, expected: Changes, found: Changes) -> Iterator[RowDifference]:
    """Row by row; one that a side did not change is, on that side, as the pristine database has it."""
    for table, base in tables.items():
        wanted, had = expected.get(table, {}), found.get(table, {})
        for key in sorted(wanted.keys() | had.keys()):
            one, other = wanted.get(key, base.get(key)), had.get(key, base.get(key))
            if not same(one, other):
                yield RowDifference(table=table, key=key, expected=one, found=other)


def unsaid(outputs: Sequence[str], texts: Iterable[object]) -> tuple[str, ...]:
    """The required outputs that occur in no text; commas are taken out of the texts only. What is no text is none."""
    if not outputs:
        return ()
    plain = [text.lower().replace(",", "") for text in texts if isinstance(text, str)]
    return tuple(output for output in outputs if not any(output.lower() in text for text in plain))
