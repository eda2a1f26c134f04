"""The evidence of a failed trial, and the class that it makes."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence

from trialkit.dialogue import RESPOND, Action, End, Output
from trialkit.suites.tau.common.domain import TRANSFER, Domain
from trialkit.suites.tau.common.score import Score
from trialkit.suites.tau.common.tasks import Task
from trialkit.text.json import JsonObject

from .user import last_words, left_in_the_middle
from .words import summary
from .writes import Evidence, compare_writes

#: So often has the same call to be made before it is called a loop.
LOOP = 3
#: The ends that are never scored; what is wrong with the database then may be only that it was not finished.
UNSCORED_ENDS: tuple[End, ...] = ("agent_error", "user_error", "too_many_errors", "judge_stop", "max_steps")
#: The first of these for which there is evidence is the class. An act explains more than an omission, and the end of
#: the conversation explains what was omitted. A loop comes first if it is why the conversation ran out of steps, and a
#: user who left in the middle comes before the writes that are missing for it.
CLASSES = (
    *UNSCORED_ENDS,
    "wrong_tool",
    "wrong_arguments",
    "extra_write",
    "premature_transfer",
    "missing_write",
    "wrong_order",
    "missing_transfer",
    "output_not_said",
    "action_not_made",
    "assertion_failed",
    "invalid_calls",
    "loop",
    "user_ended",
    "unexplained",
)
_OMISSIONS = frozenset({"missing_write", "missing_transfer", "output_not_said"})


def explain(domain: Domain, task: Task, output: Output, score: Score | None) -> JsonObject:
    """`output` is what a failed trial left, `score` what it earned; None: it was never scored.

    JSON: `class`, `summary`, and `evidence`, a list of objects that each have a `kind`, which is one of CLASSES.
    """
    actions: Sequence[Action] = output["actions"]
    if score is None:
        score = domain.score(task, actions)
    evidence = [
        *_end(output),
        *_transfer(task, output),
        *compare_writes(domain, task, output, score.why.rows),
        *_unsaid(score),
        *_checks(score),
        *_invalid_calls(output),
        *_loops(actions),
    ]
    evidence += _user_ended(output, evidence)
    chosen = _class(evidence)
    return {"class": chosen, "summary": summary(chosen, evidence), "evidence": evidence}


def _class(evidence: Sequence[Evidence]) -> str:
    kinds = {item["kind"] for item in evidence}
    if "loop" in kinds and kinds & {"max_steps", "too_many_errors", "judge_stop"}:
        return "loop"
    first = next((name for name in CLASSES if name in kinds), "unexplained")
    left = any(item["kind"] == "user_ended" and item["in_the_middle"] for item in evidence)
    return "user_ended" if left and first == "missing_write" else first


def _end(output: Output) -> Iterator[Evidence]:
    if output["end"] in UNSCORED_ENDS:
        yield {"kind": output["end"], "steps": output["steps"]}


def _unsaid(score: Score) -> Iterator[Evidence]:
    if "COMMUNICATE" in score.basis:
        for wanted in score.why.missing_outputs:
            yield {"kind": "output_not_said", "output": wanted}


def _checks(score: Score) -> Iterator[Evidence]:
    """What only tau2 asks: calls by themselves, assertions about the environment, assertions in plain language."""
    if "ACTION" in score.basis:
        for gold in score.why.unmatched_actions:
            yield {"kind": "action_not_made", "tool": gold.name, "arguments": dict(gold.arguments)}
    if "ENV_ASSERTION" in score.basis:
        for one in score.why.failed_assertions:
            yield {"kind": "assertion_failed", "assertion": one.message or one.func_name, "by": "environment"}
    if "NL_ASSERTION" in score.basis and score.parts["NL_ASSERTION"] == 0.0:
        yield {"kind": "assertion_failed", "assertion": "in plain language", "by": "judge"}


def _transfer(task: Task, output: Output) -> Iterator[Evidence]:
    """A transfer that the ground truth does not have, or has and that never came."""
    wanted = any(action["name"] == TRANSFER for action in task.actions)
    steps = zip(output["action_steps"], output["actions"], strict=True)
    found = next(((step, action) for step, action in steps if action["name"] == TRANSFER), None)
    if wanted and found is None:
        yield {"kind": "missing_transfer"}
    if not wanted and found is not None:
        yield {"kind": "premature_transfer", "step": found[0], "arguments": found[1]["kwargs"]}


def _invalid_calls(output: Output) -> Iterator[Evidence]:
    calls: list[Evidence] = [
        {"step": step, "tool": action["name"], "arguments": action["kwargs"], "observation": observation}
        for step, action, observation in zip(
            output["action_steps"], output["actions"], output["observations"], strict=True
        )
        if action["name"] != RESPOND and is_error(observation)
    ]
    # A call whose arguments cannot be read is not among the actions: the notes alone tell of it.
    calls += [
        {"step": note["step"], "rule": note["rule"], "detail": note["detail"]}
        for note in output["notes"]
        if note["rule"] == "invalid_arguments"
    ]
    if calls:
        in_order = sorted(calls, key=lambda call: int(call["step"]))
        yield {"kind": "invalid_calls", "count": len(calls), "calls": in_order}


def is_error(observation: str) -> bool:
    """Whether the environment refused a call: a tool that says no, a wrong argument, an unknown tool."""
    return observation.startswith(("Error", "Unknown action"))


def _loops(actions: Sequence[Action]) -> Iterator[Evidence]:
    times = Counter(json.dumps([action["name"], action["kwargs"]], sort_keys=True) for action in actions)
    for text, count in times.items():
        if count >= LOOP:
            name, kwargs = json.loads(text)
            yield {"kind": "loop", "tool": name, "arguments": kwargs, "times": count}


def _user_ended(output: Output, evidence: Sequence[Evidence]) -> Iterator[Evidence]:
    """The user stopped although something was left to do."""
    if output["end"] == "user_stop" and any(item["kind"] in _OMISSIONS for item in evidence):
        yield {"kind": "user_ended", "said": last_words(output), "in_the_middle": left_in_the_middle(output)}
