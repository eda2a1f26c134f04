"""From the golden CSV to the cases and trials of a run."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from trialkit.errors import InputError
from trialkit.runfile import Label, PlannedTrial, TrialRecord, now
from trialkit.suites import Material
from trialkit.suites.prompts import read_prompt
from trialkit.vocabulary import Case, Verdict

from .scenarios import INPUT_COLUMNS, Scenario, read_scenarios
from .settings import CommoditySettings

_OWN_GOLDEN = Path("golden/scenarios.csv")


def shipped() -> Traversable:
    return files("trialkit.suites.commodity")


def load_material(settings: CommoditySettings, judges: Sequence[str]) -> Material:
    if settings.skip_analysis and settings.skip_judge:
        raise InputError("--skip-analysis and --skip-judge together leave nothing to do; give one of them")
    path = _golden(settings)
    rows = _chosen(path, read_scenarios(path), settings.ids)
    first = {row.id: row for row in reversed(rows)}  # of several trials of a scenario the first row
    by_case = {case_id: first[case_id] for case_id in dict.fromkeys(row.id for row in rows)}
    numbers = range(1, max([settings.trials, *(row.trial or 1 for row in rows)]) + 1)
    kept = {(row.id, row.trial or 1): row for row in rows}
    prompts = []
    if not (settings.skip_analysis or settings.analyzer_url or settings.model == "baseline"):
        prompts.append(read_prompt("analyzer", settings.analyzer_prompt, "analyzer_prompts", shipped() / "prompts"))
    if not settings.skip_judge and settings.judge_kind != "rules":
        prompts.append(read_prompt("judge", settings.judge_prompt, "judge_prompts", shipped() / "prompts"))
    trials = [
        _planned(case_id, number, kept.get((case_id, number)), settings, judges)
        for case_id in by_case
        for number in numbers
    ]
    return Material(
        subject=_subject(settings),
        cases=[_case(row) for row in by_case.values()],
        trials=trials,
        prompts=prompts,
        notices=_notices(path, trials),
        versions={"golden": str(path), "golden sha256": hashlib.sha256(path.read_bytes()).hexdigest()},
    )


def _golden(settings: CommoditySettings) -> Path:
    if settings.csv is not None:
        return settings.csv
    return _OWN_GOLDEN if _OWN_GOLDEN.is_file() else Path(str(shipped() / "golden" / "scenarios.csv"))


def _chosen(path: Path, rows: list[Scenario], ids: Sequence[str]) -> list[Scenario]:
    known = {row.id for row in rows}
    unknown = [wanted for wanted in ids if wanted not in known]
    if unknown:
        raise InputError(f"--ids: {path} has no scenario {', '.join(unknown)}; it has {', '.join(sorted(known))}")
    return [row for row in rows if not ids or row.id in ids]


def _case(row: Scenario) -> Case:
    """Only what the scenario is: answers and what is said of them belong to its trials."""
    bare = replace(
        row,
        trial=None,
        response=None,
        critique="",
        outcome=None,
        human_critique="",
        human_outcome=None,
        error="",
        raw={column: row.raw[column] for column in INPUT_COLUMNS},
    )
    return Case(id=row.id, title=row.description, group=row.eval_type, data=bare.to_data())


def _planned(
    case_id: str, number: int, row: Scenario | None, settings: CommoditySettings, judges: Sequence[str]
) -> PlannedTrial:
    """What a row already holds is kept: its answer is not asked for again, nor its verdict."""
    if row is None:
        return PlannedTrial(case_id=case_id, number=number, ended=_unanswered("", judges, settings))
    output = row.response.to_data() if row.response else None
    ended = None
    if row.outcome in {"pass", "fail"}:
        verdict = Verdict(judge=row.extra.get("Judge") or "csv", outcome=row.outcome, critique=row.critique)
        ended = TrialRecord(output=output, verdicts=(verdict,), started=now(), elapsed_s=0.0)
    elif output is None:
        ended = _unanswered(row.error, judges, settings)
    elif not judges:
        ended = TrialRecord(output=output, verdicts=(), started=now(), elapsed_s=0.0)
    label = None
    if row.human_outcome is not None:
        label = Label(annotator="human", outcome=row.human_outcome, critique=row.human_critique)
    return PlannedTrial(case_id=case_id, number=number, output=output, label=label, ended=ended)


def _unanswered(error: str, judges: Sequence[str], settings: CommoditySettings) -> TrialRecord | None:
    """With --skip-analysis, a row without an answer cannot be judged."""
    if not settings.skip_analysis:
        return None
    why = error or "the CSV holds no Model Response"
    verdicts = tuple(Verdict(judge=judge, outcome="error", critique=f"no answer to judge: {why}") for judge in judges)
    return TrialRecord(output=None, verdicts=verdicts, error_kind="unanswered", error=why, started=now(), elapsed_s=0.0)


def _subject(settings: CommoditySettings) -> str:
    if settings.skip_analysis:
        return "answers"
    return "service" if settings.analyzer_url else settings.model


def _notices(path: Path, trials: Sequence[PlannedTrial]) -> list[str]:
    judged = sum(trial.ended is not None and trial.ended.outcome in {"pass", "fail"} for trial in trials)
    answered = sum(trial.output is not None and trial.ended is None for trial in trials)
    notices = []
    if judged:
        notices.append(
            f"{judged} rows of {path} have a verdict already, which is kept; clear Model Outcome to judge them again"
        )
    if answered:
        notices.append(f"{answered} rows of {path} have an answer already; it is kept and only judged")
    return notices
