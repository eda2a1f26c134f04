"""What a suite says of itself, checked before a run: whoever wrote it is told what to change."""

from typing import Any

from trialkit.doors import is_loaded_late
from trialkit.errors import InputError
from trialkit.runfile import PlannedTrial
from trialkit.text.json import dump, parse
from trialkit.text.whole import whole_text
from trialkit.vocabulary import Case, Measure

from .asking import asking
from .base import API, S, Suite
from .content import Content


def checked_suite(suite: object, where: str) -> Suite:
    """InputError where it is none that this trialkit can run; `where` it comes from, for the message."""
    wanted = f"this trialkit wants a trialkit.suites.Suite of API {API}; see docs/suites.md"
    if not isinstance(suite, Suite):
        raise InputError(f"{where} is no suite, or of the shape before API 1: {wanted}")
    if suite.api != API:
        raise InputError(f"{where} was written for API {suite.api!r}; {wanted}, or install a trialkit of its time")
    if wrong := _wrong(suite):
        raise InputError(f"{where} {wrong}; see docs/suites.md")
    return suite


def _wrong(suite: Suite[Any]) -> str:
    name, summary, measures = (getattr(suite, part, None) for part in ("name", "summary", "measures"))
    if not isinstance(name, str) or not name or not isinstance(summary, str):
        return 'has no name, or a summary that is no text: write `name = "…"` in its class'
    if wrong := _wrong_settings(suite):
        return wrong
    if not isinstance(measures, tuple) or not measures or not all(isinstance(one, Measure) for one in measures):
        return f"has measures that are no tuple of Measure, such as (PASS,): {measures!r:.60}"
    if len({measure.name for measure in measures}) < len(measures):
        return f"has two measures of one name: {', '.join(measure.name for measure in measures)}"
    for needed in (("cases", "content"), ("attempt", "runner"), ("judge", "runner")):
        if all(getattr(type(suite), part) is getattr(Suite, part) for part in needed):
            return f"has no {needed[0]}, and no {needed[1]} in its place"
    return ""


def _wrong_settings(suite: Suite[Any]) -> str:
    if is_loaded_late(suite, "settings"):
        return ""  # to show a run nobody needs them
    from trialkit.settings import RunSettings  # noqa: PLC0415 - pydantic

    settings = getattr(suite, "settings", None)
    fine = isinstance(settings, type) and issubclass(settings, RunSettings)
    return "" if fine else f"has settings that are no subclass of RunSettings: {settings!r:.60}"


def content_of(suite: Suite[S], settings: S) -> Content:
    """What a run would be made of. InputError where it cannot be had, or where a run file could not hold it."""
    with asking(f"suite {suite.name}", "cases"):
        content = suite.content(settings)
    seen: set[str] = set()
    for case in content.cases:
        _check_case(suite.name, case)
        if case.id in seen:
            raise InputError(f"suite {suite.name}: two cases have the id {case.id!r}; each needs one of its own")
        seen.add(case.id)
    for trial in content.trials:
        _check_trial(suite.name, trial, seen)
    return content


def _check_case(suite: str, case: Case) -> None:
    if not isinstance(case, Case):
        raise InputError(f"suite {suite}: {case!r:.60} is no Case")
    if not isinstance(case.id, str) or not case.id or case.id != whole_text(case.id):
        raise InputError(f"suite {suite}: the id of a case is {case.id!r}, not a text")
    for part in ("title", "group", "identity", "skipped"):
        if not isinstance(found := getattr(case, part), str):
            raise InputError(f"suite {suite}: the {part} of case {case.id} is {found!r:.60}, not a text")
    if not isinstance(case.tags, list | tuple) or not all(isinstance(tag, str) for tag in case.tags):
        raise InputError(f"suite {suite}: the tags of case {case.id} are {case.tags!r:.60}, not a tuple of texts")
    try:
        parse(dump(case.data), finite=True)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"suite {suite}: the data of case {case.id} is no JSON data: {error}") from None


def _check_trial(suite: str, trial: PlannedTrial, cases: set[str]) -> None:
    if trial.case_id not in cases:
        raise InputError(f"suite {suite}: a trial is planned of the case {trial.case_id!r}, which is none of its cases")
