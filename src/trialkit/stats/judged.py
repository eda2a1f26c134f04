"""A judge held against people, from its verdicts on all trials and labels on some.

Labels need be no random sample of the run. What the judge makes of the run is known from all of it; what people make of
what it passed, and of what it failed, from the labelled ones among these. So it is enough that labels are drawn at
random among trials that have the same verdict and are of the same stratum (post-stratification).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from .draws import RESAMPLES, generator
from .figure import Figure, unknown
from .rate import effective_size

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

#: How much of one further label stands at the far end when an end of an interval is sought. With Jeffreys' half at both
#: ends 95% intervals of kappa held the truth in 76-90% where judges hardly err; with this all do in 93% and more
#: (benchmarks/labels.py), at a tenth more width.
_FURTHER = 0.5


class JudgedTrial(NamedTuple):
    judge: bool
    human: float | None = None  # 1: people pass it, 0: they fail it, 0.5: they are split evenly; None: no label
    stratum: str = ""  # among what it was drawn to be labelled, if not among all


JudgedCase = Sequence[JudgedTrial]


@dataclass(frozen=True, kw_only=True, slots=True)
class Confusion:
    """How many labelled trials both judged so; one on which people are split evenly counts half and half."""

    both_pass: float
    people_pass_judge_fail: float
    people_fail_judge_pass: float
    both_fail: float

    @property
    def n(self) -> int:
        return int(self.both_pass + self.people_pass_judge_fail + self.people_fail_judge_pass + self.both_fail)


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgeFigures:
    confusion: Confusion  # as they were labelled; all else is told of the whole run
    agreement: Figure
    tpr: Figure  # of what people pass, the share that the judge passes
    tnr: Figure  # of what people fail, the share that the judge fails
    kappa: Figure  # Cohen's
    corrected_pass_rate: Figure  # what people would have given


@dataclass(frozen=True, kw_only=True, slots=True)
class Cells:
    """The run by stratum and the judge's verdict, an entry of each array for each; cases have a row each."""

    judge: "NDArray[np.bool_]"
    weight: "Floats"  # its share of the run, each case counting the same
    rate: "Floats"  # of its labelled trials, the share that people pass; where there are none, no number
    size: "Floats"  # how many independent labels these are worth
    judged: float  # how many independent verdicts the run is worth
    shares: "Floats"  # of each case: what share of it is here,
    seen: "Floats"  # how much of it is labelled,
    passed: "Floats"  # and how much of that people pass

    @property
    def known(self) -> bool:
        """Whether people have looked at something of all that there is."""
        return bool((self.size[self.weight > 0] > 0).all())

    def masses(self, weights: "Floats", rates: "Floats") -> "Floats":
        """What share of the run both pass, the judge alone, people alone, nobody."""
        import numpy as np  # noqa: PLC0415 - 0.1 s to import

        passed, failed = weights * rates, weights * (1 - rates)
        parts = (passed[..., self.judge], failed[..., self.judge], passed[..., ~self.judge], failed[..., ~self.judge])
        return np.array([part.sum(axis=-1) for part in parts])

    def together(self, of: Callable[["Floats"], "Floats"]) -> float:
        """How much larger the standard error is than if shares and rates erred independently of each other; at least 1.

        In a run of several trials per case they do not: cases that happen to be easy raise all of them. What a case
        adds to the error is its own part of each, first summed up and then squared, against each of them squared.
        """
        import numpy as np  # noqa: PLC0415 - likewise

        step = 1e-6 * np.eye(4)
        masses = self.masses(self.weight, np.nan_to_num(self.rate))[:, None]
        slope = (of(masses + step) - of(masses - step)) / 2e-6
        of_pass, of_fail = np.where(self.judge, slope[0], slope[2]), np.where(self.judge, slope[1], slope[3])
        rate = np.nan_to_num(self.rate)
        shares = (self.shares - self.weight) @ (rate * of_pass + (1 - rate) * of_fail) / len(self.shares)
        labels = np.maximum(self.seen.sum(axis=0), 1e-12)
        rates = (self.passed - rate * self.seen) / labels * self.weight * (of_pass - of_fail)
        parts = np.column_stack([shares, rates])
        apart = float((parts**2).sum())
        return max(1.0, float((parts.sum(axis=1) ** 2).sum()) / apart) ** 0.5 if apart > 0 else 1.0


def cells_of(cases: Sequence[JudgedCase]) -> Cells:
    """There must be a trial. A verdict that the judge never gave has a cell as well, for it might have."""
    import numpy as np  # noqa: PLC0415 - likewise

    cases = [case for case in cases if case]
    kinds = {(trial.stratum, trial.judge) for case in cases for trial in case}
    kinds |= {("", verdict) for verdict in {True, False} - {judge for _, judge in kinds}}
    places = {kind: place for place, kind in enumerate(sorted(kinds))}
    shape = (len(cases), len(places))
    at = np.array(
        [row * len(places) + places[one.stratum, one.judge] for row, case in enumerate(cases) for one in case]
    )
    people = np.array([np.nan if one.human is None else one.human for case in cases for one in case])
    part = np.array([1 / len(case) for case in cases for _ in case])  # each case counts the same
    labelled = np.where(np.isnan(people), 0.0, part)

    def table(values: "Floats") -> "Floats":
        return np.bincount(at, values, minlength=shape[0] * shape[1]).astype(float).reshape(shape)

    shares, seen, passed = table(part), table(labelled), table(labelled * np.nan_to_num(people))
    squares = table(labelled**2).sum(axis=0)
    judge = np.array([verdict for _, verdict in places], dtype=bool)
    total = seen.sum(axis=0)
    rate = np.divide(passed.sum(axis=0), total, out=np.full(len(places), np.nan), where=total > 0)
    return Cells(
        judge=judge,
        weight=shares.mean(axis=0),
        rate=rate,
        size=np.array([_size(passed[:, k], seen[:, k], squares[k]) for k in range(len(places))]),
        judged=_size(shares[:, judge].sum(axis=1), np.ones(len(cases)), sum(1 / len(case) for case in cases)),
        shares=shares,
        seen=seen,
        passed=passed,
    )


