"""What a suite cannot see, as a page: answers that need no model, and those whose verdict is not what it should be."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from trialkit.engine import Floor, Probed
from trialkit.pages import Heading, Name, Note, Page, Part, Passed, Prose, Table
from trialkit.text.shown import counted

_SHOULD = {"pass": "pass", "fail": "fail", "any": "—"}
_LINES = 4
_WIDEST = 56  # telecom tells its cases apart by the ends of long names
_ERRORS = "An error is an answer that only a model could judge."
_ALIKE = "An answer that is always the same is only counted: whatever is measured has to beat it."


def floor_page(floor: Floor) -> Page:
    return Page(title=f"{floor.suite.name}: what it cannot see", parts=tuple(_parts(floor)))


def _parts(floor: Floor) -> Iterator[Part]:
    tried = {one.case.id for one in floor.probed}
    unlike = [one for one in floor.probed if one.unlike]
    told = {one.case.id for one in unlike}
    found = (
        f"{len(told)} of {counted(len(tried), 'case')} {'gives' if len(told) == 1 else 'give'} a verdict that"
        f" {'it' if len(told) == 1 else 'they'} should not"
        if told
        else (f"all {counted(len(tried), 'case')} give the verdicts that they should")
    )
    yield Note(text=f"{found}; {len(floor.probed):,} answers judged, no model asked", strong=True)
    yield from (Note(text=notice) for notice in floor.content.notices)
    yield _table(floor.probed)
    if unlike:
        yield from _unseen(unlike)


def _table(probed: Sequence[Probed]) -> Table:
    by_name = _by_name(probed)
    undecided = any(one.verdict.outcome == "error" for one in probed)
    return Table(
        title="Answers that need no model",
        columns=("What is done", "Should", "Passed", "Not as it should be"),
        rows=tuple(
            (
                Prose(name),
                _SHOULD[found[0].probe.right],
                _passed(found),
                Prose(_cases(found), "bad" if any(one.unlike for one in found) else "", lines=_LINES),
            )
            for name, found in by_name.items()
        ),
        note=" ".join(filter(None, (_ERRORS * undecided, _ALIKE * any(one.probe.right == "any" for one in probed)))),
    )


def _passed(found: Sequence[Probed]) -> Passed:
    outcomes = [one.verdict.outcome for one in found]
    judged = [one for one in outcomes if one in {"pass", "fail"}]
    return Passed(passed=judged.count("pass"), judged=len(judged), errors=len(outcomes) - len(judged))


def _cases(found: Sequence[Probed]) -> str:
    return " ".join(dict.fromkeys(one.case.id for one in found if one.unlike))


def _by_name(probed: Sequence[Probed]) -> Mapping[str, Sequence[Probed]]:
    """In the order of the case that has most of them."""
    by_case, by_name = defaultdict[str, list[str]](list), defaultdict[str, list[Probed]](list)
    for one in probed:
        by_case[one.case.id].append(one.probe.name)
        by_name[one.probe.name].append(one)
    longest = max(by_case.values(), key=lambda names: len(set(names)))
    return {name: by_name[name] for name in dict.fromkeys((*longest, *by_name))}


def _unseen(unlike: Sequence[Probed]) -> Iterator[Part]:
    """The cases that take the same for something else stand together."""
    by_case, alike = defaultdict[str, list[Probed]](list), defaultdict[tuple[str, ...], list[Sequence[Probed]]](list)
    for one in unlike:
        by_case[one.case.id].append(one)
    for found in by_case.values():
        alike[tuple(dict.fromkeys(f"{_does(one)} though {one.probe.name}" for one in found))].append(found)
    yield Heading(text="What it cannot see, case by case")
    yield from (_alike(findings, cases) for findings, cases in alike.items())


def _alike(findings: Sequence[str], cases: Sequence[Sequence[Probed]]) -> Table:
    details = ["; ".join(filter(None, (_detail(one) for one in found))) for found in cases]
    same = len(set(details)) == 1
    return Table(
        title=f"{counted(len(cases), 'case')}: {'; '.join(findings)}",
        columns=("Case", "Title") if same else ("Case", "Title", "Here"),
        rows=tuple(
            (
                Name(found[0].case.id, most=_WIDEST),
                Prose(found[0].case.title, lines=1),
                *(() if same else (Prose(detail),)),
            )
            for found, detail in zip(cases, details, strict=True)
        ),
        note=details[0] if same else "",
    )


def _does(one: Probed) -> str:
    return "passes" if one.verdict.outcome == "pass" else "fails"


def _detail(one: Probed) -> str:
    """What was done in this case, and why it failed if it should not have."""
    return ": ".join(filter(None, (one.probe.what, one.verdict.critique if _does(one) == "fails" else "")))
