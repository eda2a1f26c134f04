"""The environment's verdict on a conversation: what it earned, why, and what it was scored by."""

from collections.abc import Mapping, Sequence
from typing import Any

from trialkit.dialogue import Output
from trialkit.vocabulary import Finding, Verdict

from .breakdown import UNSCORED_ENDS, explain
from .domain import Domain
from .score import Score
from .tasks import Task

JUDGE = "environment"
_ENDS = {
    "max_steps": "The step limit was reached before the conversation was over, so it is not scored.",
    "too_many_errors": "Too many tool calls failed, so the conversation was cut off and is not scored.",
    "judge_stop": "tau2's judge took the agent to be stuck and stopped the conversation, so it is not scored.",
    "agent_error": "The agent neither replied nor called a tool, so the conversation was cut off and is not scored.",
    "user_error": "The simulated user gave nothing that could be sent, so there is nothing to judge the agent by.",
}
#: tau2's bases in the words of the reports.
BASES = {
    "DB": "db",
    "COMMUNICATE": "outputs",
    "ACTION": "actions",
    "ENV_ASSERTION": "env_assertions",
    "NL_ASSERTION": "nl_assertions",
}


def is_scored(output: Output) -> bool:
    return output["end"] not in UNSCORED_ENDS


def unscored(domain: Domain, task: Task, output: Output) -> Verdict:
    """Of a conversation that came to no end that counts: a fail, unless the user is to blame."""
    critique = _ENDS[output["end"]]
    if output["end"] == "user_error":
        return no_verdict(critique, output)
    return Verdict(
        judge=JUDGE,
        outcome="fail",
        critique=critique,
        score=0.0,
        details=_details(output, reward=0.0, parts={}, info=None) | {"breakdown": explain(domain, task, output, None)},
    )


def no_verdict(critique: str, output: Output) -> Verdict:
    details = _details(output, reward=None, parts={}, info=None)
    return Verdict(judge=JUDGE, outcome="error", critique=critique, details=details)


def scored(domain: Domain, task: Task, output: Output, score: Score, assertions: Sequence[Finding] = ()) -> Verdict:
    """`assertions` are a model's findings on those that count."""
    passed = abs(score.reward - 1) <= 1e-6
    parts = {BASES[basis]: score.parts[basis] for basis in score.basis}
    info = {"reward": score.reward, "r_actions": score.r_actions, "r_outputs": score.r_outputs}
    details = _details(output, reward=score.reward, parts=parts, info=info)
    details["success_turn"] = output["turns"] if passed else None
    details["breakdown"] = None if passed else explain(domain, task, output, score)
    findings = (*_findings(task, score, parts), *assertions)
    return Verdict(
        judge=JUDGE,
        outcome="pass" if passed else "fail",
        critique=why(details["breakdown"], _critique(findings)),
        findings=findings,
        score=score.reward,
        details=details,
    )


def why(breakdown: Mapping[str, object] | None, otherwise: str) -> str:
    """A critique that begins with the reason, for a table has room for little more."""
    return otherwise if breakdown is None else f"{breakdown['class']}: {breakdown['summary']} {otherwise}"


def _details(
    output: Output,
    *,
    reward: float | None,
    parts: Mapping[str, float | None],
    info: Mapping[str, float | None] | None,
) -> dict[str, Any]:
    return {
        "reward": reward,
        "parts": dict(parts),
        "reward_info": info,  # null as in tau-bench where nothing was scored
        "end": output["end"],
        "steps": output["steps"],
        "turns": output["turns"],
        "success_turn": None,
        "breakdown": None,
    }


def _findings(task: Task, score: Score, parts: Mapping[str, float | None]) -> tuple[Finding, ...]:
    why, found = score.why, []
    if "db" in parts:
        rows = ", ".join(f"{row.table} {row.key}" for row in why.rows)
        evidence = f"differs in {rows}" if rows else "as the ground truth leaves it"
        found.append(Finding(check="the database", met=not rows, evidence=evidence))
    if "outputs" in parts:
        found += (
            Finding(
                check=f"the agent says {output!r}",
                met=output not in why.missing_outputs,
                evidence="not in any reply" if output in why.missing_outputs else "said",
            )
            for output in task.outputs
        )
    missed_names = {
        "actions": [one.name for one in why.unmatched_actions],
        "env_assertions": [one.text for one in why.failed_assertions],
    }
    for name, names in missed_names.items():
        if name in parts:
            missed = ", ".join(names)
            evidence = f"not met: {missed}" if missed else "all met"
            found.append(Finding(check=name.replace("_", " "), met=not missed, evidence=evidence))
    return tuple(found)


def _critique(findings: Sequence[Finding]) -> str:
    unmet = [finding for finding in findings if not finding.met]
    if not unmet:
        return f"All that counts is met: {', '.join(one.check for one in findings) or 'nothing was asked for'}."
    return f"Not met: {'; '.join(f'{one.check} ({one.evidence})' for one in unmet)}."
