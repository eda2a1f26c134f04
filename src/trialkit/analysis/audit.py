"""Judges on trial: what moves their verdicts and should not, and what should move them and does not."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from trialkit.engine import AGAIN, AS_IT_IS, AUDITED
from trialkit.runfile import RunFile
from trialkit.stats import (
    SIGNIFICANT,
    Difference,
    Figure,
    holm_of_known,
    mean_by_case,
    pass_rate,
    score_difference,
    unknown,
)

from .align import align_run
from .loaded import LoadedRun

#: What is seen to turn so many more verdicts than chance does, though that is not sure, is told.
SUSPICIOUS = 0.2
#: A judge is convicted of contradicting itself, or of overlooking what must fail, where it does so in more than this.
TOLERATED = 0.05


@dataclass(frozen=True, kw_only=True, slots=True)
class Moved:
    """Of the verdicts of one kind, how many turned into the other."""

    share: Figure
    beyond_again: Difference  # than when the same is asked again
    p: float | None = None  # of that, one-sided, corrected for the number of variants (Holm); None: not tested

    @property
    def sure(self) -> bool:
        """More often than by chance alone."""
        return self.p is not None and self.p < SIGNIFICANT and (self.beyond_again.value or 0.0) > 0

    @property
    def suspicious(self) -> bool:
        return not self.sure and (self.beyond_again.value or 0.0) >= SUSPICIOUS


@dataclass(frozen=True, kw_only=True, slots=True)
class VariantResult:
    variant: str
    right: str  # what a good judge says: `same` as before, or `fail`; `any`: that is not known
    to_pass: Moved
    to_fail: Moved

    @property
    def overlooked(self) -> bool:
        """It must fail, and too often it passes."""
        return self.right == "fail" and self.to_fail.share.high is not None and self.to_fail.share.high < 1 - TOLERATED


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgeAudit:
    """Its fields, and those of its parts, are called as in `audit judge --format json`."""

    judge: str
    decides: bool
    passed: int  # of the answers as they are
    failed: int
    without_verdict: int
    not_asked: int  # answers that were decided without the judge's model
    variants: tuple[VariantResult, ...]  # the first is the same again
    to_pass: Figure  # over all variants that change nothing
    to_fail: Figure
    unreadable: Figure  # of all its verdicts
    calls_per_verdict: Figure
    cost_per_verdict_usd: Figure
    corrected_pass_rate: Figure  # by labels
    kappa: Figure

    @property
    def contradicts_itself(self) -> bool:
        shares = (self.variants[0].to_pass.share, self.variants[0].to_fail.share) if self.variants else ()
        return any(share.low is not None and share.low > TOLERATED for share in shares)

    @property
    def unreadable_often(self) -> bool:
        return self.unreadable.low is not None and self.unreadable.low > TOLERATED

    @property
    def talked_into(self) -> list[VariantResult]:
        return [one for one in self.variants if one.to_pass.sure]

    @property
    def suspects(self) -> list[VariantResult]:
        """What may talk it into a pass, but too few answers tell. One that contradicts itself may turn by itself."""
        if self.contradicts_itself:
            return []
        return [one for one in self.variants if one.right == "same" and one.to_pass.suspicious]

    @property
    def talked_out(self) -> list[VariantResult]:
        return [one for one in self.variants if one.to_fail.sure]

    @property
    def overlooks(self) -> list[VariantResult]:
        return [one for one in self.variants if one.overlooked]


class AnswerSaid(NamedTuple):
    """What a judge said of an answer, variant by variant."""

    case_id: str
    outcomes: dict[str, list[str]]
    right: dict[str, str]
    calls: list[float | None]
    costs: list[float | None]

    @property
    def first(self) -> str:
        return next(iter(self.outcomes.get(AS_IT_IS, ())), "error")

    def turned(self, variant: str, kind: str) -> list[bool]:
        """Of an answer whose verdict was of this kind: whether it is another now."""
        told = [one for one in self.outcomes.get(variant, ()) if one != "error"]
        return [one != kind for one in told] if self.first == kind else []


def audit_of(run: LoadedRun) -> tuple[JudgeAudit, ...]:
    """Of all judges that were put on trial, the steadiest first."""
    told = _read(run)
    aligned = {one.judge: one for one in align_run(run).judges}
    judges = []
    for name, said in told.items():
        one = judge_audit(name, name in run.judges, said)
        if name in aligned and aligned[name].overall.confusion.n:
            corrected, kappa = aligned[name].overall.corrected_pass_rate, aligned[name].overall.kappa
            one = replace(one, corrected_pass_rate=corrected, kappa=kappa)
        judges.append(one)
    return tuple(sorted(judges, key=_rank))


def _rank(one: JudgeAudit) -> tuple[float, float]:
    """By what it is convicted of, then by how often it turns at all."""
    found = len(one.talked_into) + len(one.talked_out) + len(one.overlooks)
    return found + one.contradicts_itself + one.unreadable_often, (one.to_pass.value or 0.0) + (
        one.to_fail.value or 0.0
    )


def _read(run: LoadedRun) -> dict[str, list[AnswerSaid]]:
    """By judge; of each answer what was said last."""
    found: defaultdict[str, dict[int, AnswerSaid]] = defaultdict(dict)
    with RunFile(run.path) as file:
        for row in file.stream():
            for remark in row.remarks:
                if remark.kind == AUDITED:
                    names = remark.data["judges"]
                    for name in names:
                        found[name][row.id] = _said(row.case_id, name, remark.data["said"], alone=len(names) == 1)
    return {name: list(said.values()) for name, said in found.items()}


def _said(case_id: str, name: str, said: Sequence[dict[str, Any]], *, alone: bool) -> AnswerSaid:
    """A call that no reply came to tells nothing of the judge. What several judges cost cannot be told apart."""
    answered = [one for one in said if not one["failed"]]
    outcomes: defaultdict[str, list[str]] = defaultdict(list)
    for one in answered:
        outcomes[one["variant"]].append(one["verdicts"][name]["outcome"])
    return AnswerSaid(
        case_id=case_id,
        outcomes=dict(outcomes),
        right={one["variant"]: one["right"] for one in answered},
        calls=[one["calls"] if alone else None for one in answered],
        costs=[one["cost"] if alone else None for one in answered],
    )


def judge_audit(name: str, decides: bool, said: Sequence[AnswerSaid]) -> JudgeAudit:
    by_case: defaultdict[str, list[AnswerSaid]] = defaultdict(list)
    for one in said:
        by_case[one.case_id].append(one)
    cases = list(by_case.values())
    right = {variant: what for one in said for variant, what in one.right.items()}
    harmless = [variant for variant, what in right.items() if what == "same" and variant not in {AS_IT_IS, AGAIN}]
    firsts = [one.first for one in said if one.outcomes]
    every = [
        [outcome == "error" for one in case for told in one.outcomes.values() for outcome in told] for case in cases
    ]
    return JudgeAudit(
        judge=name,
        decides=decides,
        passed=firsts.count("pass"),
        failed=firsts.count("fail"),
        without_verdict=firsts.count("error"),
        not_asked=len(said) - len(firsts),
        variants=_tested([_variant(cases, one, right[one]) for one in right if one != AS_IT_IS]),
        to_pass=_share(cases, harmless, "fail"),
        to_fail=_share(cases, harmless, "pass"),
        unreadable=pass_rate(every),
        calls_per_verdict=mean_by_case([[calls for one in case for calls in one.calls] for case in cases]),
        cost_per_verdict_usd=mean_by_case([[cost for one in case for cost in one.costs] for case in cases]),
        corrected_pass_rate=unknown(0),
        kappa=unknown(0),
    )


def _variant(cases: Sequence[Sequence[AnswerSaid]], variant: str, right: str) -> VariantResult:
    to_pass, to_fail = (
        Moved(share=_share(cases, [variant], kind), beyond_again=_beyond(cases, variant, kind))
        for kind in ("fail", "pass")
    )
    return VariantResult(variant=variant, right=right, to_pass=to_pass, to_fail=to_fail)


def _share(cases: Sequence[Sequence[AnswerSaid]], variants: Sequence[str], kind: str) -> Figure:
    return pass_rate(
        [[turned for one in case for name in variants for turned in one.turned(name, kind)] for case in cases]
    )


def _beyond(cases: Sequence[Sequence[AnswerSaid]], variant: str, kind: str) -> Difference:
    """Over the answers that were asked about both ways."""
    pairs = []
    for case in cases:
        both = [(one.turned(AGAIN, kind), one.turned(variant, kind)) for one in case]
        both = [pair for pair in both if all(pair)]
        pairs.append(tuple([float(turned) for pair in both for turned in pair[side]] for side in (0, 1)))
    return score_difference([(before, after) for before, after in pairs], 0, 1)


def _tested(found: Sequence[VariantResult]) -> tuple[VariantResult, ...]:
    """With the p-values of what should change nothing; each direction is a claim of its own."""
    to_pass, to_fail = (_corrected(found, [getattr(one, side) for one in found]) for side in ("to_pass", "to_fail"))
    return tuple(replace(one, to_pass=up, to_fail=down) for one, up, down in zip(found, to_pass, to_fail, strict=True))


def _corrected(found: Sequence[VariantResult], moved: Sequence[Moved]) -> list[Moved]:
    """One-sided: what turns fewer verdicts than chance is no fault."""
    tested = [one.right == "same" and one.variant != AGAIN for one in found]
    p = [_one_sided(one.beyond_again) if test else None for one, test in zip(moved, tested, strict=True)]
    return [replace(one, p=corrected) for one, corrected in zip(moved, holm_of_known(p), strict=True)]


def _one_sided(difference: Difference) -> float | None:
    if difference.p is None or difference.value is None:
        return None
    return difference.p / 2 if difference.value > 0 else 1 - difference.p / 2
