"""Where two runs differ: by type of case, and by tag."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from trialkit.pages import Count, Dot, Dots, Name, Note, Part, PValue, Table, changed, measured
from trialkit.stats import SIGNIFICANT, change_of, differ_by_group, holm, holm_of_known
from trialkit.text.shown import counted

from .compare import BothRuns, Comparison, both_runs
from .words import difference_name, p_value

#: Looking at more of them one by one finds nothing after correction, and takes a bootstrap each.
_MOST_GROUPS = 20
_Cases = Mapping[str, Sequence[str]]  # ids by type, or by tag


@dataclass(frozen=True, kw_only=True, slots=True)
class _Each:
    """The headline over the paired cases of each type, or tag."""

    sides: Mapping[str, BothRuns]  # empty where there are too many to look at each
    corrected: tuple[float | None, ...]  # of each of these its p-value, for their number (Holm)

    def chart(self, one: Comparison, what: str, title: str) -> list[Dots]:
        rows = tuple(
            (
                Name(name or "—", most=16),
                Count(side.difference.n),
                measured(side.before, one.measure, short=True),
                measured(side.after, one.measure, short=True),
                changed(side.difference, one.measure),
                PValue(corrected),
            )
            for (name, side), corrected in zip(self.sides.items(), self.corrected, strict=True)
        )
        columns = (what.capitalize(), "Cases", "A", "B", "B − A", "p")  # noqa: RUF001 - a minus sign
        note = f"p is corrected for {len(rows)} {what}s (Holm), the intervals are not"
        if not rows:
            return []
        differences = {"all": one.headline.difference, **{name: side.difference for name, side in self.sides.items()}}
        dots = tuple(Dot(name or "—", changed(difference, one.measure)) for name, difference in differences.items())
        by = difference_name(one.measure)
        table = Table(title=title, columns=columns, rows=rows, note=note)
        return [Dots(title=f"{title}: {by}", by=by, dots=dots, whole=table)]

    def to_data(self) -> dict[str, dict[str, object]]:
        sides = zip(self.sides.items(), self.corrected, strict=True)
        return {name: {**side.to_data(), "p_holm": corrected} for (name, side), corrected in sides}


@dataclass(frozen=True, kw_only=True, slots=True)
class _Groups:
    each: _Each
    number: int  # of types
    p: float | None  # of the test whether the difference is the same in all


@dataclass(frozen=True, kw_only=True, slots=True)
class _Tags:
    each: _Each
    p_others: Mapping[str, float]  # that its cases change as those without it do, corrected for the tags (Holm)


def group_parts(one: Comparison) -> list[Part]:
    found, tags = _by_group(one), _by_tag(one)
    parts: list[Part] = []
    if found is not None:
        parts += [*found.each.chart(one, "type", "By type of case"), Note(text=_of_groups(found))]
    if tags is not None:
        parts += [*tags.each.chart(one, "tag", "By tag"), Note(text=_of_tags(tags))]
    return parts


def group_data(one: Comparison) -> dict[str, object]:
    found, tags = _by_group(one), _by_tag(one)
    return {
        "by_group": found
        and {
            "number": found.number,
            "p": found.p,
            "differ": found.p is not None and found.p < SIGNIFICANT,
            "summary": _of_groups(found),
            "groups": found.each.to_data(),
        },
        "by_tag": tags
        and {
            "number": len(tags.p_others),
            "p_others": dict(tags.p_others),
            "summary": _of_tags(tags),
            "tags": tags.each.to_data(),
        },
    }


def _by_group(one: Comparison) -> _Groups | None:
    """None: all paired cases are of one type."""
    names = _cases_by((one.before.cases[case_id].group, case_id) for case_id in one.paired)
    if len(names) < 2:
        return None
    changes = [_changes(one, found) for found in names.values()]
    return _Groups(each=_each(one, names), number=len(names), p=differ_by_group(changes))


def _by_tag(one: Comparison) -> _Tags | None:
    """A case may have several. A tag that all paired cases have tells no more than the headline; None: no other."""
    tagged = {case_id: one.after.cases[case_id].tags or one.before.cases[case_id].tags for case_id in one.paired}
    names = _cases_by((tag, case_id) for case_id, tags in tagged.items() for tag in tags)
    names = {tag: found for tag, found in sorted(names.items()) if len(found) < len(tagged)}
    if not names:
        return None
    p_others = []
    for tag, found in names.items():
        others = [case_id for case_id, tags in tagged.items() if tag not in tags]
        p = differ_by_group([_changes(one, found), _changes(one, others)])
        p_others.append(1.0 if p is None else p)
    return _Tags(each=_each(one, names), p_others=dict(zip(names, holm(p_others), strict=True)))


def _cases_by(named: Iterable[tuple[str, str]]) -> _Cases:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for name, case_id in named:
        found[name].append(case_id)
    return found


def _changes(one: Comparison, cases: Iterable[str]) -> list[float]:
    return [change_of(one.before.cases[case_id].mean, one.after.cases[case_id].mean) for case_id in cases]


def _each(one: Comparison, names: _Cases) -> _Each:
    before, after = one.before.cases, one.after.cases
    sides = {
        name: both_runs(one.measure, [(before[case_id].values, after[case_id].values) for case_id in cases])
        for name, cases in (names.items() if len(names) <= _MOST_GROUPS else ())
    }
    return _Each(sides=sides, corrected=tuple(holm_of_known([side.difference.p for side in sides.values()])))


def _of_groups(found: _Groups) -> str:
    """What the test of all types at once tells; to compare their p-values with each other would be no test."""
    many = f"the {found.number:,} types of case"
    if found.p is not None and found.p < SIGNIFICANT:
        return f"B − A is not the same in {many}: they differ by more than noise ({p_value(found.p)})."  # noqa: RUF001
    said = f"Nothing shows that B − A is another in some of {many} than in others ({p_value(found.p)})."  # noqa: RUF001
    sure = sum(p is not None and p < SIGNIFICANT for p in found.each.corrected)
    if not 0 < sure < len(found.each.corrected):
        return said
    return f"{said} That it is more than noise in {sure} of them and not in others does not tell them apart."


def _of_tags(found: _Tags) -> str:
    apart = [f"{tag} ({p_value(p)})" for tag, p in found.p_others.items() if p < SIGNIFICANT]
    if apart:
        return f"B − A is another in the cases with these tags than in those without: {', '.join(apart)}."  # noqa: RUF001
    least, tags = min(found.p_others.values()), counted(len(found.p_others), "tag")
    return f"Nothing shows that a tag makes B − A another ({tags}, {p_value(least)} at least)."  # noqa: RUF001
