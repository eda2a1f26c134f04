"""The results CSV: the golden CSV's twelve columns filled in, then ours, then whatever else the golden CSV had."""

import json
from collections.abc import Mapping
from typing import Any

from trialkit.runfile import RunFile, TrialRow
from trialkit.vocabulary import Verdict

from .csvfile import write_rows
from .scenarios import COLUMNS

OWN_COLUMNS = (
    "Trial",
    "Judge",
    "Error",
    "Rules Outcome",
    "Rules Critique",
    "Judges Agree",
    "Input Tokens",
    "Output Tokens",
    "Cost USD",
    "Latency s",
)


def results_csv(run: RunFile) -> str:
    scenarios = {case.id: case.data for case in run.cases()}
    further = dict.fromkeys(name for one in scenarios.values() for name in one["extra"] if name not in OWN_COLUMNS)
    columns = (*COLUMNS, *OWN_COLUMNS, *further)
    cells = (_cells(scenarios[trial.case_id], trial) for trial in run.trials())
    return write_rows(columns, ([row.get(column, "") for column in columns] for row in cells))


def _cells(scenario: Mapping[str, Any], trial: TrialRow) -> Mapping[str, str]:
    decided, label = trial.decided, next(iter(trial.labels), None)
    return {
        **scenario["extra"],
        **scenario["raw"],
        "Model Response": "" if trial.output is None else json.dumps(trial.output, ensure_ascii=False),
        "Model Critique": decided.critique if decided else "",
        "Model Outcome": trial.outcome or "",
        "Human Critique": label.critique if label else "",
        "Human Outcome": label.outcome if label else "",
        "Trial": str(trial.number),
        "Judge": decided.judge if decided else "",
        "Error": trial.error or "",
        **_second_judge(trial, decided),
        **_spending(trial),
    }


def _second_judge(trial: TrialRow, decided: Verdict | None) -> Mapping[str, str]:
    rules = next((verdict for verdict in trial.verdicts if verdict.judge == "rules"), None)
    if rules is None or decided is None:
        return {}
    cells = {"Rules Outcome": rules.outcome, "Rules Critique": rules.critique}
    if decided is not rules and "error" not in {rules.outcome, decided.outcome}:
        cells["Judges Agree"] = "yes" if rules.outcome == decided.outcome else "no"
    return cells


def _spending(trial: TrialRow) -> Mapping[str, str]:
    """Empty where it is unknown, never 0; a trial without model calls cost nothing."""
    inputs = [part.input_tokens for part in trial.spending]
    outputs = [part.output_tokens for part in trial.spending]
    return {
        "Input Tokens": _total(inputs),
        "Output Tokens": _total(outputs),
        "Cost USD": "" if trial.cost is None else f"{trial.cost:.6f}",
        "Latency s": f"{sum(part.latency_s for part in trial.spending):.3f}",
    }


def _total(counts: list[int | None]) -> str:
    return "" if None in counts else str(sum(count or 0 for count in counts))
