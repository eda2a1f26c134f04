"""A run as JSON: stable names, every figure as value, low, high and n. Documented in docs/json-report.md."""

from collections.abc import Mapping
from dataclasses import asdict
from hashlib import sha256

from trialkit.pages import Table, part_data
from trialkit.runfile import RecordedTrial, ReplyNotes, RunFile
from trialkit.stats import exact
from trialkit.text.json import pretty

from .floor import floor_data
from .headline import headline_data
from .steady import variance_data
from .summary import Mean, RoleSummary, Summary, summarize
from .user_faults import told_faults

FORMAT = "trialkit-report/1"
#: Characters of a text that stands once in the report, as it does in the run file.
_LONG = 64 * 1024


def json_report(run: RunFile) -> str:
    summary = summarize(run)
    info = summary.info
    texts: dict[str, str] = {}
    data: dict[str, object] = {
        "format": FORMAT,
        "run": {
            "file": run.path.name,
            "suite": info.suite,
            "subject": info.subject,
            "created": info.created,
            "state": info.state,
            "reason": info.reason,
            "settings": info.settings,
            "versions": info.versions,
            "measures": [asdict(measure) for measure in info.measures],
            "judges": [asdict(judge) for judge in info.judges],
            "models": {m.role: {"name": m.name, "endpoint": m.endpoint} for m in summary.models},
            "prompts": {p.role: {"version": p.version, "sha256": p.hash, "text": p.text} for p in summary.prompts},
        },
        "metrics": {**_metrics(summary), **summary.details.metrics},
        "tables": [part_data(one if isinstance(one, Table) else one.table()) for one in summary.details.tables],
        "cases": [
            {
                "id": one.case.id,
                "title": one.case.title,
                "group": one.case.group,
                "tags": list(one.case.tags),
                "data": one.case.data,
                "trials": [_once(_trial(trial, summary, run), texts) for trial in one.trials],
            }
            for one in summary.cases
        ],
    }
    return pretty(data | ({"texts": texts} if texts else {}))


def _once(value: object, texts: dict[str, str]) -> object:
    """With its long texts put away by their hashes: one may stand in an answer, in its events and in requests."""
    if isinstance(value, str) and len(value) >= _LONG:
        key = sha256(value.encode()).hexdigest()
        texts[key] = value
        return {"$text": key}
    if isinstance(value, Mapping):
        return {name: _once(item, texts) for name, item in value.items()}
    return [_once(item, texts) for item in value] if isinstance(value, list | tuple) else value


def _metrics(summary: Summary) -> dict[str, object]:
    n = summary.counts.total
    passes = next((mean for mean in summary.means if mean.measure.kind == "pass"), None)
    score = next((mean for mean in summary.means if mean.measure.kind == "score" and mean.figure.n), None)
    skipped = {"skipped": {"count": len(summary.skipped), "tasks": summary.skipped}} if summary.skipped else {}
    return {
        **headline_data(summary.headline.figure, summary.headline.measure, summary.headline.bounds),
        "measures": {mean.measure.name: _mean(mean) for mean in summary.means},
        "pass_rate": passes.figure.to_data() if passes else None,
        "pass_hat_k": [figure.to_data() for figure in summary.pass_hat_k],
        "average_reward": score.figure.to_data() if score else None,
        "pass_rate_by_group": _mean(passes)["by_group"] if passes else {},
        "judges_agree": summary.agreement.to_data() if summary.agreement else None,
        "trials": {name: exact(count, n).to_data() for name, count in asdict(summary.counts).items()},
        "cost_usd": summary.cost.to_data(),
        "paid_usd": summary.paid.to_data(),
        "cost_per_trial_usd": summary.cost_per_trial.to_data(),
        "seconds_per_trial": summary.seconds_per_trial.to_data(),
        "wall_s": exact(summary.info.wall_s, n).to_data(),
        "failed_calls": exact(summary.failed_calls, n).to_data(),
        "retries": exact(summary.retries, n).to_data(),
        "stored_trials": exact(summary.stored, n).to_data(),
        "left_out": {role: notes.left_out for role, notes in summary.notes.items() if notes.left_out},
        "roles": {role.role: _role(role, summary.notes.get(role.role, ReplyNotes())) for role in summary.roles},
        **variance_data(summary),
        **({"simulated_user": user.to_data()} if (user := summary.user) else {}),
        **floor_data(summary),
        **skipped,
    }


def _mean(mean: Mean) -> dict[str, object]:
    return {
        "mean": mean.figure.to_data(),
        "by_group": {group: figure.to_data() for group, figure in mean.groups.items()},
    }


def _role(role: RoleSummary, notes: ReplyNotes) -> dict[str, object]:
    names = {name: name for name in ("calls", "turns", "stored", "input_tokens", "output_tokens")} | {
        "cost_usd": "cost"
    }
    n = (role.turns or 0) if role.calls is None else role.calls
    figures = {name: exact(getattr(role, field), n).to_data() for name, field in names.items()}
    noted = {name: exact(count, n).to_data() for name, count in asdict(notes).items() if name != "left_out"}
    return {"model": role.model, **figures, **noted}


def _trial(trial: RecordedTrial, summary: Summary, run: RunFile) -> dict[str, object]:
    found = summary.user_faults.get(trial.id)
    return {
        "trial": trial.number,
        **({"origin": asdict(trial.origin)} if trial.origin else {}),
        "outcome": trial.outcome,
        "facts": dict(summary.facts.get(trial.id, {})),
        "output": trial.output,
        "error": {"kind": trial.error_kind, "message": trial.error} if trial.error is not None else None,
        "verdicts": [asdict(verdict) for verdict in trial.verdicts],
        "labels": [asdict(label) for label in trial.labels],
        "marks": [asdict(mark) for mark in trial.marks],
        "remarks": [asdict(remark) for remark in trial.remarks],
        **({} if found is None else {"user_faults": told_faults(run, trial, found)}),
        "spending": [asdict(part) for part in (*trial.spending, *trial.later)],
        "cost_usd": trial.cost,
        "elapsed_s": trial.elapsed_s,
        "transcript": [{"kind": event.kind, **event.data} for event in run.transcript(trial.id)],
    }
