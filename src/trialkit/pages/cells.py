"""What stands in a report: words, outcomes and, in `amounts`, numbers."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Literal, NamedTuple

from trialkit.text.shown import counted, one_line
from trialkit.vocabulary import Outcome

Style = Literal["", "strong", "dim", "good", "bad", "doubtful"]

_STYLES: Mapping[Outcome | None, Style] = {"pass": "good", "fail": "bad", "error": "doubtful", None: "dim"}


class Span(NamedTuple):
    """A piece of a cell, as people read it."""

    text: str
    style: Style = ""


class Cell(ABC):
    """What every writer asks of whatever stands in a table."""

    __slots__ = ()

    @abstractmethod
    def spans(self) -> tuple[Span, ...]:
        """What people read, on one line."""

    def __str__(self) -> str:
        return "".join(span.text for span in self.spans())

    def data(self) -> object:
        """As JSON."""
        return str(self)

    def key(self) -> float | str | None:
        """What a column is sorted by."""
        return str(self)


@dataclass(frozen=True, slots=True)
class Words(Cell):
    """A few words, which may break into several lines."""

    words: str
    style: Style = ""

    def spans(self) -> tuple[Span, ...]:
        return (Span(one_line(self.words), self.style),)

    def data(self) -> str:
        return self.words


@dataclass(frozen=True, slots=True)
class Prose(Words):
    """Sentences: they share the width that is left, and a terminal shows no more than so many lines of them."""

    _: KW_ONLY
    lines: int = 3


@dataclass(frozen=True, slots=True)
class Name(Words):
    """What is on one line always, such as a case's id; a terminal cuts it off at this width."""

    _: KW_ONLY
    most: int = 24
    link: str = ""  # where a page of HTML leads to


@dataclass(frozen=True, slots=True)
class Code(Words):
    """What is typed or read by machines: a model's name, a file, a hash."""


@dataclass(frozen=True, slots=True)
class OutcomeCell(Cell):
    """How a trial ended."""

    outcome: Outcome | None
    _: KW_ONLY
    otherwise: str = "not run"  # what is said where there is no outcome
    disputed: bool = False  # the judges do not say the same

    def spans(self) -> tuple[Span, ...]:
        told = Span(self.outcome or self.otherwise, _STYLES.get(self.outcome, ""))
        return (told, Span(" ≠", "doubtful")) if self.disputed else (told,)

    def data(self) -> str | None:
        return self.outcome


@dataclass(frozen=True, kw_only=True, slots=True)
class Passed(Cell):
    """`2/3 +1 error`: how many of a case's trials with a verdict passed."""

    passed: int
    judged: int
    errors: int = 0

    def spans(self) -> tuple[Span, ...]:
        style: Style = "dim" if not self.judged else "good" if self.passed == self.judged else "bad"
        errors = Span(counted(self.errors, "error"), "doubtful")
        share = Span(f"{self.passed}/{self.judged}", style)
        if not self.errors:
            return (share,)
        return (share, Span(" +"), errors) if self.judged else (errors,)

    def data(self) -> dict[str, int]:
        return {"passed": self.passed, "judged": self.judged, "errors": self.errors}

    def key(self) -> float | None:
        return self.passed / self.judged if self.judged else None


def as_cell(found: Cell | str) -> Cell:
    return Words(found) if isinstance(found, str) else found
