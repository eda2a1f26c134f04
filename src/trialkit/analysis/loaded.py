"""A run as analysis sees it: from a run file, or from a results CSV."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import fsum
from pathlib import Path
from typing import Literal

from trialkit.errors import InputError
from trialkit.runfile import ModelInUse, RunFile, RunInfo, ShortVerdict, TrialResult
from trialkit.settings import Incidental, OfUser, PerSession, RunSettings, marked
from trialkit.stats import Figure, error_bounds, mean_score
from trialkit.suites import Suite, suite_in
from trialkit.vocabulary import PASS, Case, JudgeInUse, Measure, Outcome

from .headline import worths_of
from .results_csv import read_results_csv


@dataclass(frozen=True, kw_only=True, slots=True)
class LoadedCase:
    id: str
    title: str
    group: str
    tags: tuple[str, ...]
    identity: str  # a hash of what is asked and of what is true; empty: a CSV does not tell
    trials: tuple[TrialResult, ...]
    verdicts: tuple[ShortVerdict, ...]  # of the trials that have one that tells what the trial is worth …
    values: tuple[float, ...]  # … and what that is, by the run's headline measure

    @property
    def mean(self) -> float:
        return fsum(self.values) / len(self.values)


@dataclass(frozen=True, kw_only=True, slots=True)
class LoadedRun:
    path: Path
    suite: str
    subject: str
    called: str  # name, subject, versions of prompts, tags
    created: str
    state: str
    measures: tuple[Measure, ...]  # the first is the headline
    cases: Mapping[str, LoadedCase]
    judges: tuple[str, ...]  # who decided
    judges_in_use: Mapping[str, JudgeInUse] = field(default_factory=dict)  # by name, as far as the run tells
    name: str = ""  # that its user gave it
    tags: tuple[str, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)  # of what was on trial
    user_settings: frozenset[str] = frozenset()  # of the suite's, those that say who plays the user
    data: Mapping[str, str] = field(default_factory=dict)  # versions of the content
    prompts: Mapping[str, str] = field(default_factory=dict)  # role → version and hash
    sessions: int = 1  # in which trials ended
    shuffled: bool = False  # its cases were tried in an order drawn at random, the repeats after them
    from_csv: bool = False
    user: str = ""  # the model that played the user; empty: none did, or nobody tells
    with_judging: bool = False  # a trial's cost and seconds include what judging it took

    @property
    def measure(self) -> Measure:
        return self.measures[0]

    @property
    def trials(self) -> list[TrialResult]:
        return [trial for case in self.cases.values() for trial in case.trials]

    @property
    def everyone(self) -> list[str]:
        """Whoever has judged it."""
        return list(dict.fromkeys(verdict.judge for trial in self.trials for verdict in trial.verdicts))

    def count(self, outcome: Outcome | None) -> int:
        return sum(trial.ended and trial.outcome == outcome for trial in self.trials)

    def figure(self, measure: Measure) -> Figure:
        """The mean over all cases."""
        values = [self.values(case_id, measure) for case_id in self.cases]
        return mean_score(values, measure.low, measure.high)

    @property
    def bounds(self) -> Figure | None:
        """What errors could make of the headline."""
        return error_bounds([self.worths(case_id) for case_id in self.cases], self.measure.low, self.measure.high)

    def worths(self, case_id: str) -> Sequence[float | None]:
        """What the trials of a case are worth by the headline measure; None: it ended in error."""
        case = self.cases[case_id]
        if len(case.values) == len(case.trials):
            return case.values
        return worths_of(case.trials, self.measure.reader(self.measures))

    def amounts(self, cases: Iterable[str], name: Literal["cost", "seconds"]) -> list[list[float]] | None:
        """Of the trials that ended, by case; None as soon as one is unknown: a part is not the whole."""
        found = [[getattr(trial, name) for trial in self.cases[one].trials if trial.ended] for one in cases]
        return None if any(None in values for values in found) else found

    def values(self, case_id: str, measure: Measure) -> Sequence[float]:
        """What the trials of a case are worth by any of the measures."""
        case = self.cases[case_id]
        return case.values if measure == self.measure else worth(case.trials, measure, self.measures)[1]


def worth(
    trials: Iterable[TrialResult], measure: Measure, measures: Sequence[Measure]
) -> tuple[tuple[ShortVerdict, ...], tuple[float, ...]]:
    """The deciding verdicts that tell what their trial is worth, and what that is."""
    value_of = measure.reader(measures)
    decided = [trial.decided for trial in trials if trial.decided is not None]
    told = [(verdict, value) for verdict in decided if (value := value_of(verdict)) is not None]
    return tuple(verdict for verdict, _ in told), tuple(value for _, value in told)


def load_run(path: Path, *, all_judges: bool = True) -> LoadedRun:
    """A run file, or the results CSV of one. Without `all_judges` it may hold the deciding verdicts only."""
    return _from_csv(path) if path.suffix.lower() == ".csv" else _from_run_file(path, all_judges=all_judges)


def load_to_compare(path: Path, judge: str | None = None) -> LoadedRun:
    """A run as it was decided, or as if this judge had decided it: one who judged the run, then or later."""
    run = load_run(path, all_judges=judge is not None)
    if judge is None:
        return run
    known = run.everyone
    if judge not in known:
        there = f"its judges are {', '.join(known)}" if known else "nobody has judged it"
        raise InputError(f"{path}: {judge} has not judged this run; {there}. Judge it again: trialkit rejudge")
    cases = {}
    for case in run.cases.values():
        trials = tuple(trial._replace(decided=verdict_of(trial, judge)) for trial in case.trials)
        verdicts, values = worth(trials, run.measure, run.measures)
        cases[case.id] = replace(case, trials=trials, verdicts=verdicts, values=values)
    return replace(run, cases=cases, judges=(judge,))


def replies_of(run: LoadedRun) -> Mapping[tuple[str, int], str]:
    """By case and number of the trial, a hash of what was asked in its attempt and replied. A CSV does not tell."""
    if run.from_csv:
        return {}
    with RunFile(run.path) as file:
        return file.replies()


def verdict_of(trial: TrialResult, judge: str) -> ShortVerdict | None:
    """The judge's newest verdict that is one: an error is none."""
    return next((one for one in reversed(trial.verdicts) if one.judge == judge and one.outcome != "error"), None)


