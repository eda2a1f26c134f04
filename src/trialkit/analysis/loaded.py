"""A run as comparing sees it: from a run file, or from a results CSV."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from typing import Any

from trialkit.errors import InputError
from trialkit.runfile import Label, ModelInUse, RunFile, ShortVerdict, TrialResult
from trialkit.settings import Incidental, PerSession, RunSettings, marked
from trialkit.suites import Suite, suite_names, suite_of
from trialkit.vocabulary import Case, Outcome

from .sheets import read_results


@dataclass(frozen=True, kw_only=True, slots=True)
class LoadedCase:
    id: str
    title: str
    group: str
    content: str  # hash of what was asked and of the ground truth; empty: a CSV does not tell
    trials: tuple[TrialResult, ...]
    verdicts: tuple[bool, ...]  # passed or not, of the trials that have a verdict


@dataclass(frozen=True, kw_only=True, slots=True)
class Loaded:
    path: Path
    suite: str
    subject: str
    created: str
    state: str
    cases: Mapping[str, LoadedCase]
    settings: Mapping[str, str]  # of what was on trial
    data: Mapping[str, str]  # versions of the content
    judges: tuple[str, ...]  # who decided
    prompts: Mapping[str, str]  # role → version and hash
    from_csv: bool = False  # then a trial's cost and seconds include what judging it took

    @property
    def trials(self) -> list[TrialResult]:
        return [trial for case in self.cases.values() for trial in case.trials]

    def count(self, outcome: Outcome | None) -> int:
        return sum(trial.ended and trial.outcome == outcome for trial in self.trials)


def load_run(path: Path, *, all_judges: bool = True) -> Loaded:
    """A run file, or the results CSV of one. Without `all_judges` it may hold the deciding verdicts only."""
    return _from_csv(path) if path.suffix.lower() == ".csv" else _from_run_file(path, all_judges=all_judges)


def load_to_compare(path: Path, judge: str | None = None) -> Loaded:
    """A run as it was decided, or as if this judge had decided it: one who judged the run, then or later."""
    run = load_run(path, all_judges=judge is not None)
    if judge is None:
        return run
    known = dict.fromkeys(said.judge for trial in run.trials for said in trial.verdicts)
    if judge not in known:
        there = f"its judges are {', '.join(known)}" if known else "nobody has judged it"
        raise InputError(f"{path}: {judge} has not judged this run; {there}. Judge it again: trialkit rejudge")
    cases = {}
    for case in run.cases.values():
        trials = tuple(trial._replace(decided=verdict_of(trial, judge)) for trial in case.trials)
        cases[case.id] = replace(case, trials=trials, verdicts=_verdicts(trials))
    return replace(run, cases=cases, judges=(judge,))


def verdict_of(trial: TrialResult, judge: str) -> ShortVerdict | None:
    """The judge's newest verdict that is one: an error is none."""
    return next((said for said in reversed(trial.verdicts) if said.judge == judge and said.outcome != "error"), None)


def _from_run_file(path: Path, *, all_judges: bool) -> Loaded:
    with RunFile(path) as run:
        info, cases, prompts, models = run.info(), run.cases(), run.prompts(), run.models()
        by_case: defaultdict[str, list[TrialResult]] = defaultdict(list)
        for trial in run.results(all_judges=all_judges):
            by_case[trial.case_id].append(trial)
    suite = suite_of(info.suite)
    return Loaded(
        path=path,
        suite=info.suite,
        subject=info.subject,
        created=info.created,
        state=info.state,
        cases={
            case.id: LoadedCase(
                id=case.id,
                title=case.title,
                group=case.group,
                content=case.identity or suite.identity(case),
                trials=tuple(by_case[case.id]),
                verdicts=_verdicts(by_case[case.id]),
            )
            for case in cases
        },
        settings=_telling(suite, info.settings, models),
        data={name: version for name, version in info.versions.items() if name != "trialkit"},
        judges=_deciding(by_case),
        prompts={prompt.role: f"{prompt.version} ({prompt.hash[:8]})" for prompt in prompts},
    )


