"""From the golden CSV to the cases and trials of a run."""

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from trialkit.errors import InputError
from trialkit.runfile import Label, PlannedTrial, TrialRecord, now
from trialkit.suites import Content
from trialkit.suites.agents import agent_subject
from trialkit.text.files import read_file
from trialkit.text.shown import counted
from trialkit.vocabulary import Case, Outcome, Verdict

from .rows import KEPT_COLUMNS, GoldenRow, read_golden
from .shipped import SHIPPED

if TYPE_CHECKING:  # pydantic takes longer to load than a short command may
    from .settings import CommoditySettings

_OWN_GOLDEN = Path("golden/scenarios.csv")


def read_content(settings: "CommoditySettings", judges: Sequence[str]) -> Content:
    if settings.skip_analysis and settings.skip_judge:
        raise InputError("--skip-analysis and --skip-judge together leave nothing to do; give one of them")
    if settings.analyzer_header and not settings.analyzer_url:
        raise InputError("--analyzer-header goes with --analyzer-url, which is not given")
    if "analyzer_prompt" in settings.model_fields_set and settings.analyzer_prompt_unread:
        raise InputError(
            f"--analyzer-prompt {settings.analyzer_prompt}: {settings.analyzer_prompt_unread};"
            " leave it out, or put a model on trial"
        )
    path = _golden(settings)
    by_case: defaultdict[str, dict[int, GoldenRow]] = defaultdict(dict)
    for row in _chosen(path, read_golden(path), settings.ids):
        by_case[row.id][row.trial or 1] = row
    if settings.skip_analysis and not any(
        row.response or row.outcome for rows in by_case.values() for row in rows.values()
    ):
        fix = "give the CSV of a run with --skip-judge, or leave --skip-analysis out"
        raise InputError(f"{path}: no row has a Model Response, so there is nothing to judge; {fix}")
    # Only the trials that the rows are, unless more are asked for.
    asked = range(1, settings.trials + 1) if "trials" in settings.model_fields_set else ()
    numbers = {case_id: sorted({*rows, *asked}) for case_id, rows in by_case.items()}
    trials = [
        _planned(case_id, number, rows.get(number), settings, judges)
        for case_id, rows in by_case.items()
        for number in numbers[case_id]
    ]
    return Content(
        subject=_subject(settings),
        cases=[_case(rows, numbers[case_id]) for case_id, rows in by_case.items()],
        trials=trials,
        notices=_notices(path, trials),
        versions={"golden": str(path), "golden sha256": hashlib.sha256(read_file(path)).hexdigest()},
    )


def _golden(settings: "CommoditySettings") -> Path:
    if settings.csv is not None:
        return settings.csv
    return _OWN_GOLDEN if _OWN_GOLDEN.exists() else Path(str(SHIPPED / "golden" / "scenarios.csv"))


def _chosen(path: Path, rows: list[GoldenRow], ids: Sequence[str]) -> list[GoldenRow]:
    known = {row.id for row in rows}
    unknown = [wanted for wanted in ids if wanted not in known]
    if unknown:
        raise InputError(f"--ids: {path} has no scenario {', '.join(unknown)}; it has {', '.join(sorted(known))}")
    return [row for row in rows if not ids or row.id in ids]


def _case(rows: Mapping[int, GoldenRow], numbers: Sequence[int]) -> Case:
    """Only what the scenario is, and by trial what its row holds besides, to be written back."""
    first = next(iter(rows.values()))
    extras = {str(number): _extras(rows.get(number), first) for number in numbers}
    data = {"raw": first.raw, "extras": {number: cells for number, cells in extras.items() if cells}}
    return Case(id=first.id, title=first.scenario.description, group=first.scenario.eval_type, data=data)


def _extras(row: GoldenRow | None, first: GoldenRow) -> Mapping[str, str]:
    if row is None:
        # Without a column Trial, the further columns say something of the scenario; else of each trial.
        return first.extra if first.trial is None else {}
    # A critique without an outcome is no label.
    kept = (*KEPT_COLUMNS, *(() if row.human_outcome else ("Human Critique",)))
    return {**row.extra, **{column: cell for column in kept if (cell := row.cell(column))}}


def _planned(
    case_id: str, number: int, row: GoldenRow | None, settings: "CommoditySettings", judges: Sequence[str]
) -> PlannedTrial:
    """What a row already holds is kept: its answer is not asked for again, nor its verdict."""
    if row is None:
        return PlannedTrial(case_id=case_id, number=number, ended=_unanswered("", judges, settings))
    output = row.response.to_data() if row.response else None
    ended = None
    if row.outcome in {"pass", "fail"}:
        ended = TrialRecord(output=output, verdicts=_verdicts(row, row.outcome), started=now(), elapsed_s=0.0)
    elif output is None:
        ended = _unanswered(row.cell("Error"), judges, settings)
    elif not judges:
        ended = TrialRecord(output=output, verdicts=(), started=now(), elapsed_s=0.0)
    label = None
    if row.human_outcome is not None:
        label = Label(annotator="human", outcome=row.human_outcome, critique=row.cell("Human Critique"))
    return PlannedTrial(case_id=case_id, number=number, output=output, label=label, ended=ended)


def _verdicts(row: GoldenRow, outcome: Outcome) -> tuple[Verdict, ...]:
    """Those that the row holds: the one that decided, and the rules' where they were the second judge."""
    decided = Verdict(judge=row.cell("Judge") or "csv", outcome=outcome, critique=row.cell("Model Critique"))
    if row.rules_outcome is None or decided.judge == "rules":
        return (decided,)
    return decided, Verdict(judge="rules", outcome=row.rules_outcome, critique=row.cell("Rules Critique"))


def _unanswered(error: str, judges: Sequence[str], settings: "CommoditySettings") -> TrialRecord | None:
    """With --skip-analysis, a row without an answer cannot be judged."""
    if not settings.skip_analysis:
        return None
    why = error or "the CSV holds no Model Response"
    verdicts = tuple(Verdict(judge=judge, outcome="error", critique=f"no answer to judge: {why}") for judge in judges)
    return TrialRecord(output=None, verdicts=verdicts, error_kind="unanswered", error=why, started=now(), elapsed_s=0.0)


def _subject(settings: "CommoditySettings") -> str:
    if settings.skip_analysis:
        return "answers"
    if settings.agent is not None:
        return agent_subject(settings)
    return "service" if settings.analyzer_url else settings.model


def _notices(path: Path, trials: Sequence[PlannedTrial]) -> list[str]:
    judged = sum(trial.ended is not None and trial.ended.outcome in {"pass", "fail"} for trial in trials)
    answered = sum(trial.output is not None and trial.ended is None for trial in trials)
    notices = []
    if judged:
        again = "clear Model Outcome to have a row judged again"
        notices.append(f"{path}: {counted(judged, 'row')} with a verdict, which is kept; {again}")
    if answered:
        notices.append(f"{path}: {counted(answered, 'row')} with an answer, which is kept and only judged")
    return notices
