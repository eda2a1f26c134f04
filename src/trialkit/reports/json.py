"""The report as JSON: stable names, every figure as value, low, high and n. Documented in docs/json-report.md."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from trialkit.runfile import RecordedTrial, RunFile
from trialkit.stats import exact

from .summary import Summary

FORMAT = "trialkit-report/1"


def json_report(summary: Summary, run: RunFile) -> str:
    info = summary.info
    data = {
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
            "models": {m.role: {"name": m.name, "endpoint": m.endpoint} for m in summary.models},
            "prompts": {p.role: {"version": p.version, "sha256": p.hash} for p in summary.prompts},
        },
        "metrics": {**_metrics(summary), **summary.details.metrics},
        "cases": [
            {
                "id": one.case.id,
                "title": one.case.title,
                "group": one.case.group,
                "data": one.case.data,
                "trials": [_trial(trial, summary.facts.get(trial.id, {}), run) for trial in one.trials],
            }
            for one in summary.cases
        ],
    }
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _metrics(summary: Summary) -> dict[str, Any]:
    n = summary.total
    counts = ("total", "passed", "failed", "errors", "unjudged", "open")
    return {
        "pass_rate": summary.pass_rate.to_data(),
        "pass_hat_k": [figure.to_data() for figure in summary.pass_hat_k],
        "average_reward": summary.average_reward.to_data() if summary.average_reward else None,
        "pass_rate_by_group": {group: figure.to_data() for group, figure in summary.groups.items()},
        "judges_agree": summary.agreement.to_data() if summary.agreement else None,
        "trials": {name: exact(getattr(summary, name), n).to_data() for name in counts},
        "cost_usd": summary.cost.to_data(),
        "paid_usd": summary.paid.to_data(),
        "cost_per_trial_usd": summary.cost_per_trial.to_data(),
        "seconds_per_trial": summary.seconds_per_trial.to_data(),
        "wall_s": exact(summary.info.wall_s, n).to_data(),
        "failed_calls": exact(summary.failed_calls, n).to_data(),
        "roles": {
            role.role: {
                "model": role.model,
                "calls": exact(role.calls, role.calls).to_data(),
                "stored": exact(role.stored, role.calls).to_data(),
                "input_tokens": exact(role.input_tokens, role.calls).to_data(),
                "output_tokens": exact(role.output_tokens, role.calls).to_data(),
                "cost_usd": exact(role.cost, role.calls).to_data(),
            }
            for role in summary.roles
        },
    }


def _trial(trial: RecordedTrial, facts: Mapping[str, Any], run: RunFile) -> dict[str, Any]:
    return {
        "trial": trial.number,
        "outcome": trial.outcome,
        "facts": dict(facts),
        "output": trial.output,
        "error": {"kind": trial.error_kind, "message": trial.error} if trial.error is not None else None,
        "verdicts": [asdict(verdict) for verdict in trial.verdicts],
        "labels": [asdict(label) for label in trial.labels],
        "remarks": [asdict(remark) for remark in trial.remarks],
        "spending": [asdict(part) for part in (*trial.spending, *trial.later)],
        "cost_usd": trial.cost,
        "elapsed_s": trial.elapsed_s,
        "transcript": [{"kind": event.kind, **event.data} for event in run.transcript(trial.id)],
    }
