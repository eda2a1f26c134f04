"""The results CSV: the golden CSV's twelve columns filled in, then ours, then whatever else the golden CSV had."""

import json
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from trialkit.runfile import RecordedTrial, RunFile
from trialkit.stats import known_sum
from trialkit.text.csvfile import write_rows
from trialkit.vocabulary import Verdict

from .rows import ANSWER_COLUMNS, COLUMNS, OWN_COLUMNS, SPENDING_COLUMNS, SUBJECT_COLUMNS


def results_csv(run: RunFile) -> str:
    scenarios = {case.id: case.data for case in run.once(RunFile.cases)}
    extras = (cells for data in scenarios.values() for cells in data["extras"].values())
    columns = tuple(dict.fromkeys((*COLUMNS, *OWN_COLUMNS, *(name for cells in extras for name in cells))))
    setup = _setup(run)
    cells = (_cells(scenarios[trial.case_id], trial, setup) for trial in run.once(RunFile.trials))
    return write_rows(columns, ([row.get(column, "") for column in columns] for row in cells))


def _setup(run: RunFile) -> Mapping[str, str]:
    """Who answers, and what the run is called; who judged is told by the judge's name."""
    info, prompts = run.info(), {prompt.role: prompt.version for prompt in run.prompts()}
    return {"Analyzer Model": info.subject, "Analyzer Prompt": prompts.get("analyzer", ""), "Run Name": info.name}


def _cells(scenario: Mapping[str, Any], trial: RecordedTrial, setup: Mapping[str, str]) -> Mapping[str, str]:
    decided, label = trial.decided, trial.label
    extra = scenario["extras"].get(str(trial.number), {})
    return {
        **extra,
        **scenario["raw"],
        "Model Response": "" if trial.output is None else json.dumps(trial.output, ensure_ascii=False),
        "Model Critique": decided.critique if decided else "",
        "Model Outcome": trial.outcome or "",
        "Human Critique": label.critique if label else extra.get("Human Critique", ""),
        "Human Outcome": label.outcome if label else "",
        "Trial": str(trial.number),
        "Judge": decided.judge if decided else "",
        "Error": trial.error or "",
        **_second_judge(trial, decided),
        **setup,
        **_spending(trial, extra),
        **_answer(trial, extra),
    }


def _second_judge(trial: RecordedTrial, decided: Verdict | None) -> Mapping[str, str]:
    rules = next((verdict for verdict in trial.verdicts if verdict.judge == "rules"), None)
    if rules is None or decided is None:
        return {}
    cells = {"Rules Outcome": rules.outcome, "Rules Critique": rules.critique}
    if decided is not rules and "error" not in {rules.outcome, decided.outcome}:
        cells["Judges Agree"] = "yes" if rules.outcome == decided.outcome else "no"
    return cells


def _spending(trial: RecordedTrial, extra: Mapping[str, str]) -> Mapping[str, str]:
    """Empty where it is unknown, never 0; a trial without model calls cost nothing.

    But an answer that was given did cost something once: what its row says, if it does, counts as well.
    """
    before = {column: extra.get(column, "") for column in SPENDING_COLUMNS} if trial.given else {}
    if trial.given and not trial.spending:
        return before
    inputs = known_sum(part.input_tokens for part in trial.spending)
    outputs = known_sum(part.output_tokens for part in trial.spending)
    spent = {
        "Input Tokens": "" if inputs is None else str(inputs),
        "Output Tokens": "" if outputs is None else str(outputs),
        "Cost USD": "" if trial.cost is None else f"{trial.cost:.6f}",
        "Latency s": f"{sum(part.latency_s for part in trial.spending):.3f}",
    }
    return {column: _sum(before[column], cell) for column, cell in spent.items()} if any(before.values()) else spent


def _answer(trial: RecordedTrial, extra: Mapping[str, str]) -> Mapping[str, str]:
    """What the answer alone took; of one that was given, what its row says of it and of who gave it."""
    if trial.given:
        return {column: extra.get(column, "") for column in (*ANSWER_COLUMNS, *SUBJECT_COLUMNS)}
    parts = [part for part in trial.spending if part.role == "analyzer"]
    cost, stored = trial.cost_of("analyzer"), any(part.source == "cache" for part in parts)
    return {
        "Answer Cost USD": "" if cost is None else f"{cost:.9f}",
        "Answer Latency s": "" if stored or not parts else f"{sum(part.latency_s for part in parts):.3f}",
    }


def _sum(one: str, other: str) -> str:
    try:
        total = Decimal(one) + Decimal(other)
    except InvalidOperation:  # an empty cell, or what somebody wrote into it
        return ""
    return str(total) if total.is_finite() else ""
