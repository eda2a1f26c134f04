"""A run as one flat table, a row for each trial: for spreadsheets, and for programs that read tables."""

import json
from collections.abc import Mapping
from itertools import chain

from trialkit.errors import InputError
from trialkit.runfile import RecordedTrial, RunFile
from trialkit.stats import known_sum
from trialkit.suites import Format
from trialkit.text.csvfile import write_rows

from .summary import CaseSummary, Summary, summarize

Value = str | int | float | bool | None
TrialRow = Mapping[str, Value]


def trial_rows(summary: Summary) -> list[TrialRow]:
    """All rows have the same columns: what came of the trial, what the suite tells of it, and what run it is of."""
    run, rows = _run(summary), list[TrialRow]()
    facts = dict.fromkeys(chain.from_iterable(summary.facts.values()))
    for one in summary.cases:
        for trial in one.trials:
            told = summary.facts.get(trial.id, {})
            cells = _trial(summary, one, trial)
            rows.append({**cells, **{name: _plain(told.get(name)) for name in facts if name not in cells}, **run})
    return rows


def _trial(summary: Summary, one: CaseSummary, trial: RecordedTrial) -> TrialRow:
    decided, label = trial.decided, trial.label
    measures = {mean.measure.name: mean.measure for mean in summary.means if mean.measure.kind == "score"}
    scores = {
        name: measure.reader(summary.info.measures)(decided) if decided else None for name, measure in measures.items()
    }
    return {
        "case": one.case.id,
        "title": one.case.title,
        "group": one.case.group,
        "trial": trial.number,
        "outcome": trial.outcome,
        "passed": None if trial.outcome not in {"pass", "fail"} else trial.outcome == "pass",
        **scores,
        "judge": decided.judge if decided else None,
        "critique": decided.critique if decided else None,
        "label": label.outcome if label else None,
        "label_score": label.score if label else None,
        "label_critique": label.critique if label else None,
        "marks": " ".join(dict.fromkeys(mark.kind for mark in trial.marks)) or None,
        "error_kind": trial.error_kind,
        "error": trial.error,
        **_spent(summary, trial),
        "elapsed_s": trial.elapsed_s or None,
    }


def _spent(summary: Summary, trial: RecordedTrial) -> TrialRow:
    """Unknown where the answer came from elsewhere, and nobody told what it took."""
    told = bool(trial.spending) or not trial.given
    spent = {
        "cost_usd": trial.cost,
        "calls": summary.model_calls(trial),
        "stored_calls": sum(part.calls for part in trial.spending if part.source == "cache"),
        "input_tokens": known_sum(part.input_tokens for part in trial.spending),
        "output_tokens": known_sum(part.output_tokens for part in trial.spending),
    }
    return {name: value if told else None for name, value in spent.items()}


def _run(summary: Summary) -> TrialRow:
    """The same in every row, so that the tables of several runs can be put under each other."""
    info = summary.info
    return {
        "suite": info.suite,
        "name": info.name,
        "tags": " ".join(info.tags),
        "subject": info.subject,
        **{f"{model.role}_model": model.name for model in summary.models},
        **{f"{prompt.role}_prompt": prompt.version for prompt in summary.prompts},
        "begun": info.created,
    }


def _plain(value: object) -> Value:
    if value is None or isinstance(value, str | int | float):
        return value
    return json.dumps(value, ensure_ascii=False)


def trials_csv(run: RunFile) -> str:
    rows = trial_rows(summarize(run))
    return write_rows(list(rows[0]) if rows else ["case"], ([_cell(value) for value in row.values()] for row in rows))


def _cell(value: Value) -> str | float:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else value


def trials_parquet(run: RunFile) -> bytes:
    try:
        import pyarrow as pa  # type: ignore[import-not-found,import-untyped,unused-ignore]  # noqa: PLC0415
        from pyarrow import parquet  # type: ignore[import-not-found,import-untyped,unused-ignore]  # noqa: PLC0415
    except ImportError:
        raise InputError("writing Parquet needs pyarrow: pip install pyarrow; or take --format csv") from None
    rows = trial_rows(summarize(run))
    columns = {name: _of_one_type([row[name] for row in rows]) for name in (rows[0] if rows else {})}
    out = pa.BufferOutputStream()
    parquet.write_table(pa.table(columns), out)
    written: bytes = out.getvalue().to_pybytes()
    return written


def _of_one_type(column: list[Value]) -> list[Value]:
    """What a suite tells of its trials may be a number here and a text there."""
    kinds = {float if type(value) is int else type(value) for value in column if value is not None}
    return column if len(kinds) < 2 else [None if value is None else str(value) for value in column]


CSV = Format(suffix=".csv", write=trials_csv)
PARQUET = Format(suffix=".parquet", write=trials_parquet)