def _size(passed: "Floats", seen: "Floats", squares: float) -> float:
    """How many independent trials a rate is worth, given how much of each case there is and how much of it passes.

    Copies of each other are worth one trial of each case, or less if some cases have more copies than others (Kish).
    """
    total, cases = float(seen.sum()), int((seen > 0).sum())
    if not cases:
        return 0.0
    least, rate = total**2 / float((seen**2).sum()), float(passed.sum()) / total
    spread = float(((passed - rate * seen) ** 2).sum()) / total**2
    return effective_size(rate, spread * cases / max(1, cases - 1), least=least, most=max(least, total**2 / squares))


def judge_figures(cases: Sequence[JudgedCase]) -> JudgeFigures:
    """What is known of a judge, told of the whole run; a figure is unknown where a verdict that the judge gave has no
    label at all, and its interval then holds whatever these labels could have said.

    All are figures of the run's shares: with q the judge's pass rate, and a and b the shares of its passes and fails
    that people pass, TPR is q a / (q a + (1 - q) b), and the pass rate that people would have given is
    q a + (1 - q) b, which is Rogan and Gladen's at the likeliest TPR and TNR. Intervals draw all three together, so
    that they count both samples, and are as much wider as the three err together. Coverage: benchmarks/labels.py.
    """
    labels = [(trial.judge, trial.human) for case in cases for trial in case if trial.human is not None]
    by_passes, by_fails = ([human for judge, human in labels if judge is verdict] for verdict in (True, False))
    counts = Confusion(
        both_pass=sum(by_passes),
        people_pass_judge_fail=sum(by_fails),
        people_fail_judge_pass=len(by_passes) - sum(by_passes),
        both_fail=len(by_fails) - sum(by_fails),
    )
    if not labels:
        none = unknown(0)
        return JudgeFigures(confusion=counts, agreement=none, tpr=none, tnr=none, kappa=none, corrected_pass_rate=none)
    told = _Draws(cells_of(cases))
    return JudgeFigures(
        confusion=counts,
        agreement=told.figure(lambda masses: masses[0] + masses[3], len(labels)),
        tpr=told.figure(lambda masses: masses[0] / (masses[0] + masses[2]), sum(human > 0 for _, human in labels)),
        tnr=told.figure(lambda masses: masses[3] / (masses[3] + masses[1]), sum(human < 1 for _, human in labels)),
        kappa=told.figure(_kappa, len(labels), least=-1.0),
        corrected_pass_rate=told.figure(lambda masses: masses[0] + masses[2], len(labels), for_judge=False),
    )


def _kappa(masses: "Floats") -> "Floats":
    both, judge, people, neither = masses
    chance = (both + judge) * (judge + neither) + (both + people) * (people + neither)
    kappa: Floats = 2 * (both * neither - judge * people) / chance
    return kappa


class _Draws:
    """Draws that all figures of a judge share."""

    def __init__(self, cells: Cells) -> None:
        import numpy as np  # noqa: PLC0415 - likewise

        random, self._cells = generator(), cells
        weights = random.dirichlet(cells.weight * cells.judged + 0.5, size=RESAMPLES)
        passed, failed = np.nan_to_num(cells.rate) * cells.size, (1 - np.nan_to_num(cells.rate)) * cells.size
        shape, least = (RESAMPLES, len(passed)), 1e-300
        low = np.where(passed > 0, random.beta(np.maximum(passed, least), failed + _FURTHER, shape), 0.0)
        high = np.where(failed > 0, random.beta(passed + _FURTHER, np.maximum(failed, least), shape), 1.0)
        # all but the pass rate grow with what people pass of the judge's passes, and fall with it of its fails
        with_judge = np.where(cells.judge, low, high), np.where(cells.judge, high, low)
        self._ends = {
            for_judge: [cells.masses(weights, rates) for rates in ends]
            for for_judge, ends in ((True, with_judge), (False, (low, high)))
        }
        self._masses = cells.masses(cells.weight, np.nan_to_num(cells.rate))

    def figure(
        self, of: Callable[["Floats"], "Floats"], n: int, *, least: float = 0.0, for_judge: bool = True
    ) -> Figure:
        import numpy as np  # noqa: PLC0415 - likewise

        with np.errstate(invalid="ignore", divide="ignore"):
            value, ends = float(of(self._masses)), [of(masses) for masses in self._ends[for_judge]]
            low, high = (float(np.nanquantile(end, place)) for end, place in zip(ends, (0.025, 0.975), strict=True))
            if not self._cells.known or np.isnan(value):
                return Figure(value=None, low=max(least, low), high=min(1.0, high), n=n)
            wider = self._cells.together(of)
        low, high = value - wider * max(0.0, value - low), value + wider * max(0.0, high - value)
        return Figure(value=value, low=max(least, low), high=min(1.0, high), n=n)