def _from_run_file(path: Path, *, all_judges: bool) -> LoadedRun:
    with RunFile(path) as run:
        info, cases, prompts, models = run.info(), run.cases(), run.prompts(), run.models()
        trials, sessions = run.results(all_judges=all_judges), run.sessions()
    suite = suite_in(info)
    return LoadedRun(
        path=path,
        suite=info.suite,
        subject=info.subject,
        called=info.called(prompts),
        name=info.name,
        tags=info.tags,
        created=info.created,
        state=info.state,
        measures=info.measures,
        cases=_cases(cases, trials, info.measures, suite),
        judges=_deciding(trials),
        judges_in_use={judge.name: judge for judge in info.judges},
        settings=_on_trial(info, models, suite.settings),
        user_settings=frozenset(marked(suite.settings, OfUser)),
        data={name: version for name, version in info.versions.items() if name != "trialkit"},
        prompts={prompt.role: f"{prompt.version} ({prompt.hash[:8]})" for prompt in prompts},
        user=next((model.name for model in models if model.role == OfUser.role), ""),
        sessions=sessions,
        shuffled=bool(info.settings.get("until_decided")),
    )


def _from_csv(path: Path) -> LoadedRun:
    suite, cases, trials, of_answers = read_results_csv(path)
    return LoadedRun(
        path=path,
        suite=suite.name,
        subject=path.name,
        called=path.name,
        created="",
        state="done",
        measures=(PASS,),
        cases=_cases(cases, trials, (PASS,), suite),
        judges=_deciding(trials),
        from_csv=True,
        with_judging=not of_answers,
    )


def _cases(
    cases: Sequence[Case], trials: Sequence[TrialResult], measures: Sequence[Measure], suite: Suite
) -> dict[str, LoadedCase]:
    """What was written before cases had an identity has it from the suite."""
    by_case: defaultdict[str, list[TrialResult]] = defaultdict(list)
    for trial in trials:
        by_case[trial.case_id].append(trial)
    found = {}
    for case in cases:
        verdicts, values = worth(by_case[case.id], measures[0], measures)
        found[case.id] = LoadedCase(
            id=case.id,
            title=case.title,
            group=case.group,
            tags=case.tags,
            identity=case.identity or suite.identity(case),
            trials=tuple(by_case[case.id]),
            verdicts=verdicts,
            values=values,
        )
    return found


def _deciding(trials: Sequence[TrialResult]) -> tuple[str, ...]:
    return tuple(sorted({trial.decided.judge for trial in trials if trial.decided}))


def _on_trial(info: RunInfo, models: Sequence[ModelInUse], settings: type[RunSettings]) -> dict[str, str]:
    """The settings that may change the result. Models are told where no setting names them."""
    left_out = marked(settings, Incidental).keys() | marked(RunSettings, PerSession).keys()
    told = {name: _text(value) for name, value in info.settings.items() if name not in left_out}
    return told | {f"model of the {model.role}": model.name for model in models if model.name not in told.values()}


def _text(value: object) -> str:
    return "—" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