def _telling(suite: Suite, settings: Mapping[str, Any], models: Sequence[ModelInUse]) -> dict[str, str]:
    """Of what was on trial. Content and judges are told as such, models where no setting names them."""
    left_out = marked(suite.settings, Incidental).keys() | marked(RunSettings, PerSession).keys()
    told = {name: _told(value) for name, value in settings.items() if name not in left_out}
    return told | {f"model of the {model.role}": model.name for model in models if model.name not in told.values()}


def _told(value: Any) -> str:
    return "—" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _verdicts(trials: Sequence[TrialResult]) -> tuple[bool, ...]:
    outcomes = [trial.outcome for trial in trials]
    return tuple(outcome == "pass" for outcome in outcomes if outcome in {"pass", "fail"})


def _deciding(by_case: Mapping[str, Sequence[TrialResult]]) -> tuple[str, ...]:
    return tuple(sorted({trial.decided.judge for trials in by_case.values() for trial in trials if trial.decided}))


def _from_csv(path: Path) -> Loaded:
    rows = read_results(path, needs=("Model Outcome",))
    if not rows:
        raise InputError(f"{path}: there are no rows under the header")
    by_trial: defaultdict[tuple[str, int], list[Any]] = defaultdict(list)
    for row in rows:
        by_trial[row.case_id, row.trial].append(row)
    by_case: defaultdict[str, list[TrialResult]] = defaultdict(list)
    for number, (key, found) in enumerate(by_trial.items(), start=1):
        by_case[key[0]].append(_result(number, found))
    suite, cases = _cases_of(path, {row.case_id: row.cells for row in reversed(rows)})
    return Loaded(
        path=path,
        suite=suite.name,
        subject=path.name,
        created="",
        state="done",
        cases={
            case_id: LoadedCase(
                id=case_id,
                title=cases[case_id].title,
                group=cases[case_id].group,
                content=suite.identity(cases[case_id]),
                trials=tuple(trials),
                verdicts=_verdicts(trials),
            )
            for case_id, trials in by_case.items()
        },
        settings={},
        data={},
        judges=_deciding(by_case),
        prompts={},
        from_csv=True,
    )


def _cases_of(path: Path, rows: Mapping[str, Mapping[str, str]]) -> tuple[Suite, Mapping[str, Case]]:
    """Whose CSV it is, and its cases, by the first row of each."""
    for suite in map(suite_of, suite_names()):
        found = {case_id: suite.row_case(row) for case_id, row in rows.items()}
        cases = {case_id: case for case_id, case in found.items() if case is not None}
        if len(cases) == len(rows):
            return suite, cases
    raise InputError(f"{path}: no suite here knows this CSV; give the run file")


def _result(number: int, rows: Sequence[Any]) -> TrialResult:
    """Of one trial; several annotators have a row each."""
    row = rows[0]
    said = []
    if row.outcome is not None:
        said.append(ShortVerdict(row.cell("Judge") or "csv", row.outcome, row.cell("Model Critique")))
    rules = row.cell("Rules Outcome").lower()
    if rules in {"pass", "fail", "error"} and row.cell("Judge") != "rules":
        said.append(ShortVerdict("rules", rules, row.cell("Rules Critique")))
    cost, seconds = row.cell("Cost USD"), row.cell("Latency s")
    return TrialResult(
        id=number,
        case_id=row.case_id,
        number=row.trial,
        ended=row.outcome is not None or bool(row.cell("Model Response")),
        error=row.cell("Error") or None,
        decided=said[0] if row.outcome is not None else None,
        verdicts=tuple(said),
        labels=tuple(
            Label(annotator=one.annotator or "human", outcome=one.human, critique=one.cell("Human Critique"))
            for one in rows
            if one.human is not None
        ),
        drawn=row.cell("Drawn"),
        cost=_number(cost),
        seconds=_number(seconds) or None,
    )


def _number(cell: str) -> float | None:
    """An amount; None where it is none: `nan` and `inf` can be read as numbers, but not reckoned with."""
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if isfinite(value) and value >= 0 else None
