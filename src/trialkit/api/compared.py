"""Runs held against each other, as a notebook shows them."""

from pathlib import Path

from trialkit.analysis.against_first import AgainstFirst, against_first, against_first_page
from trialkit.analysis.compare import Comparison, compare_runs
from trialkit.analysis.compare_pages import comparison_page
from trialkit.analysis.loaded import LoadedRun, load_to_compare
from trialkit.analysis.looks import with_looks
from trialkit.analysis.other_users import refuse_other_users
from trialkit.analysis.words import conclusion
from trialkit.pages import notebook_html, write_page

from .opened import Run


class _Printed(Comparison):
    """A comparison that a notebook shows as the terminal does."""

    __slots__ = ()

    def __repr__(self) -> str:
        return write_page(comparison_page(self), "console")

    def _repr_html_(self) -> str:
        return notebook_html(comparison_page(self))

    @property
    def summary(self) -> str:
        return conclusion(self)


def compare(a: str | Path | Run, b: str | Path | Run, judge: str | None = None, *, force: bool = False) -> _Printed:
    """B held against A: run files, results CSVs, or opened runs. Its repr is what `trialkit compare` prints.

    `judge`: whose verdicts count in both; by default those that decided. `force`: also if the users were played by
    different models.
    """
    runs = _loaded(a, judge), _loaded(b, judge)
    if not force:
        refuse_other_users(runs)
    found = with_looks(compare_runs(*runs))
    return _Printed(**{name: getattr(found, name) for name in Comparison.__slots__})


def _loaded(run: str | Path | Run, judge: str | None) -> LoadedRun:
    return load_to_compare(run.path if isinstance(run, Run) else Path(run), judge)


class Runs(list[Run]):
    """Those of a matrix, in its order. They show themselves as a table, each held against the first."""

    def __repr__(self) -> str:
        return write_page(against_first_page(self._compared()), "console")

    def _repr_html_(self) -> str:
        return notebook_html(against_first_page(self._compared()))

    def _compared(self) -> AgainstFirst:
        return against_first([load_to_compare(run.path) for run in self])
